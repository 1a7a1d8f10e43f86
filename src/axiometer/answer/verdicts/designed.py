"""A design with all that is judged of it: its masters alone, by port, and all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from axiometer.answer.analysis import stats
from axiometer.answer.verdicts.before_port import BeforePort
from axiometer.answer.verdicts.verdict import Verdict
from axiometer.designs import Design
from axiometer.designs.platform import Placed
from axiometer.designs.simulation import Outcome
from axiometer.published import anchors, asked, bands, measured
from axiometer.published.anchors import Anchored
from axiometer.published.bands import Band
from axiometer.published.measured import Measurement

SPREAD = 1.02
"""Totals of starts of which the largest is more than so many times the least differ by start."""


@dataclass(frozen=True)
class Part:
    """A part of a design, simulated: a master alone, a port with its masters, or all at once."""

    kind: str
    name: str
    outcome: Outcome
    verdict: Verdict

    @property
    def by_start(self) -> tuple[float, float] | None:
        """The least and the largest total, MB/s; None where starts hardly differ."""
        low, high = min(self.outcome.totals), max(self.outcome.totals)
        return (low, high) if high > SPREAD * low else None

    @property
    def steady(self) -> stats.Steady | None:
        """How sure the rate of free runs is (`stats.steady`); None of runs with an end."""
        records = self.outcome.records
        return stats.steady(records) if "steady" in records[0] else None


@dataclass(frozen=True)
class Answer:
    """`names`: what masters are called here, by their names; `left_out`: sentences on masters
    that cannot be simulated; `before_port`: what stands before the ports, where that
    costs all at once something."""

    design: Design
    placed: Placed
    alone: Sequence[Part]
    by_port: Sequence[Part]
    together: Part
    names: Mapping[str, str]
    left_out: Sequence[str] = ()
    before_port: BeforePort | None = None

    @cached_property
    def busiest(self) -> Part:
        """All masters at once where they are a point of keys, else the port or master that moves
        most of those that are."""
        ranked = sorted(self.parts[:-1], key=lambda part: part.outcome.rate(), reverse=True)
        points = [p for p in (self.together, *ranked) if asked.of(p.outcome.values) is not None]
        return points[0] if points else self.together

    @cached_property
    def measured(self) -> list[Measurement]:
        """What was measured of its busiest point."""
        return measured.of_point(self.busiest.outcome.platform, self.busiest.outcome.values)

    @cached_property
    def nearest_measured(self) -> list[Measurement]:
        """The nearest measurements where that was not measured itself."""
        of = self.busiest.outcome
        return [] if self.measured else measured.nearest(of.platform, of.values)

    @cached_property
    def anchored(self) -> Anchored | None:
        """The rate of its busiest point, corrected by what was measured near it."""
        of = self.busiest.outcome
        return anchors.of(of.platform, of.values, of.rate())

    @property
    def parts(self) -> list[Part]:
        """All of them, all at once last."""
        return [*self.alone, *self.by_port, self.together]

    @property
    def band(self) -> Band | None:
        """Of all masters at once."""
        outcome = self.together.outcome
        return bands.of_total(outcome.platform, outcome.values, outcome.rate())
