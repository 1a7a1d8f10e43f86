"""Allowed values of figures of platforms and keys of experiments: the table `limits.toml`.

Figures that reach the model unchanged are not in the table: the model itself bounds them
(`model_limits.py`), and the table lists these figures. `of_figure` and `of_key` find an entry,
`Limit.check` applies it. Not for: limits that depend on other figures (a part that does not fit
into its FIFO), which the models check.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal, NotRequired, TypedDict, TypeGuard, cast

from axiometer.base import units
from axiometer.base.errors import BadValueError, did_you_mean
from axiometer.platform.model_limits import TABLES

MOST = 2**53
"""Bound of every number of a platform: up to here all are exact."""

Item = bool | float | str
Figure = Item | list[Item]
"""The value of a figure of a platform."""

_WANTED = {
    "whole": "a whole number",
    "number": "a number",
    "truth": "true or false",
    "word": "a word",
    "text": "text",
    "wholes": "a list of whole numbers",
    "texts": "a list of texts",
    "rate": 'a text such as "650" or "2000/3"',
    "size": "bytes, such as 4096 or '4K'",
    "time": "text with a unit, such as '5ms'",
}


@dataclass(frozen=True)
class Limit:
    """The allowed values of a figure or key.

    `kind`: whole, number, truth (true or false), word (one of `choices`), text, rate (a fraction
    in text), wholes and texts (lists), size and time (keys that keep the text with their unit).
    `least` and `most` bound numbers, in `unit`; in a list, each. `why`: the reason for the bounds.
    """

    keys: tuple[str, ...]
    kind: str
    why: str
    least: float | None = None
    most: float | None = None
    unit: str | None = None
    choices: tuple[str, ...] = ()

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most of a number."""
        assert self.least is not None and self.most is not None
        return self.least, self.most

    def without_unit(self, name: str, value: object) -> object:
        """A text such as "150MHz" as a number of `unit`; any other value as it is. BadValueError if
        its unit is of another kind."""
        if self.unit is None or not isinstance(value, str):
            return value
        if self.kind not in ("whole", "number", "rate") or _in_text(value) is not None:
            return value
        try:
            number = units.quantity(value, self.unit)
        except ValueError as error:
            raise BadValueError(f"{name} is {shown(value)}", str(error)) from None
        if number is None:
            return value
        return str(number) if self.kind == "rate" else units.plain(number)

    def check(self, name: str, value: object) -> Figure:
        """`value` with the type of its kind (32.0 becomes the whole number 32, "533MHz" becomes
        533); BadValueError with a remedy for a bad value."""
        value = self.without_unit(name, value)
        if self.kind not in ("wholes", "texts"):
            return self._item(name, value, value)
        if not isinstance(value, list):
            raise self._bad(name, value)
        return [self._item(name, item, value) for item in value]

    def _item(self, name: str, item: object, value: object) -> Item:
        kind = self.kind.removesuffix("s")
        if kind == "truth" and isinstance(item, bool):
            return item
        if kind in ("text", "word") and isinstance(item, str):
            if kind == "word" and item not in self.choices:
                raise BadValueError(
                    f"{name} is {shown(value)}", did_you_mean(item, self.choices, "allowed values")
                )
            return item
        if kind == "rate" and isinstance(item, str) and (rate := _in_text(item)) is not None:
            self._bounded(name, rate, value)
            return item
        if (
            kind in ("whole", "number")
            and isinstance(item, int | float)
            and not isinstance(item, bool)
            and (isinstance(item, int) or math.isfinite(item))
            and (kind == "number" or item == int(item))
        ):
            number = int(item) if kind == "whole" else item
            self._bounded(name, number, value)
            return number
        raise self._bad(name, value)

    def _bounded(self, name: str, number: float | Fraction, value: object) -> None:
        unit = f" {self.unit}" if self.unit else ""
        if self.least is not None and number < self.least:
            raise BadValueError(f"{name} is {shown(value)}", f"give at least {self.least}{unit}")
        if self.most is not None and number > self.most:
            raise BadValueError(f"{name} is {shown(value)}", f"give at most {self.most}{unit}")

    def _bad(self, name: str, value: object) -> BadValueError:
        words = f": {', '.join(self.choices)}" if self.choices else ""
        return BadValueError(f"{name} is {shown(value)}", f"give {_WANTED[self.kind]}{words}")


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether `value` is a number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def shown(value: object) -> str:
    """`value` for a message, at most 80 characters."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of thousands of digits
        return "a number of too many digits"
    return text if len(text) <= 80 else text[:77] + "..."


def _in_text(text: str) -> Fraction | None:
    try:
        return Fraction(text) if len(text) <= 40 else None
    except (ValueError, ZeroDivisionError):
        return None


class _OfModel(TypedDict):
    computed: list[str]
    memory: dict[str, list[str]]
    processor: dict[str, list[str]]


class _Entry(TypedDict):
    keys: list[str]
    model: NotRequired[str]
    kind: str
    why: str
    least: NotRequired[float]
    most: NotRequired[float]
    unit: NotRequired[str]
    choices: NotRequired[list[str]]


class _File(TypedDict):
    model: _OfModel
    figure: list[_Entry]
    key: list[_Entry]


@cache
def _file() -> _File:
    text = Path(__file__).with_name("limits.toml").read_text(encoding="utf-8")
    return cast("_File", tomllib.loads(text))  # the table's test checks all of it


@cache
def table(kind: Literal["figure", "key"]) -> tuple[Limit, ...]:
    """All entries for `kind`: "figure" (of a platform) or "key" (of an experiment)."""
    return tuple(map(_limit, _file()[kind]))


def _limit(entry: _Entry) -> Limit:
    keys = tuple(entry["keys"])
    if "model" in entry:
        return of_model(entry["model"], keys)
    return Limit(
        keys,
        entry["kind"],
        entry["why"],
        entry.get("least"),
        entry.get("most"),
        entry.get("unit"),
        tuple(entry.get("choices", ())),
    )


def of_model(name: str, keys: tuple[str, ...] = ()) -> Limit:
    """The limits of a key of the memory part of the model, such as "streams[].outstanding", for
    `keys`."""
    table, _, key = name.rpartition(".")
    return next(Limit(keys, *row[1:]) for row in TABLES["memory"][table] if row[0] == key)


@cache
def of_the_model() -> tuple[Limit, ...]:
    """The limits of figures that reach the model unchanged."""
    origins = _file()["model"]
    return tuple(
        Limit(tuple(f"{at}.{row[0]}" for at in figures), *row[1:])
        for tables, of in (
            (TABLES["memory"], origins["memory"]),
            (TABLES["processor"], origins["processor"]),
        )
        for table, figures in of.items()
        for row in tables[table]
        if f"{table}.{row[0]}" not in origins["computed"]
    )


@cache
def _patterns() -> Mapping[str, list[tuple[list[str], Limit]]]:
    """Patterns of figures, in parts, with their limits, by their last part ("" for a pattern); the
    first match applies."""
    found: dict[str, list[tuple[list[str], Limit]]] = {}
    for limit in (*of_the_model(), *table("figure")):
        for pattern in limit.keys:
            parts = pattern.split(".")
            found.setdefault("" if "*" in parts[-1] else parts[-1], []).append((parts, limit))
    return found


@cache
def of_figure(path: str) -> Limit | None:
    """The limits of the figure at `path`; None if no entry matches."""
    parts = path.split(".")
    if parts[0] == "memory" and len(parts) > 3:  # another memory's figures have the DRAM's limits
        parts = parts[2:]
    known = _patterns()
    for wanted, limit in [*known.get(parts[-1], []), *known[""]]:
        if len(wanted) == len(parts) and all(map(fnmatchcase, parts, wanted)):
            return limit
    return None


def most_of_key(name: str) -> int:
    """The greatest value of the experiment key `name`."""
    return int(of_key(name).bounds[1])


def in_unit_of_key(name: str, value: object) -> object:
    """`value` of the key `name` without a unit (`Limit.without_unit`); as it is where the table
    has no such key."""
    limit = next((limit for limit in table("key") if name in limit.keys), None)
    return value if limit is None else limit.without_unit(name, value)


def of_key(name: str) -> Limit:
    """The limits of `name`, a key of a point or a master; KeyError if the table has none."""
    for limit in table("key"):
        if name in limit.keys:
            return limit
    raise KeyError(name)


def has_numbers(name: str) -> bool:
    """Whether the values of a key of a point or a master are numbers without a text form."""
    return name == "width_bits" or any(
        name in limit.keys and limit.kind in ("number", "whole") for limit in table("key")
    )
