"""What was measured of a candidate, so that no search advises what measured rows contradict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from axiometer.advise.candidates import Candidate, Outcome
from axiometer.advise.wanted_masters import Master
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.published import claims, measured
from axiometer.published.claims import Claim
from axiometer.published.measured import Measurement

JUDGED = ("total", "minimum")
"""Objectives that are rates, which rows have."""


def rows(
    platform: Platform,
    masters: Sequence[Master],
    candidate: Candidate,
    fixed: Mapping[str, object],
) -> list[Measurement]:
    """The rows of `candidate` as a point of its masters; none where one says how much it wants."""
    figures = {name: value for name, value in candidate.settings if "." in name}
    keys = {name: value for name, value in candidate.settings if "." not in name}
    if any(m.rate is not None for m in masters):
        return []
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
    chip = platform.with_overrides(figures) if figures else platform
    try:
        values = single(chip, {**fixed, **keys, "masters": given}).values
    except AxiometerError:
        return []
    return measured.of_point(chip, values)


def claim(
    objective: str,
    masters: Sequence[Master],
    before: tuple[Outcome, Sequence[Measurement]],
    after: tuple[Outcome, Sequence[Measurement]],
) -> Claim:
    """The claim that one outcome is better than the other by `objective`, each with its rows."""
    (first, now), (second, then) = before, after
    if objective == "total":
        return claims.claim(first.total, second.total, now, then)
    places = {id(row): of for of, found in (before, after) for row in found}
    rates = min(first.rates), min(second.rates)
    return claims.claim(*rates, now, then, lambda row: _slowest(masters, places[id(row)], row))


def _slowest(masters: Sequence[Master], of: Outcome, row: Measurement) -> float | None:
    """The measured rate of the master that gets least; masters at one end share its rate."""
    ends = [(port, m.direction) for m, port in zip(masters, of.candidate.ports, strict=True)]
    rates = []
    for port, way in ends:
        rate = row.by_port.get(port, {}).get(f"{way}_MBps")
        if rate is None:
            return None
        rates.append(rate / ends.count((port, way)))
    return min(rates)
