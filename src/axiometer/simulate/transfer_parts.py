"""The tables of a transfer (`transfer.py`), from a platform's figures and a point.

Figures that the model has under the same name pass as they stand (`told`); the rest is here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import ceil
from typing import Any

from axiometer.base.clocks import meant
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.simulate import chip

WORD_BYTES = 4
"""What masters of the processor's side move in a beat."""


def table(platform: Platform, path: str) -> dict[str, Any]:
    """All figures of one table of the platform."""
    prefix = f"{path}."
    return {
        name.removeprefix(prefix): leaf.value
        for name, leaf in platform.leaves()
        if name.startswith(prefix) and "." not in name.removeprefix(prefix)
    }


def told(figures: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Those of `figures` that the model's table `name` has."""
    return {key: value for key, value in figures.items() if key in _keys(name)}


@lru_cache
def _keys(name: str) -> frozenset[str]:
    from axiometer import _model

    return frozenset(row["key"] for row in _model.describe_processor() if row["table"] == name)


def memory(platform: Platform) -> dict[str, Any]:
    """The processor's memory; the timing is the DRAM's own."""
    value = platform.value
    burst = chip.burst_clocks(platform)
    return {
        "read_clocks": value("processor.memory.dram_read_clocks"),
        # Activate, read, data: what a write that is answered early does not wait for.
        "device_clocks": value("dram.timing.tRCD") + value("dram.timing.CL") + burst,
        "burst_clocks": burst,
        "column_bytes": chip.column_bytes(platform),
        "refresh_clocks": value("dram.timing.tRFC"),
        "refresh_interval": value("dram.timing.tREFI"),
    }


def slave(platform: Platform, name: str) -> dict[str, Any]:
    """A slave in the fabric. Its size is not the model's affair."""
    found = table(platform, f"fabric.slave.{name}")
    del found["bytes"]
    return found


def gp(platform: Platform, values: Values, kind: str) -> dict[str, Any]:
    """The ports by which the processor masters the fabric. Registers of a master at another port
    are behind one of words."""
    beat = values["width_bits"] // 8 if kind == "gp-master" else WORD_BYTES
    return table(platform, "processor.gp") | {"beat_bytes": beat}


def cpu(platform: Platform, values: Values) -> dict[str, Any]:
    """The processor and its copy routine."""
    software = table(platform, "processor.software")
    register = software["register_loop_clocks"]
    loops = {
        "loop": software["loop_clocks"],
        "gpio_driver": register + software["gpio_driver_clocks"],
    }
    linux = values["os"] == "linux"
    return told(software, "cpu") | {
        "loop_clocks": loops.get(values["master"], register),
        "access_bytes": software["memcpy_bytes_linux" if linux else "memcpy_bytes"],
        "caches": values["cache"] in ("on", "l1"),
        "instruction_cache": values["cache"] != "off",
    }


def dmac(platform: Platform, values: Values, engine: str) -> dict[str, Any]:
    """The DMA engine of the PS whose table is `engine`."""
    found = table(platform, engine)
    linux = values["os"] == "linux"
    for name in ("burst_bytes", "beat_bytes"):
        longer = found.pop(f"{name}_linux")
        found[name] = longer if linux else found[name]
    found["copies"] = linux and values["io"] == "copy"
    if values["dma_burst_bytes"]:
        found["burst_bytes"] = values["dma_burst_bytes"]
    found["bursts_in_flight"] = max(1, found.pop("ahead_bytes") // found["burst_bytes"])
    # A slave that is smaller than the transfer is filled, or read, again and again.
    found["program_bytes"] = platform.value(f"fabric.slave.{values['slave']}.bytes")
    if values["outstanding_read"] and values["mode"] == "pl_to_ps":
        found["bursts_in_flight"] = values["outstanding_read"]
    return found


def fabric(platform: Platform, master: str) -> dict[str, Any]:
    """A master in the fabric."""
    figures = table(platform, "fabric.master")
    found = told(figures, "fabric")
    full, improved = not master.startswith("lite"), master.endswith("improved")
    if not full:
        found["burst_beats"] = 1
    if master == "axi_dma":
        # A DMA gives its addresses ahead of its data and waits for nothing.
        return found | {
            "issue_cycles": 1,
            "outstanding": figures["dma_outstanding"],
            "taken_cycles": 0,
            "hold_cycles": 0,
            "start_accesses": figures["dma_start_accesses"],
        }
    if improved:
        return found | {
            "issue_cycles": figures["full_issue_cycles" if full else "lite_issue_cycles"],
            "outstanding": figures["outstanding_improved"],
            "taken_cycles": 0,
        }
    # A plain master waits for all.
    return found | {"issue_cycles": figures["plain_issue_cycles"], "outstanding": 1}


def port(platform: Platform, kind: str, periods: Mapping[str, int]) -> dict[str, Any]:
    """The port that a master in the fabric uses; `periods` of clocks, in units of time."""
    found = table(platform, f"processor.port.{kind}")
    period = periods[found.pop("clock")]
    return found | {"beat_period": period, "serial_time": found.pop("serial_clocks") * period}


def ring(platform: Platform, values: Values) -> dict[str, Any]:
    """A ring of packets. Of what its way carries in a cycle of the fabric, whole bytes are a beat's
    in so many cycles."""
    width = values["width_bits"] // 8
    carried = chip.carried_bytes_s(platform, values["ports"][0]) / (meant(values["pl_mhz"]) * 10**6)
    cycles = max(1, ceil(width / carried))
    return table(platform, "processor.ring") | {
        "buffer_bytes": values["transfer_bytes"],
        "depth": values["ring_depth"],
        "width_bytes": width if cycles == 1 else int(carried * cycles),
        "beat_cycles": cycles,
        "maintain": values["cache_control"] == "explicit",
        "copy": values["io"] == "copy",
    }
