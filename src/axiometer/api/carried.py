"""The carried rates of a point or a design by name, for needs (`answer/verdicts/needs.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from axiometer.answer.analysis.stats import RateStats, rate_of
from axiometer.answer.verdicts.designed import Answer as OfDesign
from axiometer.answer.verdicts.expected import Answer as OfPoint
from axiometer.answer.verdicts.needs import ALL, Carried, Rate
from axiometer.experiment.values import known
from axiometer.published import measured


def of_point(found: OfPoint) -> Carried:
    """The rates of a point: total, its ports and its masters."""
    stats = known(found.row.stats)
    bands = {(of.name, of.direction): of.band for of in found.row.each}

    def of(name: str, rates: RateStats) -> Callable[[str | None], Rate]:
        def rate(way: str | None) -> Rate:
            row = measured.chosen(found.measured, cast("measured.Way", way or "total"))
            if name == ALL and row is not None:
                apart = [other.rate for other in measured.others(found.measured, row)]
                return row.rate, min(row.rate, *apart) if apart else None, True
            mean = rate_of(rates, way or "total")["mean"]
            band = found.band if name == ALL and way is None else bands.get((name, way or ""))
            return mean, None if band is None else band.low * mean, False

        return rate

    named: dict[str, RateStats] = {ALL: stats, **stats["by_port"], **stats.get("by_master", {})}
    return {name: of(name, rates) for name, rates in named.items()}


def of_design(found: OfDesign) -> Carried:
    """The rates of a design with all masters together: those of its point, and of each master by
    its names in the design."""
    outcome = found.together.outcome

    def of_master(name: str) -> Callable[[str | None], Rate]:
        return lambda way: (outcome.rate(way, name), None, False)

    masters = {key: name for name, short in found.names.items() for key in (name, short)}
    return {**of_point(found.point), **{key: of_master(name) for key, name in masters.items()}}
