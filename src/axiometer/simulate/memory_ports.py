"""How masters of the processor's side meet the memory: as streams through their memory ports.

What a request takes on its way, how many are in flight, and how fast a master could go if the
memory were idle, follow from the figures of the processor's side and from its own model, which
knows no other master. What they cost each other at the controller is the memory model's affair.
Not for: what starts a transfer, which software does (`transfer.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from axiometer import _model
from axiometer.clocks import meant
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate import chip
from axiometer.simulate.transfer import Transfer

Master = Mapping[str, Any]
# Two transfers of one program each; their difference is without what starting them costs.
_SHORT, _LONG = 8192, 16384
_MODES = {"read": "ps_to_pl", "write": "pl_to_ps"}


@dataclass(frozen=True)
class Way:
    """A memory port as the model takes it. Cycles of the port's clock, DRAM clocks for
    response_clocks; bursts for outstanding; `period_us`: least time from burst to burst."""

    request_cycles_read: int
    request_cycles_write: int
    return_cycles: int
    response_clocks: int
    outstanding_read: int
    outstanding_write: int
    period_us: Fraction

    def gap_cycles(self, master: Master) -> int:
        """Idle cycles that the period leaves after a burst's beats."""
        return max(0, round(self.period_us * meant(master["link_mhz"])) - _beats(master))


def port(platform: Platform, master: Master, paths: list[str]) -> dict[str, Any]:
    """The model's port for `master`; `paths` are the names of the scenario's paths."""
    table = f"memory_port.{master['way']}"
    way = of(platform, master)
    cycles = ("request_cycles_read", "request_cycles_write", "return_cycles", "response_clocks")
    figures = ("part_bytes", "fifo_bytes", "early_response", "release_whole_burst")
    return {
        "name": master["way"],
        "path": paths.index(platform.value(f"{table}.path")),
        "width_bytes": master["width_bits"] // 8,
        **{key: platform.value(f"{table}.{key}") for key in figures},
        **{key: getattr(way, key) for key in cycles},
    }


def of(platform: Platform, master: Master) -> Way:
    """The way of a master that is at none of the fabric's own ports."""
    return _WAYS[master["kind"]](platform, master)


def _beats(master: Master) -> int:
    return -(-master["burst_bytes"] * 8 // master["width_bits"])


@dataclass(frozen=True)
class _Travel:
    """Times in us of an access of the processor's side, out and back, the DRAM's own left out.

    `processor.memory.dram_read_clocks` was fitted on accesses one after the other, whose rows are
    open, so a read's own time is that from a column command to its data behind the path. A write is
    answered when the controller has it (`model/src/processor/dram.cpp`)."""

    read: Fraction
    write: Fraction

    @classmethod
    def on(cls, platform: Platform, path: str) -> _Travel:
        value = platform.value
        ddr = meant(value("clocks.ddr_mhz"))
        column = value("dram.timing.CL") + chip.burst_clocks(platform)
        behind_path = max(column, value(f"path.{path}.release_clocks_read")) / ddr
        whole = value("processor.memory.dram_read_clocks") / _clock(platform, "cpu")
        opened = value("dram.timing.tRCD") / ddr
        return cls(
            max(Fraction(0), whole - behind_path) / 2,
            max(Fraction(0), whole - column / ddr - opened) / 2,
        )


def _clock(platform: Platform, name: str) -> Fraction:
    return meant(platform.value(f"processor.clocks.{name}"))


def _way(
    platform: Platform,
    master: Master,
    before: Fraction,
    after: Fraction,
    outstanding: tuple[int, int],
    period_us: Fraction,
) -> Way:
    """`before`, `after`: us from the master to where accesses of the processor's side begin, and
    back. A stream's own are its beats, and the cycle from a burst's end to the next one's begin: so
    these are taken from the way."""
    path = platform.value(f"memory_port.{master['way']}.path")
    travel, mhz = _Travel.on(platform, path), meant(master["link_mhz"])
    ddr, beats = meant(platform.value("clocks.ddr_mhz")), _beats(master)
    return Way(
        request_cycles_read=max(0, round((before + travel.read) * mhz) - 1),
        request_cycles_write=max(0, round((before + travel.write) * mhz) - beats - 1),
        return_cycles=max(0, round((travel.read + after) * mhz) - beats),
        response_clocks=round((travel.write + after) * ddr),
        outstanding_read=max(1, outstanding[0]),
        outstanding_write=max(1, outstanding[1]),
        period_us=period_us,
    )


def _processor(platform: Platform, master: Master) -> Way:
    """The line fill that is waited for and those that the copy routine preloads, after both levels
    were looked up; lines written through the second level's buffers."""
    value = platform.value
    in_flight = value("processor.cache.prefetch_lines") + 1, value("processor.cache.line_buffers")
    look_up = value("processor.cache.l2_clocks") / _clock(platform, "cpu")
    if master["direction"] == "write":
        look_up = Fraction(0)
    return _way(platform, master, look_up, Fraction(0), in_flight, Fraction(0))


def _ps_dma(platform: Platform, master: Master) -> Way:
    """The other side, a GP port, sets the pace; of the bursts that the thread has in flight one is
    there."""
    document, period = _pace(platform, master)
    ahead = document["dmac"]["bursts_in_flight"]
    return _way(platform, master, Fraction(0), Fraction(0), (ahead - 1, ahead), period)


def _axi_dma(platform: Platform, master: Master) -> Way:
    """Through the interconnect beside it, and a port that stores bursts whole behind a crossing of
    clocks (`model/src/processor/slave_port.cpp`)."""
    document, period = _pace(platform, master)
    behind, own = _clock(platform, document["port_clock"]), meant(master["link_mhz"])
    fabric, slave, sync = document["fabric"], document["port"], document["gp"]["sync_cycles"]
    stored = sync + -(-master["burst_bytes"] // slave["beat_bytes"]) - 1
    out = fabric["interconnect_cycles"] // 2
    before = Fraction(out) / own + stored / behind
    after = (sync + fabric["interconnect_cycles"] - out) / own
    limits = tuple(
        min(fabric["outstanding"], slave[f"acceptance_{way}"]) for way in ("read", "write")
    )
    return _way(platform, master, before, after, limits, period)


def _pace(platform: Platform, master: Master) -> tuple[dict[str, Any], Fraction]:
    """What the processor's side is told of the master, and its us from burst to burst."""
    found: list[int] = []
    for size in (_SHORT, _LONG):
        point = single(
            platform,
            {
                "ports": master["port"],
                "master": master["kind"],
                "mode": _MODES[master["direction"]],
                "transfer_bytes": size,
                "pl_mhz": master["pl_mhz"],
            },
        )
        transfer = Transfer.of(platform, point.values)
        document = transfer.document()
        found.append(_model.run_processor(document)["elapsed"])
    bursts = Fraction(_LONG - _SHORT, master["burst_bytes"])
    kind = platform.value(f"port.{master['port']}.kind", "hp")
    document["port_clock"] = platform.value(f"processor.port.{kind}.clock", "cpu")
    return document, (found[1] - found[0]) * transfer.unit * 10**6 / bursts


_WAYS = {"processor": _processor, "ps_dma": _ps_dma, "axi_dma": _axi_dma}
