"""States a point and a measured row in the same columns, and lists their differences.

A row is a point of its board: a column that it lacks has the board's default, so each key that the
simulation depends on is compared. Identical masters of a point become keys of an experiment, a
single copy or fill by a processor becomes a row of `master = processor`. Other masters were never
measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from axiometer.base.errors import AxiometerError
from axiometer.experiment import between, listed, run_length
from axiometer.experiment.points import of_row
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published.reference.table import ANY, MASTER_KEYS, as_keys, same

Asked = Mapping[str, object]
"""Keys of an experiment with their normalised values; for a processor also its `operation`."""
Difference = tuple[str, object, object]
"""A key, the row's value, and the point's value."""

PROCESSOR = "processor"
_LIMITS = ("outstanding_read", "outstanding_write")
_NO_CONDITIONS = ("repeats", "seed", "masters", run_length.NAMES[1])
"""Values that choose no other question: samples, masters (stated by other keys), and the length of
a run without an end, which `duration_s` has."""
_BY_BOARD = (*_LIMITS, "through")
"""Columns whose values the board's may equal."""


def of(values: Values, platform: Platform | None = None) -> Asked | None:
    """The point in columns of a table; None where its masters cannot be stated so. Left out are a
    limit of outstanding bursts that is the default on `platform`, and blocks before the ports that
    the ports' figures include."""
    found = _of(values)
    if found is None or platform is None:
        return found
    usual = {way: platform.whole(f"master.{way}", None) for way in _LIMITS}
    through = between.beyond(_text(found.get("through")), platform.word("master.through", None))
    own = {way: None for way in _LIMITS if found[way] == usual[way]}
    return {**found, **own, "through": through}


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def differences(
    row: Mapping[str, object], point: Asked, platform: Platform, free: Sequence[str] = ()
) -> tuple[Difference, ...] | None:
    """The differences between the row with the conditions `row`, as a point of `platform`, and a
    point, except of keys in `free`; None if the platform has no such row."""
    own = _of_row(row, platform)
    if own is None:
        return None
    # The size of a burst is compared as the row states it.
    out = {*_NO_CONDITIONS, *free, "burst_beats" if "burst_bytes" in row else "burst_bytes"}
    ends = [of.get("duration_s") is None for of in (own, point)]
    if ends[0] != ends[1]:  # one difference: only one of them has an end
        out.add("transfer_bytes" if ends[1] else "duration_s")
    unprinted = (name for name in dict.fromkeys((*own, *point)) if name not in row)
    keys = [name for name in (*unprinted, *row) if name not in out]
    every = ((name, row[name] if row.get(name) is ANY else own.get(name)) for name in keys)
    return _apart(every, point)


def printed(row: Mapping[str, object], point: Asked) -> tuple[Difference, ...]:
    """Those of the `differences` that the printed conditions alone show, found in less time."""
    return _apart(((name, its) for name, its in row.items() if name not in _BY_BOARD), point)


def _apart(row: Iterable[tuple[str, object]], point: Asked) -> tuple[Difference, ...]:
    """Each condition of a row that a point does not meet, with the point's value. A run without an
    end is written as an experiment writes it."""
    return tuple(
        (name, run_length.SETTLED if its is ANY else its, point.get(name))
        for name, its in row
        if not _same(name, its, point)
    )


def _same(name: str, its: object, point: Asked) -> bool:
    if name == "duration_s" and its is ANY:
        return is_endless(point)
    return same(point.get(name), its)


def is_endless(point: Asked) -> bool:
    """Whether the point is a run without an end: simulated until it has settled, or for as long as
    is usual."""
    seconds = point.get("duration_s")
    settled = point.get(run_length.NAMES[1], True)
    return isinstance(seconds, int | float) and (bool(settled) or seconds >= run_length.USUAL_S)


def _of_row(row: Mapping[str, object], platform: Platform) -> Asked | None:
    """A row as a point of a platform, whose defaults it has; None if there is no such point."""
    keys = as_keys(row)
    if row.get("duration_s") is ANY:
        keys["duration"] = run_length.at_most(platform, f"{run_length.USUAL_S}s")
    if keys.get("master") == PROCESSOR:
        own = {name: keys.pop(name) for name in MASTER_KEYS if name in keys}
        keys["masters"] = [{"kind": keys.pop("master"), **own}]
    try:
        return of(of_row(platform, keys).values, platform)
    except AxiometerError:
        return None


def _of(values: Values) -> Asked | None:
    masters = listed.masters(values)
    if not masters:
        return {**values}
    if len(masters) == 1 and masters[0]["kind"] == PROCESSOR:
        (own,) = masters
        return {**values, **own, "name": PROCESSOR, "master": PROCESSOR, "ports": []}
    keys = listed.as_keys(masters)
    return None if keys is None else {**values, **keys}
