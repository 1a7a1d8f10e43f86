"""A design with all that is judged of it: its masters alone, by port, and all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axiometer.answer.analysis import stats
from axiometer.answer.verdicts.verdict import Verdict
from axiometer.designs import Design
from axiometer.designs.platform import Placed
from axiometer.designs.simulation import Outcome
from axiometer.published import bands
from axiometer.published.bands import Band

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
    that cannot be simulated."""

    design: Design
    placed: Placed
    alone: Sequence[Part]
    by_port: Sequence[Part]
    together: Part
    names: Mapping[str, str]
    left_out: Sequence[str] = ()

    @property
    def parts(self) -> list[Part]:
        """All of them, all at once last."""
        return [*self.alone, *self.by_port, self.together]

    @property
    def band(self) -> Band | None:
        """Of all masters at once."""
        outcome = self.together.outcome
        return bands.of_total(outcome.platform, outcome.values, outcome.rate())
