"""Simulates the masters of a design at the memory: rate and latency of each direction.

Loads that one set of keys can state run as exactly this point of an experiment. Other loads are
separate masters in one run (`as_masters`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from axiometer.base.record import Latency, Record
from axiometer.designs import as_masters, ps_facts
from axiometer.designs.as_masters import Asked
from axiometer.designs.plan import Load, Plan
from axiometer.designs.points import question
from axiometer.experiment.keys_shared import runs_freely
from axiometer.experiment.points import Point, single
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.records import laws
from axiometer.simulate import cost, side_by_side
from axiometer.simulate.jobs import bursts_ahead
from axiometer.simulate.scenario import Scenario

REPEATS = 5
FREE_RUN = "settled:2ms"  # duration where engines run freely
MIXED_RUN = "4ms"  # duration for other engines where loads are separate masters


@dataclass(frozen=True)
class Share:
    """The result of one load: MB/s, mean latency of its bursts and their 99th percentile in ns
    (None: no burst finished). request: the settings of its master (None: a point of keys ran)."""

    load: Load
    MBps: float
    latency_ns: float | None
    p99_ns: float | None
    request: Asked | None = None


@dataclass(frozen=True)
class Outcome:
    """The result of loads that run together. `totals`: MB/s of each repeat; `values`: of the point
    that ran; `exact`: whether one set of keys states all loads; `records`: of the repeats; `apart`:
    masters that a stream joins but that are simulated as independent; `scenario`: the simulated
    scenario."""

    platform: Platform
    shares: tuple[Share, ...]
    totals: tuple[float, ...]
    values: Values
    records: tuple[Record, ...]
    exact: bool
    apart: tuple[str, ...] = ()
    scenario: Scenario | None = None

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
        if master is None:
            cycles = _mean([record["latency_cycles"] for record in self.records], "p99")
            return None if cycles is None else cycles * 1e3 / self.values["pl_mhz"]
        own = [s.p99_ns for s in self.shares if s.load.master == master and s.p99_ns is not None]
        return max(own, default=None)


def simulate(
    platform: Platform,
    plan: Plan,
    repeats: int = REPEATS,
    as_point: bool = True,
    apart_rows: int = 0,
    duration: str | None = None,
) -> Outcome:
    """The result of all loads of a plan together. AxiometerError where they cannot be simulated.

    as_point: whether loads that keys can state run as a point (False: as separate masters, for a
    comparison with loads that must). apart_rows: DRAM rows between the buffers of successive loads,
    where they run as separate masters. duration: the longest simulated time of separate masters
    (None: the platform's default).
    """
    point = point_of(platform, plan) if as_point and not apart_rows else None
    requests: dict[Load, Asked] = {}
    if point is None:
        requests = as_masters.asked(platform, plan.asked.in_order(platform.ports))
        scenario = _moved(scenario_of(platform, plan, requests, duration), apart_rows)
    else:
        scenario = Scenario.of(platform, point.values)
    cost.check(scenario)
    records = side_by_side.repeats(scenario, range(repeats))
    laws.check(platform, Point(0, {}, scenario.values), records, scenario.streams)
    shares = _own(requests, records) if point is None else _shares(plan.loads, scenario, records)
    return Outcome(
        platform,
        tuple(shares[load] for load in plan.loads),
        tuple(record["total_MBps"] for record in records),
        scenario.values,
        tuple(records),
        point is not None,
        tuple(load.master for load, (_, pair) in _halves(platform, plan, requests) if not pair),
        scenario,
    )


def point_of(platform: Platform, plan: Plan) -> Point | None:
    """The point of an experiment that states the loads; None where no point does."""
    asked = question(plan.asked)
    if asked.reasons or asked.notes:
        return None
    keys: dict[str, object] = dict(asked.keys)
    said = keys["width_bits"], keys["pl_mhz"], keys["burst_bytes"]
    if any((o.port_bits, o.port_mhz, o.burst_bytes) != said for o in plan.loads):
        return None  # a narrower link before the port, or bursts that differ
    if runs_freely(platform):
        keys["duration"] = FREE_RUN
    elif "masters_per_port" in keys:
        return None
    return single(platform, keys)


def scenario_of(
    platform: Platform, plan: Plan, requests: Mapping[Load, Asked], duration: str | None = None
) -> Scenario:
    """A run with the loads as separate masters, in their order; `duration` as in `simulate`. Loads
    that a stream in the fabric joins are halves of pairs, where the model has pairs."""
    duration = duration or (FREE_RUN if runs_freely(platform) else MIXED_RUN)
    scenario = Scenario.of(platform, as_masters.values(platform, requests, duration))
    engines = list(dict.fromkeys(requests.values()))
    streams = list(scenario.streams)
    for load, (other, pair) in _halves(platform, plan, requests):
        if pair:
            stream, its = (engines.index(requests[of]) for of in (load, other))
            ahead = bursts_ahead(platform, streams[stream].burst_bytes)
            cycles = platform.whole("master.loopback_cycles")
            streams[stream] = streams[stream].paired(its, ahead, cycles)
    return replace(scenario, streams=tuple(streams))


def _halves(
    platform: Platform, plan: Plan, requests: Mapping[Load, Asked]
) -> Iterable[tuple[Load, tuple[Load, bool]]]:
    """`as_masters.halves`; empty where the chip's masters have no pairs."""
    both = ps_facts.system(plan.design.chip).reads_and_writes
    pairs = platform.has("master.loopback_bytes") and both == "duplex"
    return as_masters.halves(requests).items() if pairs else ()


def _moved(scenario: Scenario, rows: int) -> Scenario:
    """The scenario with buffer n moved by n times `rows` DRAM rows."""
    step = rows * scenario.platform.whole("dram.row_bytes")
    if not step:
        return scenario
    room = step * len(scenario.streams)
    return replace(
        scenario,
        streams=tuple(
            replace(
                stream,
                base=stream.base + number * step,
                region=(stream.region - room) // stream.burst_bytes * stream.burst_bytes,
            )
            for number, stream in enumerate(scenario.streams)
        ),
    )


def _shares(of: Sequence[Load], scenario: Scenario, records: Sequence[Record]) -> dict[Load, Share]:
    """The result of each load of a point: the streams of a port and direction are its loads, in
    their order."""
    waiting: dict[tuple[str, str], list[Load]] = {}
    for load in of:
        waiting.setdefault((load.port, load.direction), []).append(load)
    of_stream = [waiting[s.name, s.direction].pop(0) for s in scenario.streams]
    found = {}
    for number, load in enumerate(of_stream):
        rate = math.fsum(r["streams"][number]["bytes"] / r["elapsed_s"] for r in records)
        cycles = [r["streams"][number]["latency_cycles"] for r in records]
        times = (_mean(cycles, which) for which in ("mean", "p99"))
        mhz = scenario.values["pl_mhz"]
        mean, p99 = (None if t is None else t * 1e3 / mhz for t in times)
        found[load] = Share(load, rate / len(records) * 1e-6, mean, p99)
    return found


def _own(requests: Mapping[Load, Asked], records: Sequence[Record]) -> dict[Load, Share]:
    """The result of each load as a separate master, from its record."""
    found: dict[Load, Share] = {}
    for own in dict.fromkeys(requests.values()):
        of = [record["by_master"][own.name] for record in records]
        rate = math.fsum(each["total_MBps"] for each in of) / len(of)
        ns = [each["latency_ns"] for each in of]
        mean, p99 = _mean(ns, "mean"), _mean(ns, "p99")
        loads = [load for load, its in requests.items() if its == own]
        rates = as_masters.parts(loads, rate) if len(loads) > 1 else {loads[0]: rate}
        found |= {load: Share(load, rates[load], mean, p99, own) for load in loads}
    return found


def _mean(latencies: Sequence[Latency | None], which: str) -> float | None:
    """The mean of the latencies' `which` (mean, p99) over repeats in which bursts finished."""
    means = [each["mean"] if which == "mean" else each["p99"] for each in latencies if each]
    return math.fsum(means) / len(means) if means else None
