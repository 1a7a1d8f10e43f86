"""How masters of the processor's side meet the memory: as streams through their memory ports.

What a request takes on its way, how many are in flight, and how fast a master could go if the
memory were idle, follow from the figures of the processor's side; the pace of its DMA engine, which
the other side sets, from its own model, which knows no other master. What they cost each other at
the controller is the memory model's affair.
Not for: what starts a transfer, which software does (`transfer.py`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from axiometer.clocks import meant
from axiometer.experiment.master_keys import SIMPLE
from axiometer.platform import Platform
from axiometer.simulate import fabric_ways, memory_way
from axiometer.simulate.memory_way import Master, Travel, Way


def port(platform: Platform, master: Master, paths: list[str]) -> dict[str, Any]:
    """The model's port for `master`; `paths` are the names of the scenario's paths."""
    table = platform.way(master["way"])
    way = of(platform, master)
    cycles = ("request_cycles_read", "request_cycles_write", "return_cycles", "response_clocks")
    figures = ("part_bytes", "fifo_bytes", "early_response", "release_whole_burst")
    found = {
        "name": master["way"],
        "path": paths.index(platform.value(f"{table}.path")),
        "width_bytes": master["width_bits"] // 8,
        **{key: platform.value(f"{table}.{key}") for key in figures},
        **{key: getattr(way, key) for key in cycles},
    }
    if way.serial_clocks:  # the others' parts come as they may
        found["serial_clocks"] = way.serial_clocks
    return found


def of(platform: Platform, master: Master) -> Way:
    """The way of a master that is no engine."""
    return _WAYS[master["kind"]](platform, master)


def _way(
    platform: Platform,
    master: Master,
    before: Fraction,
    outstanding: tuple[int, int],
    period_us: Fraction,
) -> Way:
    """`before`: us from the master to where accesses of the processor's side begin. A stream's own
    are its beats, and the cycle from a burst's end to the next one's begin: so these are taken from
    the way."""
    travel = Travel.on(platform, memory_way.path(platform, master))
    mhz, beats = meant(master["link_mhz"]), memory_way.beats(master)
    return Way(
        request_cycles_read=max(0, round((before + travel.read) * mhz) - 1),
        request_cycles_write=max(0, round((before + travel.write) * mhz) - beats - 1),
        return_cycles=max(0, round(travel.read * mhz) - beats),
        response_clocks=round(travel.write * meant(platform.value("clocks.ddr_mhz"))),
        outstanding_read=max(1, outstanding[0]),
        outstanding_write=max(1, outstanding[1]),
        period_us=period_us,
    )


def _processor(platform: Platform, master: Master) -> Way:
    """The line fill that is waited for and those that the copy routine preloads, after both levels
    were looked up; lines written through the second level's buffers."""
    value = platform.value
    in_flight = value("processor.cache.prefetch_lines") + 1, value("processor.cache.line_buffers")
    look_up = value("processor.cache.l2_clocks") / memory_way.clock(platform, "cpu")
    if master["direction"] == "write":
        look_up = Fraction(0)
    return _way(platform, master, look_up, in_flight, Fraction(0))


def _ps_dma(platform: Platform, master: Master) -> Way:
    """The other side, a GP port, sets the pace; of the bursts that the thread has in flight one is
    there."""
    document, period = memory_way.pace(platform, master)
    ahead = document["dmac"]["bursts_in_flight"]
    return _way(platform, master, Fraction(0), (ahead - 1, ahead), period)


_WAYS = {
    "processor": _processor,
    "ps_dma": _ps_dma,
    "axi_dma": fabric_ways.dma,
    "ring": fabric_ways.ring,
    **dict.fromkeys(SIMPLE, fabric_ways.simple),
}
