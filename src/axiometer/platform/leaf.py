"""A figure of a platform: `{ value, ORIGIN }`, the origin one of `ORIGINS`.

A figure may equal another: `{ same_as = "clocks.ddr_2x_mhz", source = ... }`; with `times = 2` its
value is twice the other's; with `times = "32/25"`, 32/25 of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import cast

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.base.toml_source import TomlSource
from axiometer.platform import limits
from axiometer.platform.leaf_values import checked
from axiometer.platform.limits import is_number, shown
from axiometer.platform.row_sets import expanded

ORIGINS = {
    "source": "document and place",
    "register": "register, field and value, and what writes it",
    "fitted": "published rows of the fit",
    "selected": "published rows in sight, and why",
    "guess": "the assumption and its reason",
}
LEAF_KEYS = ("value", "same_as", "times", *ORIGINS, "why", "unit", "min", "max")
_ON_ROWS = ("fitted", "selected")


@dataclass(frozen=True)
class Leaf:
    """One figure and its origin: exactly one of the five origins is set.

    `fitted` and `selected` list published rows as "FILE.csv: key=value, ..." (an absent key matches
    all rows); `why` gives the reason for a `selected` value. `min` and `max` bound overrides.
    `file` and `line` are the place of its value. `overridden` is true if the value is not the
    file's. `same_as` names the figure that has the same value, or whose `times`-fold this value is.
    """

    value: limits.Figure
    source: str | None = None
    register: str | None = None
    fitted: tuple[str, ...] | None = None
    selected: tuple[str, ...] | None = None
    guess: str | None = None
    why: str | None = None
    unit: str | None = None
    min: float | None = None
    max: float | None = None
    file: str = ""
    line: int = 1
    overridden: bool = False
    same_as: str | None = None
    times: int | str | None = None

    def as_other(self, value: limits.Figure) -> limits.Figure:
        """This figure's value if the figure in `same_as` has `value`."""
        return value if self.times is None else float(Fraction(str(value)) * Fraction(self.times))

    @property
    def origin(self) -> str:
        """The name of its origin in `ORIGINS`."""
        return next(name for name in ORIGINS if getattr(self, name) is not None)

    @property
    def words(self) -> str:
        """Its origin in words."""
        said = getattr(self, self.origin)
        if self.origin not in _ON_ROWS:
            return str(said)
        rows = "; ".join(said)
        return f"{self.why} ({rows})" if self.why else rows

    def taken_over(self, what: str) -> Leaf:
        """The same figure elsewhere, as a guess; `what` names the other place and the reason."""
        said = f"where it is {self.origin}" if self.origin in _ON_ROWS else self.words
        return replace(
            self,
            source=None,
            register=None,
            fitted=None,
            selected=None,
            guess=f"{what}: {said}",
            why=None,
        )


def read_leaf(
    source: TomlSource,
    path: tuple[str, ...],
    node: Mapping[str, object],
    rows: Mapping[str, tuple[str, ...]] | None,
) -> Leaf:
    """The figure in the inline table `node` at `path`; AxiometerError for a bad table.

    `rows` are the named sets for fitted figures; None: names stay unchanged.
    """
    dotted = ".".join(path)
    for key in node:
        if key not in LEAF_KEYS:
            raise source.error(
                f"{dotted} has an unknown part {key!r}",
                *(*path, key),
                remedy=did_you_mean(key, LEAF_KEYS, "known parts"),
            )
    kind, origin = _origin(source, path, node, rows)
    for key, fits, wanted in (
        ("min", _is_finite, "a number"),
        ("max", _is_finite, "a number"),
        ("unit", _is_text, "text"),
        ("why", _is_text, "text"),
        ("same_as", _is_text, "the path of another figure"),
        ("times", _is_times, 'a whole number from 1, or a ratio of two: "32/25"'),
        ("value", _is_value, "a number, text, true or false, or a list of them"),
    ):
        if key in node and not fits(node[key]):
            raise source.error(
                f"the {key} of {dotted} is {shown(node[key])}",
                *(*path, key),
                remedy=f"give {wanted}",
            )
    if ("value" in node) == ("same_as" in node):
        raise source.error(
            f"{dotted} has both value and same_as", *path, remedy="remove one of them"
        )
    if "times" in node and "same_as" not in node:
        raise source.error(f"{dotted} has times and no same_as", *path, remedy="remove times")
    leaf = Leaf(
        # Types were checked above. `figures.resolved` sets the value of one with same_as.
        cast("limits.Figure", node.get("value")),
        unit=cast("str | None", node.get("unit")),
        min=cast("float | None", node.get("min")),
        max=cast("float | None", node.get("max")),
        why=cast("str | None", node.get("why")),
        same_as=cast("str | None", node.get("same_as")),
        times=cast("int | str | None", node.get("times")),
        file=source.file,
        line=source.line(*path),
    )
    leaf = replace(leaf, **{kind: origin})  # type: ignore[arg-type]  # a text, or rows, by its kind
    if leaf.same_as is None:
        try:
            checked(dotted, leaf, leaf.value)
        except AxiometerError as error:
            raise source.error(error.message, *path, remedy=error.remedy) from None
    return leaf


def _origin(
    source: TomlSource,
    path: tuple[str, ...],
    node: Mapping[str, object],
    rows: Mapping[str, tuple[str, ...]] | None,
) -> tuple[str, str | tuple[str, ...]]:
    dotted = ".".join(path)
    found = [key for key in ORIGINS if key in node]
    if len(found) != 1:
        ways = ", ".join(f"{name} ({words})" for name, words in ORIGINS.items())
        raise source.error(
            f"{dotted} has {' and '.join(found) or 'no origin'}",
            *path,
            remedy=f"give exactly one of {ways}",
        )
    kind = found[0]
    text = node[kind]
    origin: str | tuple[str, ...]
    if kind in _ON_ROWS:
        origin = expanded(source, (*path, kind), text, rows)
    elif isinstance(text, str) and text.strip():
        origin = text
    else:
        raise source.error(
            f"the {kind} of {dotted} is empty",
            *(*path, kind),
            remedy=f'write in words: {kind} = "..."',
        )
    if kind == "selected" and not str(node.get("why", "")).strip():
        raise source.error(
            f"{dotted} has no reason for its selection",
            *(*path, kind),
            remedy='add why = "result for the rows with another value"',
        )
    return kind, origin


def _is_finite(value: object) -> bool:
    return is_number(value) and abs(value) <= limits.MOST


def _is_times(value: object) -> bool:
    if isinstance(value, str):
        return re.fullmatch("[1-9][0-9]*/[1-9][0-9]*", value) is not None
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_value(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(isinstance(item, bool | int | float | str) for item in items)
