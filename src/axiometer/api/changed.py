"""A point with a change of its keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from axiometer.base.errors import AxiometerError
from axiometer.experiment import assumed, changes, master_keys, master_tables, settings
from axiometer.experiment.keys import Given, checked, in_unit
from axiometer.experiment.points import Point, effective
from axiometer.experiment.values import having
from axiometer.platform import Platform, limits

Change = Mapping[str, object]


def one_point(platform: Platform, given: Mapping[str, Given]) -> Point:
    """The point for `given`; AxiometerError at the first bad value."""
    key: dict[str, object] = {
        name: g.value for name, g in given.items() if name != master_tables.TABLES
    }
    return Point(0, key, effective(given, platform), assumed.of(given))


def keys_and_figures(
    asked: Iterable[tuple[str, object, str | None]],
) -> tuple[dict[str, Given], dict[str, object]]:
    """The keys, each in its unit, and the figures of the platform by path, of (name, value, place)
    items. AxiometerError at the first bad key."""
    keys: dict[str, Given] = {}
    figures: dict[str, object] = {}
    for name, written, where in asked:
        value = _number(name, written) if where is None else written
        if settings.is_platform_path(name):
            figures[settings.platform_path(name)] = value
        else:
            # A kind of a master, too, can be set where no table says it.
            read = in_unit if master_keys.is_setting(name) else checked
            keys[name] = read(name, Given(value, where))
    return keys, figures


def _number(name: str, value: object) -> object:
    """The number that a program gives as a text ("8"), for a key that has numbers."""
    if not isinstance(value, str) or not limits.has_numbers(name.rpartition(".")[2]):
        return value
    found = settings.literal(value)
    return found if limits.is_number(found) else value


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
