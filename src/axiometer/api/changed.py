"""A point with a change of its keys, and the advice that measured rows leave of a verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from axiometer.answer.verdicts.expected import Refuted
from axiometer.answer.verdicts.remedy import Kind, Remedy
from axiometer.answer.verdicts.verdict import Verdict
from axiometer.base.errors import AxiometerError
from axiometer.experiment import changes, master_tables
from axiometer.experiment.keys import Given
from axiometer.experiment.points import Point, normalise
from axiometer.experiment.values import having
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
    try:
        other, values = changes.made(platform, point.values, change)
    except AxiometerError:
        return None
    if repeats is not None and "repeats" in point.key:
        values = having(values, {"repeats": min(repeats, point.values["repeats"])})
    return other, Point(0, {**point.key, **change}, values)


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
    for gain in found.remedy.choices:
        rows = then(gain.change) if gain.change else ()
        claim = claims.claim(rate, rate * (1 + gain.gain), now, rows)
        if claim.is_refuted:
            out.append(Refuted(gain, claim))
        else:
            kept.append(gain)
    if not out:
        return found, []
    first = next((gain.change for gain in kept if gain.change), None)
    left = replace(found.remedy, choices=tuple(kept), change=first)
    return replace(found, remedy=left if kept else Remedy(Kind.LITTLE_TO_GAIN)), out
