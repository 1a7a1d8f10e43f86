"""What figures of platforms and keys of experiments may be: the one table, `limits.toml`.

`of_figure` and `of_key` find an entry, `Limit.check` applies it. Not for: what depends on other
figures (a part that does not fit into its FIFO), which the models check.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.base.errors import BadValueError, did_you_mean

MOST = 2**53
"""No number of a platform is beyond this, whatever its key: up to here all are exact."""

_WANTED = {
    "whole": "a whole number",
    "number": "a number",
    "truth": "true or false",
    "word": "a word",
    "text": "text",
    "wholes": "a list of whole numbers",
    "texts": "a list of texts",
    "rate": 'a text such as "650" or "2000/3"',
}


@dataclass(frozen=True)
class Limit:
    """What a value may be.

    `kind`: whole, number, truth (true or false), word (one of `choices`), text, rate (a fraction
    in text), wholes and texts (lists). `least` and `most` bound numbers, in `unit`; of a list,
    each. `why`: where the bounds come from.
    """

    keys: tuple[str, ...]
    kind: str
    why: str
    least: float | None = None
    most: float | None = None
    unit: str | None = None
    choices: tuple[str, ...] = ()

    def check(self, name: str, value: Any) -> Any:
        """`value` as its kind has it (32.0 is the whole number 32); BadValueError says what is
        wrong with it and what would be right."""
        if self.kind in ("wholes", "texts"):
            if not isinstance(value, list):
                raise self._bad(name, value)
            return [self._item(name, item, value) for item in value]
        return self._item(name, value, value)

    def _item(self, name: str, item: Any, value: Any) -> Any:
        kind = self.kind.removesuffix("s")
        if kind == "truth":
            good = isinstance(item, bool)
        elif kind in ("text", "word"):
            good = isinstance(item, str)
            if good and kind == "word" and item not in self.choices:
                raise BadValueError(
                    f"{name} is {shown(value)}", did_you_mean(item, self.choices, "it may be")
                )
        elif kind == "rate":
            good = _in_text(item) is not None
            self._bounded(name, _in_text(item) if good else self.least, value)
        else:
            good = is_number(item) and (isinstance(item, int) or math.isfinite(item))
            if good and kind == "whole":
                good = item == int(item)
                item = int(item)
            if good:
                self._bounded(name, item, value)
        if not good:
            raise self._bad(name, value)
        return item

    def _bounded(self, name: str, number: Any, value: Any) -> None:
        unit = f" {self.unit}" if self.unit else ""
        if self.least is not None and number < self.least:
            raise BadValueError(
                f"{name} is {shown(value)}", f"the least it may be is {self.least}{unit}"
            )
        if self.most is not None and number > self.most:
            raise BadValueError(
                f"{name} is {shown(value)}", f"the most it may be is {self.most}{unit}"
            )

    def _bad(self, name: str, value: Any) -> BadValueError:
        words = f": {', '.join(self.choices)}" if self.choices else ""
        return BadValueError(f"{name} is {shown(value)}", f"give {_WANTED[self.kind]}{words}")


def is_number(value: Any) -> bool:
    """Whether `value` is a number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def shown(value: Any) -> str:
    """`value` as a message shows it: not longer than a line."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of thousands of digits
        return "a number of too many digits"
    return text if len(text) <= 80 else text[:77] + "..."


def _in_text(text: Any) -> Fraction | None:
    try:
        return Fraction(text) if isinstance(text, str) and len(text) <= 40 else None
    except (ValueError, ZeroDivisionError):
        return None


@cache
def table(kind: str) -> tuple[Limit, ...]:
    """All entries for `kind`: "figure" (of a platform) or "key" (of an experiment)."""
    text = Path(__file__).with_name("limits.toml").read_text(encoding="utf-8")
    return tuple(
        Limit(**{part: tuple(v) if isinstance(v, list) else v for part, v in entry.items()})
        for entry in tomllib.loads(text)[kind]
    )


@cache
def of_figure(path: str) -> Limit | None:
    """The limits of the figure at `path`; None where no entry of the table fits."""
    parts = path.split(".")
    if parts[0] == "memory" and len(parts) > 3:  # of another memory, what it is of the DRAM
        parts = parts[2:]
    for limit in table("figure"):
        for pattern in limit.keys:
            wanted = pattern.split(".")
            if len(wanted) == len(parts) and all(map(fnmatchcase, parts, wanted)):
                return limit
    return None


def of_key(name: str) -> Limit:
    """The limits of the experiment key `name`; KeyError if the table has none."""
    for limit in table("key"):
        if name in limit.keys:
            return limit
    raise KeyError(name)
