"""The bottleneck of a point: each possible cause gets a score, and the highest one is named.

A score is the share of the streams' time (0 to 1) that the cause explains; `time_shares.py` says
how waiting is charged to causes. What is said of a cause is `present/bottleneck_text.py`.

Not for: proof. It is a ranking of where time went, not a what-if.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from axiometer.analysis.time_shares import Evidence

NOTHING = "nothing"
LIMITS = {
    "port_full": 0.98,  # a stream's data channel is busy this share of its own time
    "launched": 0.95,  # a full port is the cause only if launching leaves it this share
    "dram_full": 0.90,  # DRAM bus carries data for this share
    "has_what_it_asks": 0.97,  # of its rate: a gap of whole cycles is as near as it gets
    "least": 0.01,  # below this no cause is named
}


def _port(e: Evidence) -> float:
    started = 1 - e.launching >= LIMITS["launched"]
    return 2.0 if started and e.port_busy >= LIMITS["port_full"] else 0.0


def _path(e: Evidence) -> float:
    if not e.path_limits:
        return e.charged("idle_path")
    return e.charged("idle_path", "activate_precharge", "read_to_write", "write_to_read")


def _asked(e: Evidence) -> float:
    """Whether each stream has what it asks for, or a full port, and one asks for less."""
    has = all(share >= LIMITS["has_what_it_asks"] for share in e.asked.values())
    full = all(s.share("data") >= LIMITS["port_full"] for s in e.streams if s.title not in e.asked)
    return 1.5 if e.asked and has and full else 0.0


SCORES: Mapping[str, Callable[[Evidence], float]] = {
    # The first three explain everything where they hold, so they score above any share.
    "port": _port,
    "asked": _asked,
    "dram_saturated": lambda e: 1.0 if e.dram_data >= LIMITS["dram_full"] else 0.0,
    "in_turn": lambda e: e.waiting_in_turn(),
    "jobs": lambda e: e.in_jobs,
    "launch": lambda e: e.launching,
    "path": _path,
    "rows": lambda e: 0.0 if e.path_limits else e.charged("activate_precharge"),
    "turnaround": lambda e: 0.0 if e.path_limits else e.charged("read_to_write", "write_to_read"),
    "refresh": lambda e: e.charged("refresh"),
    "uneven": lambda e: e.uneven,
    "master": lambda e: e.charged("idle_port"),
    "partner": lambda e: e.uncoupled,
}
"""Causes by their keys, for streams of the fabric."""


def strongest(e: Evidence) -> tuple[str, float]:
    """The cause with the highest score, and its score, at most 1.

    Of a transfer of the processor's side the class with the largest share of its time; of streams
    `NOTHING` if no cause explains `LIMITS["least"]`.
    """
    if e.stacks.of_processor:
        key = max(e.dram.classes, key=e.dram.share)
        return key, e.dram.share(key)
    scores = {key: score(e) for key, score in SCORES.items()}
    key = max(scores, key=scores.__getitem__)
    if scores[key] < LIMITS["least"]:
        return NOTHING, scores[key]
    return key, min(scores[key], 1.0)
