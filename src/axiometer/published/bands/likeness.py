"""The band of an answer: within which nine of ten validated rows like it would be.

Rows are like a point if they have its settings (chip, kind of master, direction, ...) and are of
such a memory. Of these, those about its clock, of as many ports and of such bursts are taken, one
after the other, while at least `LEAST` are left. The band is that of their errors: 5 % of them
beyond either end, with the correction for a finite number of rows that makes it hold for the next
row (conformal prediction: Vovk, Gammerman, Shafer, *Algorithmic Learning in a Random World*, 2005,
section 2.2).

Where fewer than `FEW` rows are like it, the answer is extrapolated: nobody has seen what the model
does there. Then the band is made from all sets of rows of the chip for that kind of master, of its
direction if there are `SETS` of these; each set counts as much as any other, however many rows it
has, since the point is one of a set that is not there (pooled distributions of groups: Dunn,
Wasserman, Ramdas, *Distribution-free prediction sets for two-layer hierarchical models*, 2022).
It is never narrower than what benches of others have shown (`others.csv`): they are few, but set
up as no table that is reproduced here, as whoever asks is, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published.bands import features
from axiometer.published.bands.features import CLASSES, PLACES, SETTINGS, Features
from axiometer.published.bands.validated import Class, others, shipped

SHARE = 0.9
LEAST = 39  # rows: with fewer, an end of the band is the outermost row
FEW = 10
SETS = 3
LEAST_SETS = 2  # one set says nothing of another
_NEAR_CLOCK = 0.1  # of a validated clock


@dataclass(frozen=True)
class Band:
    """`low` and `high` times the simulated rate; `rows` and `sets` that it is made from;
    `extrapolated` names what none of them has as the point (empty: rows like it exist)."""

    low: float
    high: float
    rows: int
    sets: tuple[str, ...]
    extrapolated: tuple[str, ...] = ()

    def below(self, rate: float, ceiling: float | None) -> Band:
        """Cut off at what can be at most (`ceiling`, MB/s), or at the simulated rate, which may be
        a burst or a rounding more than that."""
        if not ceiling or not rate:
            return self
        high = min(self.high, max(1.0, ceiling / rate))
        return replace(self, high=high, low=min(self.low, high))


def of_point(platform: Platform, values: Values, rate: str = features.TOTAL) -> Band | None:
    """The band of a point's rate (`features.TOTAL`, `EACH`), of the rows that come with Axiometer;
    None where no row of the chip is like it at all. Figures set by hand make it extrapolated."""
    found = _of_shipped(tuple(features.of(platform, values, rate).items()))
    if found is None or not platform.overrides:
        return found
    return replace(found, extrapolated=(*found.extrapolated, "figures set by hand"))


@cache
def _of_shipped(point: tuple[tuple[str, str | float], ...]) -> Band | None:
    """The band of a point's features; many points of a run have the same."""
    return band(dict(point), shipped(), others())


def band(point: Features, known: Sequence[Class], elsewhere: Sequence[Class] = ()) -> Band | None:
    """The band of a point with these features; None where nothing is known: no rows like it, and
    fewer than `LEAST_SETS` sets of its chip and kind. elsewhere: what benches of others showed."""
    known = [each for each in known if _same_kind(each, point)]
    if not known:
        return None
    alike = [each for each in known if not _differs(each, point)]
    here = [each for each in alike if each.features["memory"] == point["memory"]]
    if _rows(here) < FEW or not _between(here, features.clock(point)):
        if len(_sets(known)) < LEAST_SETS:
            return None
        found = _of_sets(_with_direction(known, point), _strange(known, alike, here, point))
        return _with_others(found, [each for each in elsewhere if _same_kind(each, point)], point)
    for keeps in (_is_near, *(_has(name) for name in CLASSES)):
        same = [each for each in here if keeps(each, point)]
        if _rows(same) >= LEAST:
            here = same
    low, high = _ends(
        [(error, each.rows / len(each.errors)) for each in here for error in each.errors]
    )
    return Band(low, high, _rows(here), _sets(here))


def _same_kind(each: Class, point: Features) -> bool:
    """Whether it is of the same chip and rate, and of the fabric's masters or the processor's as
    the point is (masters of both at once are like either)."""
    own = each.features
    same = all(own[name] == point[name] for name in ("chip", "rate"))
    return same and features.sides(own) <= features.sides(point)


def _rows(known: Iterable[Class]) -> int:
    return sum(each.rows for each in known)


def _differs(each: Class, point: Features) -> list[str]:
    """In which settings it differs from the point, in words."""
    return [words for name, words in SETTINGS.items() if each.features[name] != point[name]]


def _strange(
    known: Sequence[Class],
    alike: Sequence[Class],
    here: Sequence[Class],
    point: Features,
) -> tuple[str, ...]:
    """What no row, or too few rows, have as the point has it."""
    if not alike:
        least: list[str] = min((_differs(each, point) for each in known), key=len)
        return tuple(least)
    if not here:
        return (PLACES["memory"],)
    return ("too few rows",) if _rows(here) < FEW else (PLACES["pl_mhz"],)


def _with_direction(known: Sequence[Class], point: Features) -> Sequence[Class]:
    """Those of the point's direction, if they are of `SETS` sets; otherwise all."""
    same = [each for each in known if each.features["direction"] == point["direction"]]
    return same if len(_sets(same)) >= SETS else known


def _between(known: Sequence[Class], mhz: float) -> bool:
    """Whether some are about that clock, or some below and some above it."""
    clocks = [features.clock(each.features) for each in known]
    return min(clocks) * (1 - _NEAR_CLOCK) <= mhz <= max(clocks) * (1 + _NEAR_CLOCK)


def _is_near(each: Class, point: Features) -> bool:
    clock = features.clock(each.features)
    return abs(features.clock(point) - clock) <= _NEAR_CLOCK * clock


def _has(name: str) -> Callable[[Class, Features], bool]:
    return lambda each, point: each.features[name] == point[name]


def _sets(known: Iterable[Class]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.set for each in known))


def _of_sets(known: Sequence[Class], strange: tuple[str, ...]) -> Band:
    """The band of these, each set as much as any other; it holds the simulated rate."""
    in_set: dict[str, int] = {}
    for each in known:
        in_set[each.set] = in_set.get(each.set, 0) + each.rows
    share = _rows(known) / len(in_set)
    low, high = _ends(
        [
            (error, share / in_set[each.set] * each.rows / len(each.errors))
            for each in known
            for error in each.errors
        ]
    )
    return Band(min(low, 1.0), max(high, 1.0), _rows(known), _sets(known), strange)


def _with_others(found: Band, shown: Sequence[Class], point: Features) -> Band:
    """The band, as wide as what benches of others have shown; of the point's direction, if some
    are."""
    same = [each for each in shown if each.features["direction"] == point["direction"]]
    shown = same or shown
    ends = [math.exp(-error) for each in shown for error in each.errors]
    low, high = min(ends, default=1.0), max(ends, default=1.0)
    rows, sets = found.rows + _rows(shown), (*found.sets, *_sets(shown))
    return replace(found, low=min(found.low, low), high=max(found.high, high), rows=rows, sets=sets)


def _ends(weighted: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Published rates over simulated ones at either end of the band, of (error, rows that have
    it)."""
    count = sum(weight for _, weight in weighted)
    # Rows beyond either end, of these and the next one; an end is a row.
    beyond = max(1, math.floor((1 - SHARE) / 2 * (count + 1) + 1e-9))
    lowest = _at(sorted(weighted), beyond)
    highest = -_at(sorted((-error, weight) for error, weight in weighted), beyond)
    return math.exp(-highest), math.exp(-lowest)


def _at(weighted: Sequence[tuple[float, float]], rows: float) -> float:
    """The error of the row that is number `rows` from the start; the first one if it is before."""
    seen = 0.0
    for error, weight in weighted:
        seen += weight
        if seen >= rows - 1e-9:
            return error
    return weighted[-1][0]
