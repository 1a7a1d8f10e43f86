"""The bottleneck of a point from its time classes alone: each cause gets the gain that its
relaxation would bring, and the highest is named.

A stream's own pace (`paces.py`) is exact: its gain without its gap follows from the figures. The
memory's part is an estimate: waiting with several causes is not their sum. `sure` returns whether
the name comes from exact figures; where it does not, `axiometer.answer.relax` simulates. The words
of a cause are in `present/bottleneck_text.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from axiometer.answer.analysis.paces import TIMES, gains, paces
from axiometer.answer.analysis.time_shares import Evidence

NOTHING = "nothing"
"""Named where no cause is worth naming."""
LIMITS = {
    "waits": 0.02,  # share of its time: a stream that waits no longer runs at its own pace
    "room": 0.6,  # share of time with data on the DRAM bus, up to which the DRAM has time to spare
    "clear": 0.05,  # gain above the effects of starts and rounding
    "apart": 0.15,  # margin of the best gain over the next, as a share of the best
    "least": 0.01,  # gain below which no cause is named
    "most": 0.95,  # share of the time that a relaxation can save at most
}
OWN = ("asked", "port", "launch")
"""A stream's own causes; the others are the memory's."""


def _gain(share: float) -> float:
    """The gain of saving a share of the time."""
    return 1 / (1 - min(max(share, 0.0), LIMITS["most"])) - 1


@dataclass(frozen=True)
class _Memory:
    """The memory's side: busy, the share of time in which the DRAM is not idle; waiting, the gain
    if no stream waited; rest, the streams' mean share of waiting."""

    busy: float
    waiting: float
    rest: float


def _own(memory: _Memory, own: Mapping[str, float]) -> dict[str, float]:
    """The gains of a stream's own causes, limited by the DRAM's spare time."""
    room = _gain(1 - memory.busy)
    return {key: own[key] if key == "launch" else min(own[key], room) for key in OWN}


def _of_memory(e: Evidence, memory: _Memory) -> dict[str, float]:
    """The gains of the memory's causes, limited by the gain without waiting and reduced where the
    DRAM is idle."""
    dram = e.dram

    def at_most(share: float) -> float:
        return min(_gain(share), memory.waiting) * memory.busy**2

    rows = dram.share("activate_precharge")
    data = e.dram_data * (1 - 1 / TIMES)
    return {
        "burst": _bursts(e, at_most(rows), at_most(rows * (1 - 1 / TIMES)), at_most(data)),
        "dram_saturated": at_most(data),
        "rows": at_most(rows),
        "turnaround": at_most(e.turnaround),
        "refresh": at_most(dram.share("refresh")),
        "master": min(
            _gain(min(memory.rest, 1 - 1 / TIMES)), _gain(1 - memory.busy), memory.waiting
        ),
        "path": min(_gain(dram.share("idle_path")), memory.waiting) if e.crowded else 0.0,
        "in_turn": min(_gain(e.waiting_in_turn()), memory.waiting),
        "jobs": _gain(e.in_jobs),
        "uneven": _gain(e.uneven),
        "partner": min(_gain(e.uncoupled), memory.waiting),
    }


def _bursts(e: Evidence, rows: float, half_the_rows: float, data: float) -> float:
    """A burst of twice the length opens rows half as often. A burst of at most one column command
    opens a row for itself; for a shorter one, part of the DRAM's data is wasted."""
    burst = min((master["burst_bytes"] for master in e.masters), default=0)
    column = e.facts.column_bytes
    if not column or burst > column:
        return half_the_rows
    return max(rows, data) if burst < column else rows


def estimates(e: Evidence) -> dict[str, float]:
    """The gain of relaxing each cause, as a share of the rate (0.38: +38 %)."""
    of = paces(e)
    own = gains(of)
    idle = e.dram.share("idle_path", "idle_port", "idle_no_request")
    rest = sum(p.rest for p in of) / len(of) if of else 0.0
    memory = _Memory(1 - idle, own["waiting"], rest)
    if own["waiting"] < LIMITS["least"]:
        return {key: own[key] for key in OWN}
    return {**_of_memory(e, memory), **_own(memory, own)}


def sure(e: Evidence) -> bool:
    """Whether the streams' own paces alone show the cause: none waits for the memory, the memory
    has time for the gain, and one cause stands out. Launches overlap, so their cost is never
    sure."""
    if e.stacks.of_processor:
        return True
    of = paces(e)
    own = gains(of)
    best, *others = sorted((own[key] for key in OWN), reverse=True)
    shared = any(p.others for p in of) and any(p.gap for p in of)
    covered = all(p.covered or not p.gap for p in of)
    return (
        not shared
        and covered
        and own["launch"] <= LIMITS["clear"]
        and max((p.rest for p in of), default=1.0) <= LIMITS["waits"]
        and e.dram_data * (1 + best) < LIMITS["room"]
        and best > LIMITS["clear"]
        and best * (1 - LIMITS["apart"]) > others[0] + LIMITS["waits"]
    )


def strongest(e: Evidence) -> tuple[str, float]:
    """The cause with the highest estimate, and the share of the time (0–1) that it explains.

    For a transfer of the processor's side: the class with the largest share of its time. For
    streams: `NOTHING` if no gain reaches `LIMITS["least"]`.
    """
    if e.stacks.of_processor:
        key = max(e.dram.classes, key=e.dram.share)
        return key, e.dram.share(key)
    found = estimates(e)
    key = max(found, key=found.__getitem__)
    share = found[key] / (1 + found[key])
    return (NOTHING if found[key] < LIMITS["least"] else key), share
