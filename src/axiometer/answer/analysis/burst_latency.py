"""Latency of a point's bursts in ns; its records count clocks of the fabric."""

from __future__ import annotations

import math
from collections.abc import Sequence

from axiometer.answer.analysis.results import Row
from axiometer.base.record import Record
from axiometer.experiment import listed

DIRECTIONS = ("read", "write")


def of_row(row: Row) -> dict[str, float] | None:
    """Over the bursts of all ports and both directions: `mean_ns`, `p99_ns` (99th percentile) and
    `max_ns`; where both directions have bursts and all masters one clock, also `read_mean_ns` and
    `write_mean_ns`. None where no burst ended, and for points without burst latencies (the
    processor's side)."""
    cycles = None if row.stats is None else row.stats["latency_cycles"]
    if not cycles:
        return None
    ns = 1e3 / row.values["pl_mhz"]
    three = {"mean": cycles["mean"], "p99": cycles["p99"], "max": cycles["max"]}
    found = {f"{name}_ns": of * ns for name, of in three.items()}
    means = {way: _mean(row.records, way) for way in DIRECTIONS}
    one_clock = len({m["link_mhz"] for m in listed.masters(row.values)}) == 1
    if one_clock and None not in means.values():
        found |= {f"{way}_mean_ns": mean * ns for way, mean in means.items() if mean is not None}
    return found


def _mean(records: Sequence[Record], direction: str) -> float | None:
    """Clocks of the fabric; None without a burst."""
    streams = [s for r in records for s in r.get("streams") or () if s["direction"] == direction]
    parts = [part for s in streams if (part := s.get("latency_cycles"))]
    bursts = sum(part["n"] for part in parts)
    return math.fsum(part["mean"] * part["n"] for part in parts) / bursts if bursts else None
