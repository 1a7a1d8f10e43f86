"""From a file or a command line to points: products of sweeps, normalised values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import cast

from axiometer.base.errors import BadValueError
from axiometer.base.harmless import quoted
from axiometer.experiment import (
    keys_processor,
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
    a point with `[[master]]` tables: see `master_points.py`.
    """

    index: int
    key: dict[str, object]
    values: Values


def normalise(given: Mapping[str, Given], platform: Platform) -> Values:
    """All values of a point on `platform` from `given`; see `Point.values`.

    AxiometerError points at the first bad value.
    """
    if master_tables.TABLES in given:
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
    varied = {*sweep, *(name for point in listed for name in point)}
    seen: dict[str, Point] = {}
    for chosen in _choices(sweep, listed):
        # A key of the point replaces the default that it excludes.
        rest = {k: v for k, v in defaults.items() if _excluded_by(k) not in chosen}
        values = normalise({**rest, **chosen}, platform)
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
    given = {
        name: master_tables.tables(value)
        if name == master_tables.TABLES
        else checked(name, Given(value))
        for name, value in settings.items()
    }
    key = {name: of.value for name, of in given.items() if name != master_tables.TABLES}
    return Point(0, key, normalise(given, platform))
