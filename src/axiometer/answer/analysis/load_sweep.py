"""Latency under load: the latency of bursts while the fabric requests more and more.

Masters begin a burst every so many PL clocks; the gap between bursts is swept, reads and writes in
a fixed ratio. The requested rates have this ratio at every gap; the served rates may differ from it
once the memory is at its limit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from axiometer.base import latency_bins, progress
from axiometer.base.errors import AxiometerError
from axiometer.base.harmless import quoted
from axiometer.base.record import rate_of
from axiometer.base.units import whole
from axiometer.experiment import listed, run_length
from axiometer.experiment.directions import MODE_OF, ONE_WAY
from axiometer.experiment.keys_shared import runs_freely
from axiometer.experiment.points import Point, single
from axiometer.experiment.values import Values, known
from axiometer.platform import Platform
from axiometer.records import laws
from axiometer.simulate import cost, records, run
from axiometer.simulate.outcome import StreamOutcome
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream

GAPS = (0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048)
_DURATION = "2ms"
MAX_GAP = 2**30
LESS = 0.99
"""A rate that is less than this part of another is clearly less."""
MOST_GAPS = 1000
DIRECTIONS = ONE_WAY


@dataclass(frozen=True)
class Load:
    """The load of the fabric: `ratio` is reads to writes, both at least 0; `given` are keys of an
    experiment (ports, burst_bytes, pl_mhz, pattern, ...) by name. scenario: masters that differ, in
    place of keys; the gap is added to their own gaps, in clocks of their ports, and `ratio` only
    selects the directions."""

    platform: Platform
    given: Mapping[str, object]
    ratio: tuple[int, int]
    scenario: Scenario | None = None

    @property
    def directions(self) -> tuple[str, ...]:
        return tuple(d for d, part in zip(DIRECTIONS, self.ratio, strict=True) if part)

    def asks(self, values: Values, gap_cycles: int, direction: str = "") -> float | None:
        """Requested MB/s at a gap, of both directions or of one; None for masters that differ.
        `values`: the common values of all points."""
        if self.scenario is not None:
            return None
        burst = values["burst_bytes"]
        cycles = -(-burst * 8 // values["width_bits"]) + gap_cycles
        streams = len(values["ports"]) * values["masters_per_port"]
        parts = dict(zip(DIRECTIONS, self.ratio, strict=True))
        share = parts.get(direction, sum(self.ratio)) / max(self.ratio)
        return float(streams * burst / cycles * values["pl_mhz"] * share)

    def point_like(self, values: Values, gap_cycles: int) -> Values:
        """The values of a point like this load at a gap, from the common values of all points: its
        directions, and part load if there is a gap."""
        if self.scenario is not None:
            return listed.having(values, lambda m: {"gap_cycles": gap_cycles or m["gap_cycles"]})
        mode = MODE_OF[self.directions[0]] if len(self.directions) == 1 else "mixed"
        return {**values, "mode": mode, "gap_cycles": gap_cycles}


@dataclass(frozen=True)
class Latency:
    """Latency of bursts in ns: from the request's first clock to the last beat or the response.
    Above 512 clocks p95 is the end of its bin (`latency_bins.py`), at most 1/64 high."""

    mean: float
    p95: float
    bursts: int


@dataclass(frozen=True)
class LoadPoint:
    """One gap. `gap_cycles`: PL clocks between the bursts of the direction with the higher rate;
    `rates`: MB/s by direction; `in_flight`: mean outstanding bursts, by Little's law;
    `by_port`: MB/s of each port."""

    gap_cycles: int
    rates: dict[str, float]
    latency: dict[str, Latency]
    in_flight: float
    by_port: dict[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """MB/s of both directions."""
        return sum(self.rates.values())


def ratio(text: str) -> tuple[int, int]:
    """Reads to writes in "2:1"; AxiometerError if `text` is no ratio."""
    parts = [part.strip() for part in str(text).split(":")]
    found = [whole(part) for part in parts]
    if len(parts) == 2 and all(n is not None and n < 1000 for n in found) and any(found):
        return found[0] or 0, found[1] or 0
    raise AxiometerError(
        f"the ratio is {text!r}", remedy="give reads to writes, such as 2:1, 1:0 or 0:1"
    )


def gaps(text: str) -> tuple[int, ...]:
    """Gaps in "0,8,64", in increasing order; AxiometerError if `text` is no list of gaps."""
    if text.count(",") >= MOST_GAPS:
        raise AxiometerError(
            f"{text.count(',') + 1} gaps are given",
            remedy=f"give at most {MOST_GAPS}; each is a simulation",
        )
    found = [whole(part.strip()) for part in text.split(",")]
    known = [gap for gap in found if gap is not None and gap <= MAX_GAP]
    if len(known) < len(found):
        raise AxiometerError(
            f"the gaps are {quoted(text)}",
            remedy="give PL clocks between bursts, such as 0,8,64,512",
        )
    return tuple(sorted(set(known)))


def usual_duration(platform: Platform) -> str:
    """The simulated time for each gap."""
    return run_length.at_most(platform, _DURATION)


def sweep(load: Load, at: Sequence[int] = GAPS) -> Iterator[LoadPoint]:
    """A point for each gap of `at`. AxiometerError where a key or a port cannot be simulated."""
    scenario = _scenario(load)
    cost.check(scenario)
    for gap in progress.each(at, "gaps"):
        yield _point(load, scenario, gap)


def unloaded(load: Load) -> LoadPoint:
    """One burst at a time, far apart: the latency of a burst that meets no other of its stream."""
    if load.scenario is not None:
        streams = tuple(replace(s, outstanding=1) for s in load.scenario.streams)
        load = replace(load, scenario=replace(load.scenario, streams=streams))
    else:
        alone = {f"outstanding_{direction}": 1 for direction in load.directions}
        load = replace(load, given={**load.given, **alone})
    return next(sweep(load, (GAPS[-1] * 2,)))


def _scenario(load: Load) -> Scenario:
    """A run with every stream of the load, gaps still to be set."""
    if load.scenario is not None:
        return load.scenario
    platform = load.platform
    for key, instead in (("mode", "the ratio"), ("gap_cycles", "the gaps")):
        if key in load.given:
            raise AxiometerError(f"{key} is swept by the curve", remedy=f"set {instead} instead")
    given = {"duration": usual_duration(platform), "master": "dma", **load.given}
    ways = load.directions
    if len(ways) == 2 and runs_freely(platform):
        return _checked(platform, single(platform, given | {"mode": "mixed"}).values)
    both = [
        _checked(platform, single(platform, given | {"mode": MODE_OF[direction]}).values)
        for direction in ways
    ]
    if len(both) == 1:
        return both[0]
    # The platform's own engines are pairs that copy; here each direction runs separately.
    pairs = zip(*(part.streams for part in both), strict=True)
    return both[0].with_own_regions([stream for pair in pairs for stream in pair])


def _checked(platform: Platform, values: Values) -> Scenario:
    if values["master"] != "dma":
        raise AxiometerError(
            f"master {values['master']!r} waits for its own bursts, so there is no gap to sweep",
            remedy="leave master out: the curve is of masters in the fabric",
        )
    return Scenario.of(platform, values)


def _with_gap(load: Load, scenario: Scenario, gap: int) -> Scenario:
    """The scenario at this gap of the direction with the higher rate."""
    values = scenario.values
    beats = -(-values["burst_bytes"] * 8 // values["width_bits"])
    most = max(load.ratio)

    def slower(stream: Stream) -> Stream:
        if stream.background:
            return stream
        if load.scenario is not None:
            pace = stream.pace and stream.pace + gap
            return replace(stream, gap_cycles=stream.gap_cycles + gap, pace=pace)
        part = load.ratio[DIRECTIONS.index(stream.direction)]
        # The direction with the lower rate begins its bursts less often, by the ratio.
        cycles = Fraction((beats + gap) * most, part)
        if cycles.denominator > 1:
            return replace(stream, pace=cycles)
        return replace(stream, gap_cycles=int(cycles) - beats)

    return replace(scenario, streams=tuple(map(slower, scenario.streams)))


def _point(load: Load, unset: Scenario, gap: int) -> LoadPoint:
    scenario = _with_gap(load, unset, gap)
    values = scenario.values
    result = run.result(scenario, scenario.start(values["seed"], 0))
    record = records.record(scenario, 0, result)
    laws.check(load.platform, Point(0, {}, values), [record], scenario.streams)
    found = {d: _latency(scenario, result["streams"], d) for d in load.directions}
    rates = {d: rate_of(record, d) for d in load.directions}
    in_flight = sum(
        outcome["latency_sum"] * _ns(scenario, stream) * 1e-9 / record["elapsed_s"]
        for stream, outcome in zip(scenario.streams, result["streams"], strict=True)
        if not stream.background
    )
    by_port = {port: rate["total_MBps"] for port, rate in record["by_port"].items()}
    return LoadPoint(gap, rates, found, in_flight, by_port)


def _latency(scenario: Scenario, streams: Sequence[StreamOutcome], direction: str) -> Latency:
    """Over all bursts of one direction; streams may have clocks of their own."""
    counts: Counter[float] = Counter()
    bursts, total = 0, 0.0
    for stream, outcome in zip(scenario.streams, streams, strict=True):
        if stream.direction == direction:
            ns = _ns(scenario, stream)
            for cycles, count in outcome["latency"]:
                counts[latency_bins.last(cycles) * ns] += count
            bursts += outcome["bursts"]
            total += outcome["latency_sum"] * ns
    if not bursts:
        raise AxiometerError(
            f"no {direction} has ended in {known(scenario.values['duration_s']) * 1e6:g} us",
            remedy="the other direction may keep it from the memory for good: give larger --gaps, "
            "another --ratio, or a longer --duration",
        )
    return Latency(total / bursts, latency_bins.percentile(counts, 0.95), bursts)


def _ns(scenario: Scenario, stream: Stream) -> float:
    """A cycle of a stream's times."""
    return 1e3 / (stream.pl_mhz or scenario.values["pl_mhz"])


def bends(points: Sequence[LoadPoint]) -> list[tuple[int, int]]:
    """Pairs of neighbouring gaps whose smaller gap has a clearly lower rate."""
    both = zip(points, points[1:], strict=False)
    return [(a.gap_cycles, b.gap_cycles) for a, b in both if a.total < b.total * LESS]


def mean_latency(point: LoadPoint) -> float:
    """Mean over all bursts of a point in ns."""
    bursts = sum(one.bursts for one in point.latency.values())
    return sum(one.mean * one.bursts for one in point.latency.values()) / bursts
