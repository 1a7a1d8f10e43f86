"""A design with its verdicts: its masters alone, by port, and all together."""

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
"""Ratio of the largest to the least total, above which the rate differs by start."""

LEAST_LOSS = 0.1
"""A master that loses a smaller share of its rate to the others is not named."""


@dataclass(frozen=True)
class Part:
    """A part of a design, simulated: a master alone, a port with its masters, or all together."""

    kind: str
    name: str
    outcome: Outcome
    verdict: Verdict

    @property
    def masters(self) -> list[str]:
        """The names of its masters."""
        return list(dict.fromkeys(share.load.master for share in self.outcome.shares))

    @property
    def by_start(self) -> tuple[float, float] | None:
        """The least and the largest total, MB/s; None where starts hardly differ."""
        low, high = min(self.outcome.totals), max(self.outcome.totals)
        return (low, high) if high > SPREAD * low else None

    @property
    def steady(self) -> stats.Steady | None:
        """How sure the rate of free runs is (`stats.steady`); None for runs with an end."""
        records = self.outcome.records
        return stats.steady(records) if "steady" in records[0] else None


@dataclass(frozen=True)
class Loss:
    """The rates of a master alone and with all others, MB/s; `name`: its short name."""

    name: str
    alone: float
    together: float

    @property
    def share(self) -> float:
        """The lost share of its rate alone."""
        return 1 - self.together / self.alone


@dataclass(frozen=True)
class Answer:
    """`names`: the masters' short names, by their names; `left_out`: sentences on masters that
    cannot be simulated; `before_port`: the blocks before the ports, where they cost rate with all
    masters together."""

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
        """All masters together if keys describe them as a point, else the port or master with the
        highest rate that keys describe."""
        ranked = sorted(self.parts[:-1], key=lambda part: part.outcome.rate(), reverse=True)
        points = [p for p in (self.together, *ranked) if asked.of(p.outcome.values) is not None]
        return points[0] if points else self.together

    @cached_property
    def measured(self) -> list[Measurement]:
        """The measurements of its busiest point."""
        return measured.of_point(self.busiest.outcome.platform, self.busiest.outcome.values)

    @cached_property
    def nearest_measured(self) -> list[Measurement]:
        """The nearest measurements; none if the busiest point itself was measured."""
        of = self.busiest.outcome
        return [] if self.measured else measured.nearest(of.platform, of.values)

    @cached_property
    def anchored(self) -> Anchored | None:
        """The rate of its busiest point, corrected by measurements near it."""
        of = self.busiest.outcome
        return anchors.of(of.platform, of.values, of.rate())

    @property
    def parts(self) -> list[Part]:
        """All parts; all masters together last."""
        return [*self.alone, *self.by_port, self.together]

    @property
    def largest_loss(self) -> Loss | None:
        """The master that loses most to the others; None where none loses `LEAST_LOSS`."""
        losses = []
        for part in self.alone:
            ways = {share.load.direction for share in part.outcome.shares}
            way = next(iter(ways)) if len(ways) == 1 else None
            alone = part.outcome.rate()
            if alone > 0:
                together = self.together.outcome.rate(way, part.masters[0])
                losses.append(Loss(part.name, alone, together))
        most = max(losses, key=lambda loss: (loss.share, loss.name), default=None)
        return most if most is not None and most.share >= LEAST_LOSS else None

    @property
    def band(self) -> Band | None:
        """The band of all masters together."""
        outcome = self.together.outcome
        return bands.of_total(outcome.platform, outcome.values, outcome.rate())
