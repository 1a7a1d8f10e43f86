"""From a platform and a point to what the model of the processor's side is told.

Not for: masters that stream through the memory model (`master = "dma"`); that is `model_spec.py`.
"""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil, lcm
from typing import Any

from axiometer.clocks import exact, meant
from axiometer.keys_processor import IN_FABRIC

MIB = 2**20
COPIES = {"memcpy": "copy", "loop": "loop", "register": "loop", "gpio_driver": "loop"}


def pl_mhz(platform: Any, asked: float) -> Fraction:
    """The clock that the fabric gets: that of the PLL over a whole number, at most what is
    asked for."""
    pll = meant(platform.value("processor.clocks.pl_pll"))
    return pll / ceil(pll / exact(asked))


def clocks(platform: Any, asked: float) -> tuple[dict[str, int], Fraction]:
    """The periods of all clocks in the largest unit of which all are whole, and that unit in
    seconds."""
    value = platform.value
    mhz = {
        name: meant(value(f"processor.clocks.{name}")) for name in ("cpu", "interconnect", "apb")
    }
    for name in ("ddr", "ddr_2x"):
        mhz[name] = meant(value(f"clocks.{name}_mhz"))
    mhz["pl"] = pl_mhz(platform, asked)
    scale = lcm(*(rate.denominator for rate in mhz.values()))
    rates = {name: int(rate * scale) for name, rate in mhz.items()}
    unit = lcm(*rates.values())
    return {name: unit // rate for name, rate in rates.items()}, Fraction(scale, unit) / 10**6


def build(platform: Any, values: dict[str, Any]) -> tuple[dict[str, Any], Fraction]:
    """The specification, and the length of its unit of time in seconds."""
    periods, unit = clocks(platform, values["pl_mhz"])
    master = values["master"]
    kind = platform.value(f"port.{values['ports'][0]}.kind", "hp")
    linux, caches = values["os"] == "linux", values["cache"] == "on"
    spec: dict[str, Any] = {
        "clocks": {k: v for k, v in periods.items() if k != "ddr_2x"},
        "memory": _memory(platform),
        "gp": _gp(platform),
        "cache": _table(platform, "processor.cache"),
        "cpu": _cpu(platform, values, caches, linux),
        "dmac": _dmac(platform, values),
        "system": {
            "present": linux,
            "system_call": _units(platform.value("processor.linux.system_call_us"), unit),
        },
        "transfer": {
            "gpio_clocks": platform.value("processor.apb.register_clocks"),
            "to_fabric": values["mode"] != "pl_to_ps",
            "prepare": values["program"] == "included" or master == "axi_dma",
            "bytes": values["transfer_bytes"],
        },
        "master": COPIES.get(master, {"ps_dma": "dmac", "ring": "ring"}.get(master, "fabric")),
        "target": "gpio" if kind == "emio" else "slave",
        "attribute": values["memory_type"],
        "slave": _slave(platform, values["slave"]),
    }
    if master in IN_FABRIC:
        spec["fabric"] = _fabric(platform, master)
        spec["port"] = _port(platform, kind, periods)
    if master == "ring":
        spec["ring"] = _ring(platform, values)
    return spec, unit


def start(spec: dict[str, Any], seed: int, repeat: int) -> dict[str, Any]:
    """What differs between repeats, drawn from (seed, repeat): where the fabric's clock and the
    refresh stand when the transfer begins."""
    draw = random.Random(f"{seed}:{repeat}")
    interval = spec["memory"]["refresh_interval"]
    return {
        **spec,
        "clocks": {**spec["clocks"], "pl_phase": draw.randrange(spec["clocks"]["pl"])},
        "memory": {**spec["memory"], "refresh_phase": draw.randrange(interval)},
    }


def _units(microseconds: float, unit: Fraction) -> int:
    return round(Fraction(str(microseconds)) / 10**6 / unit)


def _table(platform: Any, path: str) -> dict[str, Any]:
    """All figures of one table of the platform."""
    prefix = f"{path}."
    return {
        name.removeprefix(prefix): leaf.value
        for name, leaf in platform.leaves()
        if name.startswith(prefix) and "." not in name.removeprefix(prefix)
    }


def _memory(platform: Any) -> dict[str, Any]:
    value = platform.value
    burst = value("dram.burst_length") // 2
    return {
        "read_clocks": value("processor.memory.dram_read_clocks"),
        # Activate, read, data: what a write that is answered early does not wait for.
        "device_clocks": value("dram.timing.tRCD") + value("dram.timing.CL") + burst,
        "burst_clocks": burst,
        "column_bytes": value("dram.bus_bits") // 8 * value("dram.burst_length"),
        "refresh_clocks": value("dram.timing.tRFC"),
        "refresh_interval": value("dram.timing.tREFI"),
    }


def _slave(platform: Any, name: str) -> dict[str, Any]:
    slave = _table(platform, f"fabric.slave.{name}")
    del slave["bytes"]
    return slave


def _gp(platform: Any) -> dict[str, Any]:
    return _table(platform, "processor.gp") | {"beat_bytes": 4}


def _cpu(platform: Any, values: dict[str, Any], caches: bool, linux: bool) -> dict[str, Any]:
    software = _table(platform, "processor.software")
    register = software["register_loop_clocks"]
    loops = {
        "loop": software["loop_clocks"],
        "gpio_driver": register + software["gpio_driver_clocks"],
    }
    return {
        "call_instructions": software["call_instructions"],
        "loop_clocks": loops.get(values["master"], register),
        "access_bytes": software["memcpy_bytes_linux" if linux else "memcpy_bytes"],
        "device_read_bytes": software["device_read_bytes"],
        "device_write_bytes": software["device_write_bytes"],
        "fetch_bytes": software["fetch_bytes"],
        "caches": caches,
    }


def _dmac(platform: Any, values: dict[str, Any]) -> dict[str, Any]:
    dmac = _table(platform, "processor.dmac")
    linux = values["os"] == "linux"
    for name in ("burst_bytes", "beat_bytes"):
        longer = dmac.pop(f"{name}_linux")
        dmac[name] = longer if linux else dmac[name]
    dmac["copies"] = linux and values["io"] == "copy"
    burst = values["dma_burst_bytes"]
    if burst:
        dmac["burst_bytes"] = burst
    dmac["bursts_in_flight"] = max(1, dmac.pop("ahead_bytes") // dmac["burst_bytes"])
    # A slave that is smaller than the transfer is filled, or read, again and again.
    dmac["program_bytes"] = platform.value(f"fabric.slave.{values['slave']}.bytes")
    if values["outstanding_read"] and values["mode"] == "pl_to_ps":
        dmac["bursts_in_flight"] = values["outstanding_read"]
    return dmac


def _fabric(platform: Any, master: str) -> dict[str, Any]:
    fabric = _table(platform, "fabric.master")
    full, improved = not master.startswith("lite"), master.endswith("improved")
    # A DMA gives its addresses ahead of its data and waits for nothing; a plain master for all.
    issue, outstanding, taken = 1, fabric["dma_outstanding"], 0
    if improved:
        issue = fabric["full_issue_cycles" if full else "lite_issue_cycles"]
        outstanding = fabric["outstanding_improved"]
    elif master != "axi_dma":
        issue, outstanding, taken = fabric["plain_issue_cycles"], 1, fabric["taken_cycles"]
    starts = "dma_start_accesses" if master == "axi_dma" else "start_accesses"
    return {
        "issue_cycles": issue,
        "interconnect_cycles": fabric["interconnect_cycles"],
        "burst_beats": fabric["burst_beats"] if full else 1,
        "outstanding": outstanding,
        "taken_cycles": taken,
        "hold_cycles": 0 if master == "axi_dma" else fabric["hold_cycles"],
        "start_accesses": fabric[starts],
    }


def _port(platform: Any, kind: str, periods: dict[str, int]) -> dict[str, Any]:
    port = _table(platform, f"processor.port.{kind}")
    period = periods[port.pop("clock")]
    return port | {
        "beat_period": period,
        "serial_time": port.pop("serial_clocks") * period,
    }


def _ring(platform: Any, values: dict[str, Any]) -> dict[str, Any]:
    ring = _table(platform, "processor.ring")
    return ring | {
        "buffer_bytes": values["transfer_bytes"],
        "depth": values["ring_depth"],
        "width_bytes": values["width_bits"] // 8,
        "maintain": values["cache_control"] == "explicit",
        "copy": values["io"] == "copy",
    }
