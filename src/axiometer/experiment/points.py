"""From a file or a command line to points: products of sweeps, normalised values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import cast

from axiometer.base.errors import AxiometerError, BadValueError
from axiometer.base.harmless import quoted
from axiometer.experiment import (
    keys_processor,
    kinds,
    lone_master,
    master_keys,
    master_points,
    master_tables,
    run_length,
    vendor_points,
)
from axiometer.experiment.keys import KEYS, Given, checked, excluded_by
from axiometer.experiment.values import Values
from axiometer.platform import Platform

MAX_POINTS = 100_000
EVERY = ("ports", "mode", "pl_mhz", "transfer_bytes", "duration", "repeats", "seed", "master")
"""Keys that have an effect whatever the master; `idle` compares the others with `Kind.acts`."""


@dataclass(frozen=True)
class Point:
    """One point of an experiment.

    `key` holds the swept keys, with values and order as in the file. `values` holds every key,
    normalised: `ports` a list of names in the platform's order, `mode` one of duplex, ps_to_pl,
    pl_to_ps, mixed, both `burst_beats` and `burst_bytes`, `transfer_bytes` an int or None,
    `duration_s` a float or None (exactly one of the two is set) with `until_settled`, whether the
    run may end earlier (`run_length.py`), `pattern` "sequential", "random" or "stride:BYTES",
    `mapping` a name, and the other keys of `keys.KEYS`. None for `outstanding_read`,
    `outstanding_write` and `skew_us` means the platform's value. `masters` holds the masters of
    a point with `[[master]]` tables: see `master_points.py`. `assumed`: see `assumed.py`; of a
    question only.
    """

    index: int
    key: dict[str, object]
    values: Values
    assumed: tuple[str, ...] = ()


def normalise(given: Mapping[str, Given], platform: Platform) -> Values:
    """All values of a point on `platform` from `given`; see `Point.values`.

    AxiometerError points at the first bad value.
    """
    if master_tables.TABLES in given:
        alone = lone_master.as_keys(given, platform)
        if alone is not None:
            return normalise(alone, platform)
        return master_points.normalise(given, platform)
    if vendor_points.is_one(given, platform):
        return master_points.normalise(vendor_points.as_tables(given, platform), platform)
    stray = next((name for name in given if master_keys.is_setting(name)), None)
    if stray is not None:
        raise given[stray].error(
            f"{stray}: the experiment has no masters",
            f"remove it, or try masters on the board itself: axiometer expect {platform.name} "
            f"--set {stray}={given[stray].value}",
        )
    if "ports" not in given:
        *_, last = [Given(None), *given.values()]
        first = platform.ports[0]
        how = f'add ports = "{first}"' if last.line else f"axiometer expect {platform.name} {first}"
        raise last.error("no ports are given", f"{how}; {platform.name} has {_names(platform)}")
    made: dict[str, object] = {}
    values = cast("Values", made)  # filled key by key: each needs only those before it
    for name, key in KEYS.items():
        if name in given:
            if key.excludes and key.excludes in given:
                later = max(given[name], given[key.excludes], key=lambda g: g.line or 0)
                raise later.error(
                    f"{name} and {key.excludes} exclude each other", "give only one of them"
                )
            try:
                made[name] = key.parse(given[name].value, platform, values)
            except BadValueError as bad:
                raise given[name].error(bad.message, bad.remedy) from None
        elif key.excludes in given:
            made[name] = None
        else:
            made[name] = _default(name, platform, values, given)
        if name == "ports":  # `master` decides the defaults of the keys between
            usual = keys_processor.usual_master(platform, values["ports"])
            made["master"] = given.get("master", Given(usual)).value
    if "width_bits" not in given:
        values["width_bits"] = keys_processor.width_bits(values)
    beat = values["width_bits"] // 8
    if values["burst_bytes"] is None:
        values["burst_bytes"] = values["burst_beats"] * beat
    else:
        values["burst_beats"] = values["burst_bytes"] // beat
    made |= cast("run_length.Length", made.pop("duration") or run_length.Length(None)).values()
    conflict = keys_processor.conflict(values, platform)
    if conflict is not None:
        name, message, remedy = conflict
        raise given.get(name, given["ports"]).error(message, remedy)
    return values


def effective(given: Mapping[str, Given], platform: Platform) -> Values:
    """As `normalise`, with an AxiometerError also at the first key without effect."""
    values = normalise(given, platform)
    for name in _idle(given, platform, values):
        raise _no_effect(name, given[name], platform, values)
    return values


def _idle(given: Mapping[str, Given], platform: Platform, values: Values) -> list[str]:
    """The unusual names of `given` that have no effect on the point with these `values`. Masters
    with tables take the keys of their kinds only."""
    if values.get("masters"):
        return []
    acts = kinds.OF_POINTS[values["master"]].acts(platform, values)
    return [name for name in _unusual(given, platform, values) if name not in acts]


def _unusual(given: Mapping[str, Given], platform: Platform, values: Values) -> list[str]:
    """The names of `given`, without those of `EVERY`, whose values differ from the defaults."""
    of_point: Mapping[str, object] = {**values}
    names = [name for name in given if name in KEYS and name not in EVERY]
    same = {name: KEYS[name].excludes if KEYS[name].default is None else None for name in names}
    keys = {name: same[name] or name for name in names}
    return [n for n, key in keys.items() if KEYS[key].usual(platform, values) != of_point[key]]


def _no_effect(name: str, given: Given, platform: Platform, values: Values) -> AxiometerError:
    """The error for a key without effect; its remedy names masters on which it has one."""
    linux = cast("Values", {**values, "os": "linux"})
    acts = [master for master, of in kinds.OF_POINTS.items() if name in of.acts(platform, linux)]
    if values["master"] in acts:
        return given.error(f"{name} has no effect without Linux", 'remove it, or give os = "linux"')
    has = f"; it has one on {', '.join(acts)}" if acts else ""
    return given.error(
        f"{name} has no effect on master {values['master']!r} of {platform.name}",
        f"remove {name}{has}",
    )


def _default(name: str, platform: Platform, values: Values, given: Mapping[str, Given]) -> object:
    if name == "master":
        return keys_processor.usual_master(platform, values["ports"])
    if name == "mode" and values["master"] in keys_processor.ONE_WAY:
        return keys_processor.USUAL_WAY
    default = KEYS[name].usual(platform, values)
    if name == "width_bits" and not default:
        raise given["ports"].error(
            "these ports have no common width", "choose ports with a common width"
        )
    return default


def _names(platform: Platform) -> str:
    return ", ".join(platform.ports)


def expand(
    defaults: Mapping[str, Given],
    sweep: Mapping[str, Sequence[Given]],
    listed: Sequence[Mapping[str, Given]],
    platform: Platform,
) -> list[Point]:
    """The product of `sweep` (its first key changes slowest), then the points `listed`.

    With neither, one point with the defaults alone.
    """
    count = how_many(sweep, listed)
    if count > MAX_POINTS:
        first = next(iter(sweep.values()), [Given(None)])[0]
        raise first.error(f"{count} points", f"sweep less: at most {MAX_POINTS} points can run")
    points: list[Point] = []
    without: dict[str, AxiometerError] = {}
    acting: set[str] = set()
    varied = {*sweep, *(name for point in listed for name in point)}
    seen: dict[str, Point] = {}
    for chosen in _choices(sweep, listed):
        # A key of the point replaces the default that it excludes.
        rest = {k: v for k, v in defaults.items() if _excluded_by(k) not in chosen}
        every = {**rest, **chosen}
        values = normalise(every, platform)
        idle = _idle(every, platform, values)
        for name in idle:
            without.setdefault(name, _no_effect(name, every[name], platform, values))
        acting |= {*_unusual(every, platform, values)} - {*idle}
        key = {name: given.value for name, given in chosen.items()}
        point = Point(len(points), key, values)
        # Written in two forms (HP0+HP1 and HP1+HP0, read and ps_to_pl), a point would run twice.
        same = seen.setdefault(_identity(values, varied), point)
        if same is not point:
            *_, last = [Given(None), *chosen.values()]
            raise last.error(
                f"{_words(key)} is the same point as {_words(same.key)}", "remove one of them"
            )
        points.append(point)
    for name, error in without.items():
        if name not in acting:  # a default of all points has an effect on some of them
            raise error
    return points


def how_many(sweep: Mapping[str, Sequence[Given]], listed: Sequence[Mapping[str, Given]]) -> int:
    """The number of points that `expand` makes if all are valid. Checks nothing."""
    return (math.prod(map(len, sweep.values())) if sweep or not listed else 0) + len(listed)


def _excluded_by(name: str) -> str | None:
    return None if name == master_tables.TABLES else excluded_by(name)


def _identity(values: Values, varied: Iterable[str]) -> str:
    kept = (kept for key in varied for kept in (run_length.NAMES if key == "duration" else (key,)))
    return repr([*map(values.get, kept), values.get("masters")])


def _words(key: Mapping[str, object]) -> str:
    return quoted(", ".join(f"{name}={value}" for name, value in key.items()) or "no setting")


def _choices(
    sweep: Mapping[str, Sequence[Given]], listed: Sequence[Mapping[str, Given]]
) -> Iterator[dict[str, Given]]:
    if sweep or not listed:
        for combination in product(*sweep.values()):
            yield dict(zip(sweep, combination, strict=True))
    yield from (dict(point) for point in listed)


def single(platform: Platform, settings: Mapping[str, object]) -> Point:
    """One point with `settings`: keys of an experiment, values as in a file. `masters` in it is a
    list of mappings like the file's `[[master]]` tables."""
    given = _given(settings)
    key = {name: of.value for name, of in given.items() if name != master_tables.TABLES}
    return Point(0, key, effective(given, platform))


def of_row(platform: Platform, settings: Mapping[str, object]) -> Point:
    """As `single`, for the row of a table: it states its bench, also in keys without effect."""
    given = _given(settings)
    return Point(0, dict(settings), normalise(given, platform))


def with_effect(platform: Platform, settings: Mapping[str, object]) -> dict[str, object]:
    """`settings` of one point, as of `single`, without those that have no effect on it."""
    given = _given(settings)
    without = _idle(given, platform, normalise(given, platform))
    return {name: value for name, value in settings.items() if name not in without}


def _given(settings: Mapping[str, object]) -> dict[str, Given]:
    return {
        name: master_tables.tables(value)
        if name == master_tables.TABLES
        else checked(name, Given(value))
        for name, value in settings.items()
    }
