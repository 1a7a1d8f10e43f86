"""Measurements of a candidate or near it, so that no search gives advice that rows contradict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axiometer.advice.candidates import Candidate, Outcome
from axiometer.advice.wanted_masters import Master
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published import anchors, claims, measured
from axiometer.published.anchors import Anchored
from axiometer.published.claims import Claim
from axiometer.published.measured import Measurement

JUDGED = ("total", "minimum")
"""Objectives that are rates, which rows have."""


@dataclass(frozen=True)
class Beside:
    """A candidate as a point of its masters: `values` on its `platform`; None where keys cannot
    express it, or where a master has a rate."""

    platform: Platform
    values: Values | None

    def rows(self) -> list[Measurement]:
        """Its measurements."""
        return [] if self.values is None else measured.of_point(self.platform, self.values)

    def anchored(self, total: float) -> Anchored | None:
        """Its simulated `total` (MB/s), corrected by measurements near it; None if there are
        none."""
        return None if self.values is None else anchors.of(self.platform, self.values, total)


def of(
    platform: Platform,
    masters: Sequence[Master],
    candidate: Candidate,
    fixed: Mapping[str, object],
) -> Beside:
    """`candidate` on `platform`, with the keys `fixed`."""
    chip, keys = candidate.on(platform)
    if any(m.rate is not None for m in masters):
        return Beside(platform, None)
    each = zip(masters, candidate.ports, candidate.bursts, strict=True)
    given = [
        {
            "kind": "engine",
            "port": port,
            "direction": m.direction,
            "burst_bytes": burst,
            "pattern": m.pattern,
            **({} if m.outstanding is None else {"outstanding": m.outstanding}),
        }
        for m, port, burst in each
    ]
    try:
        return Beside(chip, single(chip, {**fixed, **keys, "masters": given}).values)
    except AxiometerError:
        return Beside(chip, None)


def claim(
    objective: str,
    masters: Sequence[Master],
    before: tuple[Outcome, Sequence[Measurement]],
    after: tuple[Outcome, Sequence[Measurement]],
) -> Claim:
    """The claim that the outcome `after` is better by `objective`, each outcome with its rows."""
    (first, now), (second, then) = before, after
    if objective == "total":
        return claims.claim(first.total, second.total, now, then)
    places = {id(row): of for of, found in (before, after) for row in found}
    rates = min(first.rates), min(second.rates)
    return claims.claim(*rates, now, then, lambda row: _slowest(masters, places[id(row)], row))


def _slowest(masters: Sequence[Master], of: Outcome, row: Measurement) -> float | None:
    """The measured rate of the slowest master; masters at one end share its rate."""
    ends = [(port, m.direction) for m, port in zip(masters, of.candidate.ports, strict=True)]
    rates = []
    for port, way in ends:
        rate = row.by_port.get(port, {}).get(f"{way}_MBps")
        if rate is None:
            return None
        rates.append(rate / ends.count((port, way)))
    return min(rates)
