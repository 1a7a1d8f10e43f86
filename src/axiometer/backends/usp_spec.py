"""From a platform and a point to what the model's policy `usp-ddrc` is told.

Zynq UltraScale+: engines that run freely in regions of their own, behind AFI interfaces, behind
ports of the DDR controller. Times in the platform are DRAM clocks unless a key says otherwise.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from axiometer import clocks
from axiometer.keys_fabric import BUFFER_BYTES
from axiometer.keys_usp import split_background

POLICY = "usp-ddrc"
MIB = 2**20
DIRECTIONS = ("read", "write")
# In the order in which a port's engines are numbered and lie in memory.
ENGINES = {"mixed": ("read", "write"), "ps_to_pl": ("read",), "pl_to_ps": ("write",)}

# How a free run is measured (model/include/axiometer/model/usp/measurement.hpp): what is never
# counted at its start, the blocks that are compared, and the half width of the interval of the
# rate, as a share of it, with which it may end early.
SETTLE_US = 100.0
BLOCK_US = 25.0
CONFIDENCE = 0.005

# Least AXI QoS values of classes: PG201, DDR Traffic Class.
LOW_LATENCY_QOS = 12
NEIGHBOUR_QOS = {"best_effort": 0, "video": 4, "low_latency": LOW_LATENCY_QOS}

TIMING = (
    *("CL", "CWL", "tRCD", "tRP", "tRAS", "tRC", "tRRD", "tFAW", "tCCD"),
    *("tWTR", "tRTP", "tWR", "tRFC", "tREFI", "read_to_write"),
)
TIMING_WITHIN_GROUP = ("tCCD_L", "tRRD_L", "tWTR_L")


def build(platform: Any, values: dict[str, Any]) -> dict[str, Any]:
    """The model's configuration for one point."""
    pl_mhz = values["pl_mhz"]
    background = split_background(values["background"])
    used = {platform.value(f"port.{port}.path") for port in values["ports"]}
    used |= {platform.value(f"neighbour.{name}.path") for name in background}
    paths = [name for name in platform.paths if name in used]  # the others never ask
    spec = {
        "clocks": clocks.ratio(platform.value("clocks.ddr_mhz"), pl_mhz),
        "dram": _dram(platform, values),
        "controller": _controller(platform),
        "paths": [_path(platform, name) for name in paths],
        "ports": [
            *(_port(platform, name, values, paths) for name in values["ports"]),
            *(_neighbour(platform, name, values, paths) for name in background),
        ],
        "streams": [
            *_streams(platform, values),
            *_background(platform, values, background),
        ],
        "measure": {
            "settle": round(SETTLE_US * pl_mhz),
            "block": round(BLOCK_US * pl_mhz),
            "confidence": CONFIDENCE,
        },
    }
    if values["master"] == "convolution":
        per_turn = {"burst": 1, "buffer": BUFFER_BYTES // values["burst_bytes"]}
        spec["convolution"] = {
            "lanes": values["accelerators"],
            "buffer_bytes": BUFFER_BYTES,
            "turn": per_turn[values["fill"]],
        }
    return spec


def _column_bytes(platform: Any) -> int:
    return platform.value("dram.bus_bits") // 8 * platform.value("dram.burst_length")


def _dram(platform: Any, values: dict[str, Any]) -> dict[str, Any]:
    value = platform.value
    timing = {key: value(f"dram.timing.{key}") for key in TIMING}
    timing.update({key: value(f"dram.timing.{key}", 0) for key in TIMING_WITHIN_GROUP})
    banks, row_bytes = value("dram.banks"), value("dram.row_bytes")
    bank_bits, row_bits = value("dram.bank_address_bits"), value("dram.row_address_bits")
    if values["mapping"] != value("mapping.default"):
        bank_bits, row_bits = _other_mapping(values["mapping"], banks, row_bytes, row_bits)
    return {
        "timing": timing,
        "banks": banks,
        "row_bytes": row_bytes,
        "column_bytes": _column_bytes(platform),
        "burst_clocks": value("dram.burst_length") // 2,
        "bytes": value("dram.size_MiB") * MIB,
        "mapping": values["mapping"],
        "bank_groups": value("dram.bank_groups", 1),
        "ranks": value("dram.ranks", 1),
        "rank_gap": value("dram.rank_gap", 0),
        "rank_address_bit": value("dram.rank_address_bit", -1),
        "bank_address_bits": bank_bits,
        "row_address_bits": row_bits,
    }


def _other_mapping(
    mapping: str, banks: int, row_bytes: int, row_bits: list[int]
) -> tuple[list[int], list[int]]:
    """Bits of bank and row if they stand in the address as the name says, columns lowest."""
    rows = row_bits[1] - row_bits[0] + 1
    column, bank = row_bytes.bit_length() - 1, banks.bit_length() - 1
    bank_first = column + rows if mapping == "bank-row-column" else column
    row_first = column if mapping == "bank-row-column" else column + bank
    return list(range(bank_first, bank_first + bank)), [row_first, row_first + rows - 1]


def _controller(platform: Any) -> dict[str, Any]:
    keys = (
        *("policy", "read_entries", "write_entries", "starve_clocks", "run_length"),
        *("dram_clocks", "low_latency_entries", "least_run", "idle_gap_clocks"),
        *("write_combining", "turn", "write_bytes", "video_reads_expire"),
        *("starved_writes_turn", "read_clocks"),
    )
    return {key: platform.value(f"controller.{key}") for key in keys}


def _path(platform: Any, name: str) -> dict[str, Any]:
    table = f"path.{name}"
    value = platform.value
    column_bytes = _column_bytes(platform)
    ddr, mhz = value("clocks.ddr_mhz"), value(f"{table}.clock_mhz")
    width = value(f"{table}.width_bits") // 8
    clock_bytes = width * value("controller.dram_clocks") * clocks.meant(mhz) / clocks.meant(ddr)
    return {
        "name": name,
        "column_clocks": clocks.ceil_clocks(Fraction(column_bytes, width), ddr, mhz),
        "release_clocks": 0,
        "ordered": True,
        **{
            f"inflight_{d}": value(f"{table}.inflight_bytes_{d}") // column_bytes
            for d in DIRECTIONS
        },
        **{
            f"{key}_{d}": value(f"{table}.{key}_{d}")
            for key in ("request_clocks", "queue_parts", "timeout_clocks", "entry_clocks")
            for d in DIRECTIONS
        },
        "clock_bytes": round(clock_bytes),
        "buffers": value(f"{table}.buffers"),
        "write_buffer_bytes": value(f"{table}.write_buffer_bytes"),
        "write_gap_clocks": value(f"{table}.write_gap_clocks"),
    }


def _port(platform: Any, name: str, values: dict[str, Any], paths: list[str]) -> dict[str, Any]:
    table = f"port.{name}"
    value = platform.value
    return {
        "name": name,
        "path": paths.index(value(f"{table}.path")),
        "width_bytes": values["width_bits"] // 8,
        "part_bytes": value(f"{table}.part_bytes"),
        "fifo_bytes": value(f"{table}.fifo_bytes"),
        "request_cycles": 0,
        "return_cycles": 0,
        "response_clocks": value(f"{table}.response_clocks"),
        "early_response": True,
        "release_whole_burst": False,
        "issue_commands": value(f"{table}.issue_commands"),
        "inflight_parts": value(f"{table}.inflight_parts"),
        "inflight_until": value(f"{table}.inflight_until"),
        **{f"qos_{d}": qos_value(platform, name, d, values) for d in DIRECTIONS},
        **{f"traffic_{d}": traffic_class(platform, name, d, values) for d in DIRECTIONS},
    }


def _neighbour(platform: Any, name: str, values: dict[str, Any], paths: list[str]) -> Any:
    """A master of the chip as a port: like the first port of the fabric but for what is its own."""
    table = f"neighbour.{name}"
    own = platform.value(f"{table}.traffic")
    port = _port(platform, values["ports"][0], values, paths)
    return port | {
        "name": name,
        "path": paths.index(platform.value(f"{table}.path")),
        **{f"traffic_{d}": own for d in DIRECTIONS},
        **{f"qos_{d}": NEIGHBOUR_QOS[own] for d in DIRECTIONS},
    }


def _background(
    platform: Any, values: dict[str, Any], background: dict[str, float]
) -> list[dict[str, Any]]:
    """The streams of the chip's own masters: bursts at the distance that gives their MB/s. They
    lie at the end of the memory, each in a region as large as an engine's."""
    size = platform.value("master.region_MiB") * MIB
    top = platform.value("dram.size_MiB") * MIB
    width = values["width_bits"] // 8
    streams = []
    for number, (name, rate) in enumerate(background.items()):
        table = f"neighbour.{name}"
        burst = platform.value(f"{table}.burst_bytes")
        cycles = burst / rate * values["pl_mhz"]
        for direction in platform.value(f"{table}.directions"):
            top -= size
            streams.append(
                {
                    "port": len(values["ports"]) + number,
                    "name": name,
                    "background": True,
                    "direction": direction,
                    "base": top,
                    "bytes": 2**50,
                    "region": size,
                    "burst_bytes": burst,
                    "outstanding": platform.value(f"{table}.outstanding"),
                    "gap_cycles": max(0, round(cycles) - -(-burst // width)),
                    "pattern": "sequential",
                    "stride": 0,
                    "partner": -1,
                    "loopback_bursts": 1,
                    "loopback_cycles": 0,
                }
            )
    return streams


def traffic_class(
    platform: Any, port: str, direction: str, values: dict[str, Any] | None = None
) -> str:
    """Class of a port's traffic: what the point's `qos` or else `qos.PORT.mode` says, or, where
    that is `mapped` or a number, what the controller's port makes of the AFI's QoS value (0 to
    15)."""
    mode, number = _mode(platform, port, direction, values)
    if mode == "low_latency" and direction == "write":
        return "best_effort"  # writes have no such class
    if mode != "mapped":
        return mode
    return "video" if number > _level(platform, port, direction) else "best_effort"


def qos_value(
    platform: Any, port: str, direction: str, values: dict[str, Any] | None = None
) -> int:
    """The AXI QoS value (0 to 15) that the controller's arbiter sees: that of the platform or the
    point; where it is not of the class that is given instead, the nearest that is."""
    mode, number = _mode(platform, port, direction, values)
    if mode == "mapped":
        return number
    of_class = traffic_class(platform, port, direction, values)
    if of_class == "low_latency":
        return max(number, LOW_LATENCY_QOS)
    best_effort = _level(platform, port, direction)
    return max(number, best_effort + 1) if of_class == "video" else min(number, best_effort)


def _mode(
    platform: Any, port: str, direction: str, values: dict[str, Any] | None
) -> tuple[str, int]:
    """A class or `mapped`, and the AXI QoS value, of the point or else of the platform."""
    given = (((values or {}).get("qos") or {}).get(port) or {}).get(direction)
    if isinstance(given, int):
        return "mapped", given
    mode = platform.value(f"qos.{port}.mode") if given is None else given
    return mode, platform.value(f"qos.{port}.{direction}")


def _level(platform: Any, port: str, direction: str) -> int:
    """The highest QoS value that is best effort."""
    return platform.value(f"path.{platform.value(f'port.{port}.path')}.qos_level_{direction}")


def _streams(platform: Any, values: dict[str, Any]) -> list[dict[str, Any]]:
    """The engines, port by port and master by master; each in its own region, whole bursts long."""
    burst = values["burst_bytes"]
    size = platform.value("master.region_MiB") * MIB
    pattern, _, stride = values["pattern"].partition(":")
    streams = []
    for number, port in enumerate(values["ports"]):
        for master, direction in product(
            range(values["masters_per_port"]), ENGINES[values["mode"]]
        ):
            outstanding = values.get(f"outstanding_{direction}")
            if outstanding is None:
                outstanding = platform.value(f"master.outstanding_{direction}")
            most = platform.value(f"port.{port}.outstanding_max", None)
            if most is not None:
                # Both directions together; each engine of the port keeps to its part.
                engines = values["masters_per_port"] * len(ENGINES[values["mode"]])
                outstanding = min(outstanding, max(1, most // engines))
            streams.append(
                {
                    "port": number,
                    "name": port,
                    # Only where there are several: the chip under the RTL knows of ports alone.
                    **({"master": master} if values["masters_per_port"] > 1 else {}),
                    "direction": direction,
                    "base": len(streams) * size,
                    "bytes": 2**50,
                    "region": size // burst * burst,
                    "burst_bytes": burst,
                    "outstanding": outstanding,
                    "gap_cycles": values["gap_cycles"],
                    "pattern": pattern,
                    "stride": int(stride) if stride else 0,
                    "partner": -1,
                    "loopback_bursts": 1,
                    "loopback_cycles": 0,
                }
            )
    return streams
