"""Simulates points with changes: one rule of effort, and each input of the model once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from axiometer.answer.relax.gains import short
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.experiment.points import Point
from axiometer.records import laws
from axiometer.simulate import early_stop, side_by_side
from axiometer.simulate.remembered import Outcomes, key_of, outcomes, remembering
from axiometer.simulate.scenario import Scenario

Found = tuple[Record, ...] | AxiometerError


class Effort(NamedTuple):
    """How long a point is simulated: cut: shortens its scenario; starts: random starts of a run
    with an end. One of a run without an end is enough, as it is measured until its rate is sure."""

    cut: Callable[[Scenario], Scenario]
    starts: int


SCREEN = Effort(short, 1)
SEARCH = Effort(partial(short, most_s=1e-3), 1)
FINAL = Effort(lambda scenario: early_stop.ending(short(scenario, 4e-3)), 5)
"""Of a point with many others beside it, with few, and of one that is shown."""


@dataclass
class Runner:
    """kept: outcomes of the model by its input, of all efforts; by default those of the question
    that is answered now."""

    kept: Outcomes = field(default_factory=lambda: {} if (now := outcomes()) is None else now)

    @property
    def ran(self) -> int:
        """The outcomes that are kept."""
        return len(self.kept)

    def records(self, scenarios: Sequence[Scenario], effort: Effort) -> list[Found]:
        """The records of each scenario, side by side; the error of one that cannot be simulated or
        breaks a law."""
        cut = [effort.cut(scenario) for scenario in scenarios]
        first: dict[bytes, Scenario] = {}
        for scenario in cut:
            first.setdefault(key_of(scenario, scenario.start(0, 0)), scenario)
        with remembering(self.kept):
            found = dict(zip(map(id, first.values()), _run([*first.values()], effort), strict=True))
            # Names are no input of the model: its outcome is shared, not the record.
            others = [scenario for scenario in cut if id(scenario) not in found]
            found |= zip(map(id, others), _run(others, effort), strict=True)
        return [found[id(scenario)] for scenario in cut]


def _run(scenarios: Sequence[Scenario], effort: Effort) -> list[Found]:
    work = [(s, number) for s in scenarios for number in range(_starts(s, effort))]
    done = iter(side_by_side.records(work))
    return [_judged(s, [next(done) for _ in range(_starts(s, effort))]) for s in scenarios]


def _starts(scenario: Scenario, effort: Effort) -> int:
    return effort.starts if scenario.measure is None else 1


def _judged(scenario: Scenario, records: Sequence[Record | AxiometerError]) -> Found:
    good: list[Record] = []
    for record in records:
        if isinstance(record, AxiometerError):
            return record
        good.append(record)
    if scenario.values["transfer_bytes"] is not None:
        return tuple(good)  # a shortened transfer is no point
    try:
        laws.check(scenario.platform, Point(0, {}, scenario.values), good, scenario.streams)
    except AxiometerError as error:
        return error
    return tuple(good)
