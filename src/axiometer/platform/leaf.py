"""A figure of a platform: `{ value, ORIGIN }`, the origin one of `ORIGINS`.

A figure that is another one's says so: `{ same_as = "clocks.ddr_2x_mhz", source = ... }`; with
`times = 2`, twice that, as a number; with `times = "32/25"`, 32 25ths of it.
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
    "source": "where it is written",
    "register": "register, field and value, and what writes it",
    "fitted": "on which published rows",
    "selected": "with which published rows in sight, and why",
    "guess": "what is assumed and why",
}
LEAF_KEYS = ("value", "same_as", "times", *ORIGINS, "why", "unit", "min", "max")
_ON_ROWS = ("fitted", "selected")


@dataclass(frozen=True)
class Leaf:
    """One figure and where it comes from: exactly one of the five origins is set.

    `fitted` and `selected` list published rows as "FILE.csv: key=value, ..." (a key that is absent
    matches all rows); `why` says in words why the rows chose a `selected` one. `min` and `max`
    bound what it may be set to. `file` and `line` are where its value is written. `overridden` is
    true where the value is not the file's own. `same_as` names the figure whose value this is, or
    so many times that as `times` says.
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
        """What this figure is when the one that it is the same as has `value`."""
        return value if self.times is None else float(Fraction(str(value)) * Fraction(self.times))

    @property
    def origin(self) -> str:
        """Which of `ORIGINS` it has."""
        return next(name for name in ORIGINS if getattr(self, name) is not None)

    @property
    def words(self) -> str:
        """Its origin as a sentence shows it."""
        said = getattr(self, self.origin)
        if self.origin not in _ON_ROWS:
            return str(said)
        rows = "; ".join(said)
        return f"{self.why} ({rows})" if self.why else rows

    def taken_over(self, what: str) -> Leaf:
        """The same figure elsewhere, where that it holds is assumed: `what` says from where."""
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
    """The figure in the inline table `node` at `path`; AxiometerError if it is not right.

    `rows` are the named sets that it may be fitted on; None: names are left as they stand.
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
        ("times", _is_times, 'a whole number from 1 on, or a ratio of two: "32/25"'),
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
            f"{dotted} has both value and same_as", *path, remedy="leave one of them out"
        )
    if "times" in node and "same_as" not in node:
        raise source.error(f"{dotted} has times and no same_as", *path, remedy="leave times out")
    leaf = Leaf(
        # Kinds were looked at above. The value of one that is another's is `figures.resolved`'s.
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
            remedy=f"say exactly one of {ways}",
        )
    kind = found[0]
    told = node[kind]
    origin: str | tuple[str, ...]
    if kind in _ON_ROWS:
        origin = expanded(source, (*path, kind), told, rows)
    elif isinstance(told, str) and told.strip():
        origin = told
    else:
        raise source.error(
            f"the {kind} of {dotted} is empty",
            *(*path, kind),
            remedy=f'write in words: {kind} = "..."',
        )
    if kind == "selected" and not str(node.get("why", "")).strip():
        raise source.error(
            f"{dotted} does not say why it was selected",
            *(*path, kind),
            remedy='add why = "what the rows show with another value"',
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
