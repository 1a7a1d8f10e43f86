"""A point with a change of its keys."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.base.errors import AxiometerError
from axiometer.experiment import changes, master_tables
from axiometer.experiment.keys import Given
from axiometer.experiment.points import Point, normalise
from axiometer.experiment.values import having
from axiometer.platform import Platform

Change = Mapping[str, object]


def one_point(platform: Platform, given: Mapping[str, Given]) -> Point:
    """The point for `given`; AxiometerError at the first bad value."""
    key: dict[str, object] = {
        name: g.value for name, g in given.items() if name != master_tables.TABLES
    }
    return Point(0, key, normalise(given, platform))


def plain(value: object) -> object:
    """A value in the form of a key: a number of numpy as Python's own, a list of ports as text."""
    if isinstance(value, list | tuple) and value and all(isinstance(v, str) for v in value):
        return "+".join(value)
    return value.item() if hasattr(value, "item") else value


def changed(
    platform: Platform, point: Point, change: Change, repeats: int | None = None
) -> tuple[Platform, Point] | None:
    """The point with other keys and figures, sampled at most `repeats` times if it has a number of
    repeats; None if the change is not valid."""
    try:
        other, values = changes.made(platform, point.values, change)
    except AxiometerError:
        return None
    if repeats is not None and "repeats" in point.key:
        values = having(values, {"repeats": min(repeats, point.values["repeats"])})
    return other, Point(0, {**point.key, **change}, values)
