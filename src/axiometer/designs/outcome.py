"""The records of a design's list of masters, by master: rate and latency of each direction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from axiometer.base.record import Latency, Record, rate_of
from axiometer.designs.masters import Masters
from axiometer.designs.plan import Load
from axiometer.experiment import turns
from axiometer.experiment.master_keys import of as masters_of
from axiometer.experiment.values import Master, Values
from axiometer.platform import Platform


@dataclass(frozen=True)
class Share:
    """The result of one load: MB/s, mean latency of its master's bursts and their 99th percentile
    in ns (None: no burst finished). master: as it was simulated."""

    load: Load
    MBps: float
    latency_ns: float | None
    p99_ns: float | None
    master: Master


@dataclass(frozen=True)
class Outcome:
    """The result of masters that run together. `totals`: MB/s of each repeat; `values`: of the
    point that ran; `records`: of the repeats."""

    masters: Masters
    shares: tuple[Share, ...]
    totals: tuple[float, ...]
    values: Values
    records: Sequence[Record]

    @property
    def platform(self) -> Platform:
        return self.masters.platform

    def rate(self, direction: str | None = None, master: str | None = None) -> float:
        """MB/s of the loads of `direction` and `master` (None: of all)."""
        return math.fsum(
            share.MBps
            for share in self.shares
            if direction in (None, share.load.direction) and master in (None, share.load.master)
        )

    def latency_ns(self, master: str | None = None) -> float | None:
        """Mean latency in ns over the bursts of a master's loads (None: of all loads)."""
        found = [
            (s.latency_ns, s.MBps / s.load.burst_bytes)
            for s in self.shares
            if s.latency_ns is not None and master in (None, s.load.master)
        ]
        bursts = math.fsum(weight for _, weight in found)
        return math.fsum(ns * weight for ns, weight in found) / bursts if bursts else None

    def p99_ns(self, master: str | None = None) -> float | None:
        """The 99th percentile of latency in ns of a master's loads (None: of all loads): the
        largest of the loads' percentiles."""
        own = [s.p99_ns for s in self.shares if master in (None, s.load.master) and s.p99_ns]
        return max(own, default=None)


def outcome(own: Masters, values: Values, records: Sequence[Record]) -> Outcome:
    """The records of the point with `values`, by load: those of one row have its latency, and loads
    of one direction in it share its rate in turns."""
    by_name = {master["name"]: master for master in masters_of(values)}
    found: dict[Load, Share] = {}
    for name, master in by_name.items():
        each = [record["by_master"][name] for record in records]
        ns = [of["latency_ns"] for of in each]
        mean, p99 = _mean(ns, "mean"), _mean(ns, "p99")
        loads = own.sharing(name)
        for direction in dict.fromkeys(load.direction for load in loads):
            rate = math.fsum(rate_of(of, direction) for of in each) / len(each)
            rates = _parts([load for load in loads if load.direction == direction], rate)
            found |= {load: Share(load, MBps, mean, p99, master) for load, MBps in rates.items()}
    totals = tuple(record["total_MBps"] for record in records)
    return Outcome(own, tuple(found[load] for load in own.of), totals, values, records)


def _parts(loads: Sequence[Load], rate: float) -> dict[Load, float]:
    """The MB/s that each load of one row and direction gets of `rate` MB/s: the loads take turns, a
    burst each, up to the peak of their links."""
    if len(loads) == 1:
        return {loads[0]: rate}
    each = turns.bursts_of_each([(o.burst_bytes, o.link_mbs) for o in loads], rate)
    return {load: min(load.link_mbs, each * load.burst_bytes) for load in loads}


def _mean(latencies: Sequence[Latency | None], which: str) -> float | None:
    """The mean of the latencies' `which` (mean, p99) over repeats in which bursts finished."""
    means = [each["mean"] if which == "mean" else each["p99"] for each in latencies if each]
    return math.fsum(means) / len(means) if means else None
