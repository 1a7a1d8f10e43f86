"""The tables of a transfer (`transfer.py`), from a platform's figures and a point.

Figures with the model's names pass unchanged (`shared_figures`); this file computes the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil

from axiometer.base.clocks import meant
from axiometer.experiment import between
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.simulate import chip
from axiometer.simulate import model_tables as tables
from axiometer.simulate.table import Document, Table

WORD_BYTES = 4
"""Bytes that masters of the processor's side move in a beat."""
_LINES_LINUX = "outstanding_read_linux"
"""Outstanding line fills after Linux has set up the caches."""
_LINUX = ("burst_bytes_linux", "beat_bytes_linux")


def shared_figures(figures: Document, table: type[Table]) -> Document:
    """The figures in `figures` that are keys of the model's table."""
    return {key: value for key, value in figures.items() if key in table.__annotations__}


def _without(figures: Document, *names: str) -> Document:
    return {key: value for key, value in figures.items() if key not in names}


def memory(platform: Platform) -> tables.Memory:
    """The processor's memory; the timing is the DRAM's own."""
    whole = platform.whole
    burst = chip.burst_clocks(platform)
    return tables.Memory(
        read_clocks=whole("processor.memory.dram_read_clocks"),
        # Activate, read, data: an early answered write does not wait for these.
        device_clocks=whole("dram.timing.tRCD") + whole("dram.timing.CL") + burst,
        burst_clocks=burst,
        column_bytes=chip.column_bytes(platform),
        refresh_clocks=whole("dram.timing.tRFC"),
        refresh_interval=whole("dram.timing.tREFI"),
    )


def slave(platform: Platform, name: str | None) -> tables.Slave:
    """A slave in the fabric, without its size, which the model does not need."""
    return tables.Slave.of(_without(platform.figures_of(f"fabric.slave.{name}"), "bytes"))


def gp(platform: Platform, values: Values, kind: str) -> tables.Gp:
    """The ports through which the processor masters the fabric. Registers of a master at another
    port are behind one of words."""
    beat = values["width_bits"] // 8 if kind == "gp-master" else WORD_BYTES
    figures = platform.figures_of("processor.gp")
    linux = figures.get(_LINES_LINUX, figures["outstanding_read"])
    if values["os"] == "linux" and values["memory_type"] == "cached":
        figures = figures | {"outstanding_read": linux}
    return tables.Gp.of(_without(figures, _LINES_LINUX) | {"beat_bytes": beat})


def cache(platform: Platform, values: Values, by_kernel: bool) -> tables.Cache:
    """Both levels, and the lines that the copy routine reads ahead: the default memcpy of a program
    under Linux does not read all ahead."""
    figures = platform.figures_of("processor.cache")
    found = shared_figures(figures, tables.Cache)
    found["l2"] = values["cache"] != "l1" and figures.get("l2", True)
    if values["os"] == "linux" and not by_kernel and values["copy_bytes"] is None:
        found["prefetch_step"] = platform.whole("processor.software.memcpy_prefetch_step", 1)
    return tables.Cache.of(found)


def cpu(platform: Platform, values: Values, by_kernel: bool) -> tables.Cpu:
    """The processor and its copy routine: the program's `memcpy`, or the kernel's own copy."""
    software, whole = "processor.software", platform.whole
    register = f"{software}.register_loop_clocks"
    loops: dict[str, tuple[str, ...]] = {"loop": (f"{software}.loop_clocks",)}
    loops["gpio_driver"] = (register, f"{software}.gpio_driver_clocks")
    linux = "_linux" if values["os"] == "linux" else ""
    moved = values["copy_bytes"] or whole(f"{software}.memcpy_bytes{linux}")
    if by_kernel:
        moved = whole(f"{software}.kernel_copy_bytes", moved)
    found: Document = {
        "loop_clocks": sum(map(whole, loops.get(values["master"], (register,)))),
        "access_bytes": moved,
        "caches": values["cache"] in ("on", "l1"),
        "instruction_cache": values["cache"] != "off",
    }
    return tables.Cpu.of(shared_figures(platform.figures_of(software), tables.Cpu) | found)


def dmac(platform: Platform, values: Values, engine: str) -> tables.Dmac:
    """The DMA engine of the PS whose table is `engine`."""
    linux = values["os"] == "linux"
    names = _LINUX if linux else ("burst_bytes", "beat_bytes")
    burst, beat = (platform.whole(f"{engine}.{name}") for name in names)
    burst = values["dma_burst_bytes"] or burst
    ahead = max(1, platform.whole(f"{engine}.ahead_bytes") // burst)
    if values["outstanding_read"] and values["mode"] == "pl_to_ps":
        ahead = values["outstanding_read"]
    found: Document = {
        "burst_bytes": burst,
        "beat_bytes": beat,
        "copies": linux and values["io"] == "copy",
        "bursts_in_flight": ahead,
        # A slave smaller than the transfer is filled, or read, repeatedly.
        "program_bytes": platform.whole(f"fabric.slave.{values['slave']}.bytes"),
    }
    return tables.Dmac.of(_without(platform.figures_of(engine), *_LINUX, "ahead_bytes") | found)


def behind(found: tables.Fabric, values: Values) -> tables.Fabric:
    """The master with the point's blocks before its port, instead of the platform's."""
    through = values.get("through")
    if not through:
        return found
    way = "read" if values["mode"] == "ps_to_pl" else "write"
    return replace(found, interconnect_cycles=between.cycles(through, way, values["pl_mhz"]))


def fabric(platform: Platform, master: str) -> tables.Fabric:
    """A master in the fabric."""
    figures = platform.figures_of("fabric.master")
    full, improved = not master.startswith("lite"), master.endswith("improved")
    found = tables.Fabric.of(shared_figures(figures, tables.Fabric))
    if not full:
        found = replace(found, burst_beats=1)

    def figure(name: str) -> int:
        return platform.whole(f"fabric.master.{name}")

    if master == "axi_dma":
        # A DMA sends its addresses ahead of its data and does not wait.
        return replace(
            found,
            issue_cycles=1,
            outstanding=figure("dma_outstanding"),
            taken_cycles=0,
            hold_cycles=0,
            start_accesses=figure("dma_start_accesses"),
        )
    if improved:
        return replace(
            found,
            issue_cycles=figure("full_issue_cycles" if full else "lite_issue_cycles"),
            outstanding=figure("outstanding_improved"),
            taken_cycles=0,
        )
    # A plain master waits for every response.
    return replace(found, issue_cycles=figure("plain_issue_cycles"), outstanding=1)


def port(platform: Platform, kind: str, periods: Mapping[str, int]) -> tables.SlavePort:
    """The port of a master in the fabric; `periods` of clocks, in units of time."""
    path = f"processor.port.{kind}"
    period = periods[platform.word(f"{path}.clock")]
    serial = platform.whole(f"{path}.serial_clocks") * period
    found = _without(platform.figures_of(path), "clock", "serial_clocks")
    return tables.SlavePort.of(found | {"beat_period": period, "serial_time": serial})


def ring(platform: Platform, values: Values) -> tables.Ring:
    """A ring of packets. A beat takes as many cycles as its path needs for whole bytes."""
    width = values["width_bits"] // 8
    carried = chip.carried_bytes_s(platform, values["ports"][0]) / (meant(values["pl_mhz"]) * 10**6)
    cycles = max(1, ceil(width / carried))
    found: Document = {
        "buffer_bytes": values["transfer_bytes"],
        "depth": values["ring_depth"],
        "width_bytes": width if cycles == 1 else int(carried * cycles),
        "beat_cycles": cycles,
        "maintain": values["cache_control"] == "explicit",
        "copy": values["io"] == "copy",
    }
    return tables.Ring.of(platform.figures_of("processor.ring") | found)
