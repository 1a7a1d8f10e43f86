"""The simulated gain of each relaxation of a scenario. `race.py` names the best without running all
of them to the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from axiometer.answer.analysis.bottlenecks import NOTHING
from axiometer.answer.relax.table import RELAXATIONS, Relaxation
from axiometer.answer.trials.trial import Trial
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.experiment import listed
from axiometer.experiment.values import known
from axiometer.published.claims import WORTH
from axiometer.simulate import program, run
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream

TIE = WORTH
"""Gains (as a share of the point's rate) that differ by no more are equal: their causes are equally
right. A gain that is no larger counts as none."""
NAMED_WITHIN = 0.8 * TIE
"""A cause is named only if its gain is within this of the best, so that a longer simulation finds
it within `TIE`."""
SEED, REPEATS = 0, 2
SHORT_S = 200e-6
"""Simulated time of a repeat: short enough for an interactive command."""


@dataclass(frozen=True)
class Gain:
    """A relaxation and its gain: the share by which the total rate grows (0.38: +38 %)."""

    cause: str
    name: str
    gain: float


@dataclass(frozen=True)
class Found:
    """scenario: as simulated here; rate: its MB/s; gains: the best first; ruled_out: relaxations
    that were not simulated, each with its largest possible gain: wires carry no more, or the saved
    time is no longer. trials: changes of a user, the best first."""

    scenario: Scenario
    rate: float
    gains: tuple[Gain, ...]
    ruled_out: tuple[Gain, ...] = ()
    trials: tuple[Trial, ...] = ()

    @property
    def best(self) -> float:
        """The largest gain; 0 where nothing helps."""
        return max((g.gain for g in self.gains), default=0.0)

    def most(self) -> Gain | None:
        """The relaxation with the largest gain; None where no gain exceeds `TIE`."""
        return max((g for g in self.gains if g.gain > TIE), key=lambda g: g.gain, default=None)

    def of(self, cause: str) -> float:
        """The largest gain of relaxing `cause`; 0 where there is nothing to relax."""
        return max((g.gain for g in self.gains if g.cause == cause), default=0.0)

    def relaxation(self, cause: str) -> Gain:
        """The best relaxation of a cause that has one."""
        return next(g for g in self.gains if g.cause == cause)

    def beside(self, cause: str) -> tuple[Gain, bool] | None:
        """The best relaxation of another cause, and whether its gain is as large; None where none
        exceeds `TIE`."""
        other = next((g for g in self.gains if g.cause != cause and g.gain > TIE), None)
        as_much = other is not None and other.gain >= self.relaxation(cause).gain - NAMED_WITHIN
        return None if other is None else (other, as_much)

    def named(self, guess: str = NOTHING) -> str:
        """The cause to name: `guess` if it is as good as the best, or else the first such cause in
        the table, which has the user's causes before the chip's; `NOTHING` where no gain exceeds
        `TIE`."""
        if self.best <= TIE:
            return NOTHING
        good = {g.cause for g in self.gains if g.gain >= self.best - NAMED_WITHIN}
        return guess if guess in good else next(r.cause for r in RELAXATIONS if r.cause in good)

    def right(self) -> set[str]:
        """The causes that are as good as the best; none where no gain exceeds `TIE`."""
        if self.best <= TIE:
            return set()
        return {g.cause for g in self.gains if g.gain >= self.best - TIE}


def short(scenario: Scenario, most_s: float = SHORT_S) -> Scenario:
    """The scenario for about `most_s` seconds of simulated time. The processor's times to start
    transfers and to detect their end shrink in proportion, so that their share of the time stays. A
    scenario with start or stop times of masters stays whole."""
    values = scenario.values
    if any(m["start_us"] or m["stop_us"] is not None for m in listed.masters(values)):
        return scenario
    size = values["transfer_bytes"]
    if size is None:
        whole = known(values["duration_s"])
        # A free run begins with a start-up that is not counted.
        most_s += 0 if scenario.measure is None else scenario.measure.settle / _hz(scenario)
    else:
        whole = max(s.bytes / _carried(scenario, s) for s in scenario.streams)
    if whole <= most_s:
        return scenario
    part = most_s / whole
    platform = scenario.platform
    own = {path: us * part for path, us in program.times(platform, values).items()}
    values = {**values, "skew_us": values["skew_us"] and values["skew_us"] * part}
    cut = replace(scenario, platform=platform.with_overrides(own), values=values)
    if size is None:
        return replace(cut, values={**values, "duration_s": most_s})
    streams = (
        replace(s, bytes=max(1, round(s.bytes * part / s.burst_bytes)) * s.burst_bytes)
        for s in scenario.streams
    )
    return replace(cut, streams=tuple(streams))


def _hz(scenario: Scenario) -> float:
    return float(scenario.values["pl_mhz"]) * 1e6


def most(scenario: Scenario) -> float:
    """MB/s that no run of the scenario exceeds: a port carries one beat a clock in each
    direction."""
    wires = {
        (s.port, s.direction): _carried(scenario, s) for s in scenario.streams if not s.background
    }
    return sum(wires.values()) * 1e-6


def _carried(scenario: Scenario, stream: Stream) -> float:
    """Bytes a second that its port carries for a stream at most."""
    hz = _hz(scenario) if stream.pl_mhz is None else stream.pl_mhz * 1e6
    return float(scenario.ports[stream.port].width_bytes * hz)


def simulated(scenario: Scenario, seed: int = SEED, repeats: int = REPEATS) -> list[Record]:
    """The records of `repeats` repeats."""
    return [run.repeat(scenario, seed, number) for number in range(repeats)]


def mean(records: Sequence[Record]) -> float:
    return sum(record["total_MBps"] for record in records) / len(records)


def gains(
    scenario: Scenario,
    seed: int = SEED,
    repeats: int | None = None,
    among: Iterable[Relaxation] = RELAXATIONS,
) -> Found:
    """The gain of each of `among`, over `repeats` starts (None: `repeats_of`). AxiometerError if
    the scenario itself cannot be simulated."""
    repeats = repeats or repeats_of(scenario)
    records = simulated(scenario, seed, repeats)
    rate = mean(records)
    found = []
    for relaxation in among:
        relaxed = relaxation.act(scenario, records)
        if relaxed is None:
            continue
        try:
            gain = mean(simulated(relaxed, seed, repeats)) / rate - 1 if rate else 0.0
        except AxiometerError:  # the relaxed chip is impossible
            continue
        found.append(Gain(relaxation.cause, relaxation.name, gain))
    return Found(scenario, rate, tuple(sorted(found, key=lambda g: -g.gain)))


def repeats_of(scenario: Scenario) -> int:
    """Sufficient repeats: one for a free run, which is measured until its rate is sure."""
    return REPEATS if scenario.measure is None else 1
