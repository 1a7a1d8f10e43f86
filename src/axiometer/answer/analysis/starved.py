"""The starved masters of a point: they request data and get almost nothing.

A stream is starved by its time classes and latencies: of the time that its own gaps, its launch and
its partner leave, its data take less than `SHARE`, and its bursts wait for long or never end. The
chip's own masters are judged by their rates."""

from __future__ import annotations

from dataclasses import dataclass

from axiometer.answer.analysis.paces import paces
from axiometer.answer.analysis.stats import Stats
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.experiment import keys_shared

SHARE = 0.01
"""A master that gets less than this share of its request is starved."""
LATE_US = 2.0
"""A burst that takes longer waits for others: ten times a lone access of any chip. A master that
computes, or has one short burst in flight, moves little too, but does not wait."""


@dataclass(frozen=True)
class Starved:
    """name: of the `[[master]]`, or the port, or the chip's own master; direction: "read" or
    "write", "" for the chip's own. MBps: its rate; asks_MBps: the rate that it requests and its
    port could carry."""

    name: str
    direction: str
    MBps: float
    asks_MBps: float  # noqa: N815 - MB/s, as in JSON


def of(e: Evidence, stats: Stats | None = None) -> tuple[Starved, ...]:
    """The starved masters of a point; `stats`: its statistics, for the chip's own masters."""
    if e.stacks.of_processor:
        return ()
    found = []
    each = paces(e)
    moves_any = any(pace.data for pace in each)
    for s, pace in zip(e.streams, each, strict=True):
        asks = 1 - pace.gap - pace.launch - s.share("partner")
        never = pace.latency_us is None and not pace.data and moves_any
        late = never or (pace.latency_us or 0.0) > LATE_US
        if asks > SHARE and pace.data < SHARE * asks and late:
            found.append(Starved(s.owner, s.direction, pace.rate, pace.link * asks))
    wanted = keys_shared.split_background(e.values.get("background"))
    for name, asked in wanted.items():
        if stats is None or name not in stats.get("background", {}):
            continue
        moves = stats["background"][name]["total_MBps"]["mean"]
        if moves < SHARE * asked:
            found.append(Starved(name, "", moves, asked))
    return tuple(dict.fromkeys(found))
