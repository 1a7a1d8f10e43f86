"""The chip of a scenario: clocks, DRAM, controller, paths and ports, for the model.

Figures of a platform with the model's names pass unchanged (`figures`); this file computes the
others: from bytes column commands, from bits bytes, from rates clocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from axiometer.base import clocks
from axiometer.base.errors import AxiometerError
from axiometer.experiment.values import Qos, Values
from axiometer.platform import Platform
from axiometer.simulate import machine, program
from axiometer.simulate.figures import both, passed
from axiometer.simulate.model_tables import Controller, Dram, Path, Port, Timing
from axiometer.simulate.table import Document
from axiometer.simulate.traffic import neighbour_class, qos_value, traffic_class

MIB = 2**20
# Keys of the model that a machine with an arbiter ignores.
_UNUSED_PATH = {"release_clocks": 0, "ordered": True}
_UNUSED_PORT = {
    "request_cycles": 0,
    "return_cycles": 0,
    "early_response": True,
    "release_whole_burst": False,
}


def check(platform: Platform, values: Values) -> None:
    """AxiometerError if related figures contradict each other."""
    value = platform.value
    by, name = program.of(platform, values), program.table(platform, values)
    if by.jitter > by.launch:
        raise AxiometerError(
            f"{name}.launch_jitter_us is {by.jitter:g}, but a launch takes {by.launch:g} us",
            remedy="set both: a launch cannot take less than 0 us",
        )
    data = burst_clocks(platform)
    if platform.has("controller.dram_clocks"):
        if data % value("controller.dram_clocks"):
            raise AxiometerError(
                f"controller.dram_clocks is {value('controller.dram_clocks')}, but data of a "
                f"burst take {data} clocks",
                remedy="set it to a divisor of these: the controller's clock is the DRAM's divided",
            )
    elif value("dram.timing.tCCD") != data:
        raise AxiometerError(
            f"dram.timing.tCCD is {value('dram.timing.tCCD')}, but data of a burst take "
            f"{data} clocks",
            remedy="set dram.timing.tCCD to half of dram.burst_length, as in DDR3",
        )


def burst_clocks(platform: Platform) -> int:
    """DRAM clocks of one column command on the bus."""
    return platform.whole("dram.burst_length") // 2


def column_bytes(platform: Platform) -> int:
    """Bytes that one column command moves."""
    return platform.whole("dram.bus_bits") // 8 * platform.whole("dram.burst_length")


def dram(platform: Platform, mapping: str) -> Dram:
    """The DRAM, with its address in the order `mapping`."""
    value = platform.value
    own: Document = {
        "timing": passed(platform, "dram.timing", Timing, {}),
        "column_bytes": column_bytes(platform),
        "burst_clocks": burst_clocks(platform),
        "bytes": platform.memory_bytes,
        "mapping": mapping,
    }
    if platform.has("dram.bank_address_bits") and mapping != value("mapping.default"):
        own |= other_mapping(
            mapping,
            value("dram.bank_address_bits"),
            value("dram.row_bytes"),
            value("dram.row_address_bits"),
            value("dram.bank_groups", 1),
        )
    return passed(platform, "dram", Dram, own)


def other_mapping(
    mapping: str,
    bank_bits: Sequence[int],
    row_bytes: int,
    row_bits: Sequence[int],
    groups: int = 1,
) -> dict[str, list[int]]:
    """Bits of bank and row for the address order in the name, columns lowest.

    The bits of bank groups (the first of `bank_bits`, for `groups` of them) stay among the
    columns: Xilinx's boot loader (xfsbl_ddr_init.c) has the first one next to the DRAM burst in
    either mapping. The place of a second one in the other mapping is a guess.
    """
    rows = row_bits[1] - row_bits[0] + 1
    column = row_bytes.bit_length() - 1
    of_groups = list(bank_bits[: groups.bit_length() - 1])
    low = column + len(of_groups)
    if any(bit >= low for bit in of_groups):  # not among the columns
        of_groups, low = [], column
    bank = len(bank_bits) - len(of_groups)
    bank_first = low + rows if mapping == "bank-row-column" else low
    row_first = low if mapping == "bank-row-column" else low + bank
    return {
        "bank_address_bits": [*of_groups, *range(bank_first, bank_first + bank)],
        "row_address_bits": [row_first, row_first + rows - 1],
    }


def controller(platform: Platform) -> Controller:
    """The memory controller."""
    return passed(platform, "controller", Controller, {})


def paths_of_ports(platform: Platform) -> set[str]:
    """The paths that ports of the fabric enter."""
    found = (platform.value(f"port.{port}.path", None) for port in platform.ports)
    return {path for path in found if path is not None}


def path(platform: Platform, name: str) -> Path:
    """One path to the controller."""
    table, column = f"path.{name}", column_bytes(platform)
    own: Document = {
        "name": name,
        **both("inflight", lambda d: platform.value(f"{table}.inflight_bytes_{d}") // column),
        "column_clocks": column_clocks(platform, table, column),
    }
    if machine.of(platform).arbiter:
        own |= _UNUSED_PATH | {
            "clock_bytes": _clock_bytes(platform, table),
            **both("request_clocks", lambda d: _request_clocks(platform, table, d)),
        }
    return passed(platform, table, Path, own)


def read_clocks(platform: Platform, name: str) -> int:
    """DRAM clocks from a request on a path to its data behind it, in an open row."""
    value, way = platform.value, path(platform, name)
    column = value("dram.timing.CL") + burst_clocks(platform)
    # Some controllers' figures include the way back in the device's time.
    device = value("controller.read_clocks", 0) * value("controller.dram_clocks", 1)
    return way.request_clocks_read + int(max(column, way.release_clocks_read, device))


def carried_bytes_s(platform: Platform, port: str) -> Fraction:
    """The highest rate of a loop-back at a port of the fabric in each direction, bytes a second:
    limited by the DRAM's bus, which both directions share, the path's width, and the outstanding
    bytes during a read's latency."""
    value, table = platform.whole, platform.way(port)
    name = platform.word(f"{table}.path")
    ddr = clocks.meant(platform.number("clocks.ddr_mhz")) * 10**6
    found = [Fraction(value("dram.bus_bits"), 8) * ddr]  # twice a clock, for two directions
    if platform.has(f"path.{name}.width_bits"):
        of_path = clocks.meant(platform.number(f"path.{name}.clock_mhz")) * 10**6
        found.append(Fraction(value(f"path.{name}.width_bits"), 8) * of_path)
    flying = [value(f"path.{name}.inflight_bytes_read")]
    if platform.has(f"{table}.inflight_parts"):
        flying.append(value(f"{table}.inflight_parts") * value(f"{table}.part_bytes"))
    if platform.has(f"{table}.outstanding_max"):
        flying.append(value(f"{table}.outstanding_max") * value(f"{table}.part_bytes") // 2)
    return min(*found, min(flying) * ddr / read_clocks(platform, name))


def column_clocks(platform: Platform, table: str, column: int) -> int:
    """DRAM clocks of the `column` bytes of one column command on the path `table`; 0 if the path is
    no limit."""
    if not platform.has(f"{table}.width_bits"):
        return 0
    beats = -(-column * 8 // platform.value(f"{table}.width_bits"))
    return clocks.ceil_clocks(
        beats, platform.value("clocks.ddr_mhz"), platform.value(f"{table}.clock_mhz")
    )


def _request_clocks(platform: Platform, table: str, direction: str) -> int:
    """DRAM clocks of a request on the path: the platform's, and a time that does not depend on the
    DRAM's clock (`request_ns`), to the nearest clock of the controller."""
    number, each = platform.number, platform.whole("controller.dram_clocks")
    apart = number(f"{table}.request_ns_{direction}", 0) * number("clocks.ddr_mhz") / 1000
    return platform.whole(f"{table}.request_clocks_{direction}") + each * round(apart / each)


def _clock_bytes(platform: Platform, table: str) -> int:
    """Bytes that a channel of the path carries in a clock of the controller."""
    value = platform.value
    width = value(f"{table}.width_bits") // 8
    of_path, of_dram = (
        clocks.meant(value(key)) for key in (f"{table}.clock_mhz", "clocks.ddr_mhz")
    )
    return round(Fraction(width * value("controller.dram_clocks")) * of_path / of_dram)


def port(
    platform: Platform,
    name: str,
    width_bits: int,
    paths: Sequence[str],
    classes: Qos | None = None,
    instead: Mapping[str, int] = MappingProxyType({}),
) -> Port:
    """A port of the fabric, or another master's path to the memory; `paths` are the names of the
    scenario's paths; `classes`: a point's; `instead`: values that replace the platform's
    figures."""
    table = platform.way(name)
    own: Document = {
        "name": name,
        "path": paths.index(platform.word(f"{table}.path")),
        "width_bytes": width_bits // 8,
    }
    if machine.of(platform).arbiter:
        own |= {
            **_UNUSED_PORT,
            **both("qos", lambda d: qos_value(platform, name, d, classes)),
            **both("traffic", lambda d: traffic_class(platform, name, d, classes)),
        }
    return passed(platform, table, Port, {**own, **instead})


def neighbour(
    platform: Platform, name: str, width_bits: int, paths: Sequence[str], like: str
) -> Port:
    """A master of the chip as a port: like the port `like` of the fabric, except for its own
    values."""
    qos = platform.whole(f"neighbour.{name}.qos")
    every = [*paths, platform.word(f"port.{like}.path")]  # the port's path may be unused
    return replace(
        port(platform, like, width_bits, every),
        name=name,
        path=paths.index(platform.word(f"neighbour.{name}.path")),
        traffic_read=neighbour_class(platform, name, "read"),
        traffic_write=neighbour_class(platform, name, "write"),
        qos_read=qos,
        qos_write=qos,
    )
