"""Masters of a design at the memory, simulated: each direction's rate and latency.

Loads that one set of keys can say are a point of an experiment, to the bit. Others are streams of
their own in one run, with one clock and one width for all: a slower or narrower link keeps its
rate by a gap between its bursts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from axiometer import laws
from axiometer.designs import ps_facts
from axiometer.designs.loads import Load
from axiometer.designs.model import Design
from axiometer.designs.points import together
from axiometer.experiment.keys_usp import MAX_MASTERS, runs_freely
from axiometer.experiment.points import Point, single
from axiometer.platform import Platform
from axiometer.simulate import cost, run
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream

REPEATS = 5
FREE_RUN = "2ms"  # simulated at most, where engines run freely
MIXED_RUN = "4ms"  # simulated of other engines, where loads are streams of their own
_MODES = {"read": "ps_to_pl", "write": "pl_to_ps"}


@dataclass(frozen=True)
class Share:
    """What one load gets: MB/s, and the mean latency of its bursts in ns (None: none finished)."""

    load: Load
    MBps: float
    latency_ns: float | None


@dataclass(frozen=True)
class Outcome:
    """Loads at once. `totals`: MB/s of each repeat; `values`: of the point that was run, None for
    keys in which the loads differ; `exact`: whether keys say all of it; `records`: of repeats."""

    platform: Platform
    shares: tuple[Share, ...]
    totals: tuple[float, ...]
    values: Mapping[str, Any]
    records: tuple[Mapping[str, Any], ...]
    exact: bool

    def rate(self, direction: str | None = None, master: str | None = None) -> float:
        """MB/s of the loads in `direction`, and of `master` (None: of all)."""
        return math.fsum(
            share.MBps
            for share in self.shares
            if direction in (None, share.load.direction) and master in (None, share.load.master)
        )

    def latency_ns(self, master: str | None = None) -> float | None:
        """Mean latency over the bursts of a master's loads (None: of all)."""
        found = [
            (s.latency_ns, s.MBps / s.load.burst_bytes)
            for s in self.shares
            if s.latency_ns is not None and master in (None, s.load.master)
        ]
        bursts = math.fsum(weight for _, weight in found)
        return math.fsum(ns * weight for ns, weight in found) / bursts if bursts else None


def simulate(
    platform: Platform,
    design: Design,
    of: Sequence[Load],
    repeats: int = REPEATS,
    as_point: bool = True,
    apart_rows: int = 0,
    duration: str | None = None,
) -> Outcome:
    """What the loads `of` a design get at once. AxiometerError where they cannot be simulated.

    as_point: whether loads that keys can say run as their point (False: as streams of their own,
    as what they are compared with may have to). apart_rows: of the DRAM, by which the buffer of
    each stream is moved against that of the stream before, where they run as streams of their own.
    duration: simulated of these at most (None: as is usual for the platform).
    """
    point = _point(platform, design, of) if as_point and not apart_rows else None
    if point is None:
        scenario = _moved(_scenario(platform, design, of, duration), apart_rows)
    else:
        scenario = Scenario.of(platform, point.values)
    cost.check(scenario)
    run.simulator(scenario)
    records = [run.repeat(scenario, 0, number) for number in range(repeats)]
    laws.check(platform, Point(0, {}, scenario.values), records, scenario.streams)
    return Outcome(
        platform,
        _shares(of, scenario, records),
        tuple(record["total_MBps"] for record in records),
        scenario.values if point is not None else _values(of, scenario),
        tuple(records),
        point is not None,
    )


def _point(platform: Platform, design: Design, of: Sequence[Load]) -> Point | None:
    """The point of an experiment that the loads are; None where they are none."""
    masters = [m for m in design.masters if m.name in {load.master for load in of}]
    question = together(replace(design, masters=tuple(masters)))
    complete = sum(len(m.directions) for m in masters) == len(of)
    if question.reasons or question.notes or not complete:
        return None
    keys = dict(question.keys)
    if runs_freely(platform):
        keys["duration"] = FREE_RUN
    elif keys.get("masters_per_port", 1) > 1:
        return None
    return single(platform, keys)


def _scenario(
    platform: Platform, design: Design, of: Sequence[Load], duration: str | None
) -> Scenario:
    """A run with the loads as streams, port by port."""
    duration = duration or (FREE_RUN if runs_freely(platform) else MIXED_RUN)
    names = [p for p in platform.ports if p in {load.port for load in of}]
    width, mhz = max(load.width_bits for load in of), max(load.pl_mhz for load in of)
    ends = Counter((load.port, load.direction) for load in of)
    ordered = sorted(of, key=lambda load: names.index(load.port))
    behind: Counter[tuple[str, str]] = Counter()
    streams: list[Stream] = []
    base = None
    for load in ordered:
        keys = {
            "ports": "+".join(names),
            "mode": _MODES[load.direction],
            "width_bits": width,
            "pl_mhz": mhz,
            "burst_bytes": load.burst_bytes,
            "duration": duration,
        }
        if load.outstanding is not None:
            keys[f"outstanding_{load.direction}"] = load.outstanding
        scenario = Scenario.of(platform, single(platform, keys).values)
        base = base or scenario
        stream = next(s for s in scenario.streams if s.name == load.port)
        gap = _gap(load, width, mhz)
        end = (load.port, load.direction)
        if ends[end] > 1 and (not runs_freely(platform) or ends[end] > MAX_MASTERS):
            # No multiplexer in the model: each has its turn, of as many beats as it has.
            others = [o for o in of if (o.port, o.direction) == end and o is not load]
            gap = max(gap, sum(math.ceil(o.burst_bytes * 8 / width) for o in others))
        if ends[end] > 1:
            stream = replace(stream, master=behind[end] or None)
            behind[end] += 1
        streams.append(replace(stream, gap_cycles=gap))
    assert base is not None
    return base.with_own_regions(_coupled(platform, design, ordered, streams))


def _moved(scenario: Scenario, rows: int) -> Scenario:
    """The same with each buffer by `rows` further from its place than the one before."""
    step = rows * scenario.platform.value("dram.row_bytes")
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


def _gap(load: Load, width: int, mhz: float) -> int:
    """PL cycles between bursts that leave a slower link the rate that it has."""
    beats = math.ceil(load.burst_bytes * 8 / width)
    return max(0, math.floor(load.burst_bytes / load.link_mbs * mhz + 1e-6) - beats)


def _coupled(
    platform: Platform, design: Design, of: Sequence[Load], streams: Sequence[Stream]
) -> list[Stream]:
    """The streams, those that a stream in the fabric joins as halves of a pair."""
    if not platform.has("master.loopback_bytes") or _both(design) != "duplex":
        return list(streams)
    place = {(load.master, load.direction): n for n, load in enumerate(of)}
    found = []
    for load, stream in zip(of, streams, strict=True):
        other = {"read": "write", "write": "read"}[load.direction]
        at = place.get((load.partner or "", other))
        if at is not None and _is_pair(load, of[at]):
            ahead = max(1, min(31, platform.value("master.loopback_bytes") // stream.burst_bytes))
            stream = replace(
                stream,
                partner=at,
                loopback_bursts=ahead,
                loopback_cycles=platform.value("master.loopback_cycles"),
            )
        found.append(stream)
    return found


def coupled(of: Sequence[Load]) -> int:
    """How many of the loads are halves of pairs, which move at one rate."""
    by_master = {load.master: load for load in of}
    partners = [(load, by_master.get(load.partner or "")) for load in of]
    return sum(other is not None and _is_pair(load, other) for load, other in partners)


def _is_pair(one: Load, other: Load) -> bool:
    return other.partner == one.master and other.burst_bytes == one.burst_bytes


def _both(design: Design) -> str:
    return ps_facts.system(design.chip).reads_and_writes


def _shares(
    of: Sequence[Load], scenario: Scenario, records: Sequence[Mapping[str, Any]]
) -> tuple[Share, ...]:
    """What each load got: streams of a port and direction are its loads, in their order."""
    waiting: dict[tuple[str, str], list[Load]] = {}
    for load in of:
        waiting.setdefault((load.port, load.direction), []).append(load)
    of_stream = [waiting[s.name, s.direction].pop(0) for s in scenario.streams]
    found = {}
    for number, load in enumerate(of_stream):
        rate = math.fsum(r["streams"][number]["bytes"] / r["elapsed_s"] for r in records)
        cycles = [r["streams"][number]["latency_cycles"] for r in records]
        means = [each["mean"] for each in cycles if each]
        latency = math.fsum(means) / len(means) * 1e3 / scenario.values["pl_mhz"] if means else None
        found[load] = Share(load, rate / len(records) * 1e-6, latency)
    return tuple(found[load] for load in of)


def _values(of: Sequence[Load], scenario: Scenario) -> dict[str, Any]:
    """The values of a run of streams of their own; None for those in which the loads differ."""
    values = dict(scenario.values)
    values["mode"] = None
    for key, kinds in (
        ("burst_bytes", {load.burst_bytes for load in of}),
        ("width_bits", {load.width_bits for load in of}),
        ("pl_mhz", {load.pl_mhz for load in of}),
    ):
        values[key] = kinds.pop() if len(kinds) == 1 else None
    return values
