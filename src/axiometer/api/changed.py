"""A point with a change of its keys, and the advice that measured rows leave of a verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from axiometer.answer.verdicts.expected import Refuted
from axiometer.answer.verdicts.remedy import Kind, Remedy
from axiometer.answer.verdicts.verdict import Verdict
from axiometer.base.errors import AxiometerError
from axiometer.experiment import master_tables, settings
from axiometer.experiment.keys import Given
from axiometer.experiment.points import Point, normalise
from axiometer.platform import Platform
from axiometer.published import claims, measured
from axiometer.published.measured import Measurement

Change = Mapping[str, object]


def one_point(platform: Platform, given: Mapping[str, Given]) -> Point:
    """The point that `given` describes; AxiometerError at the first value that is not right."""
    key: dict[str, object] = {
        name: g.value for name, g in given.items() if name != master_tables.TABLES
    }
    return Point(0, key, normalise(given, platform))


def plain(value: object) -> object:
    """A value as a key takes it: a number of numpy as Python's own, a list of ports as text."""
    if isinstance(value, list | tuple) and value and all(isinstance(v, str) for v in value):
        return "+".join(value)
    return value.item() if hasattr(value, "item") else value


def changed(
    platform: Platform, point: Point, change: Change, repeats: int | None = None
) -> tuple[Platform, Point] | None:
    """The point with other keys and figures, sampled `repeats` times at most where it says how
    often; None where it cannot be so."""
    keys = {k: plain(v) for k, v in change.items()}
    figures = {k: keys.pop(k) for k in list(keys) if settings.is_platform_path(k)}
    if repeats is not None and "repeats" in point.key:
        keys["repeats"] = min(repeats, point.values["repeats"])
    given = {name: Given(value) for name, value in (point.key | keys).items()}
    try:
        other = platform.with_overrides(figures)
        return other, one_point(other, given)
    except AxiometerError:
        return None


def measured_with(platform: Platform, point: Point, change: Change) -> list[Measurement]:
    """What was measured of the point with a change."""
    other = changed(platform, point, change)
    return measured.of_point(other[0], other[1].values) if other else []


def not_refuted(
    found: Verdict,
    rate: float,
    now: Sequence[Measurement],
    then: Callable[[Change], Sequence[Measurement]] = lambda _: (),
) -> tuple[Verdict, list[Refuted]]:
    """The verdict on a point of `rate` MB/s without choices of its advice that measured rows refute
    (`now`: of the point; `then`: of what a change makes of it); and these choices."""
    if found.remedy.kind is not Kind.CHOICES:
        return found, []
    kept, out = [], []
    for gain, change in found.remedy.choices:
        rows = then(change) if change else ()
        claim = claims.claim(rate, rate * (1 + gain.gain), now, rows)
        if claim.is_refuted:
            out.append(Refuted(gain, change, claim))
        else:
            kept.append((gain, change))
    if not out:
        return found, []
    first = next((change for _, change in kept if change), None)
    left = replace(found.remedy, choices=tuple(kept), change=first)
    return replace(found, remedy=left if kept else Remedy(Kind.LITTLE_TO_GAIN)), out
