"""A figure of a platform and its origin: an inline table `{ value, source | fitted | guess }`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from axiometer import limits
from axiometer.errors import AxiometerError, BadValueError, did_you_mean
from axiometer.limits import is_number, shown
from axiometer.toml_source import TomlSource

ORIGINS = ("source", "fitted", "guess")
LEAF_KEYS = ("value", *ORIGINS, "unit", "min", "max")


@dataclass(frozen=True)
class Leaf:
    """One figure and where it comes from: exactly one of `source`, `fitted`, `guess` is set.

    `fitted` lists the published rows that the figure was fitted on, as
    "FILE.csv: key=value, ..." (a key that is absent matches all rows). `min` and `max` bound
    what it may be set to; `line` is where it stands in the file. `overridden` is true where
    the value is not the file's own.
    """

    value: Any
    source: str | None = None
    fitted: tuple[str, ...] | None = None
    guess: str | None = None
    unit: str | None = None
    min: float | None = None
    max: float | None = None
    line: int = 1
    overridden: bool = False


def read_leaf(source: TomlSource, path: tuple[str, ...], node: dict[str, Any]) -> Leaf:
    """The figure in the inline table `node` at `path`; AxiometerError if it is not right."""
    dotted = ".".join(path)
    for key in node:
        if key not in LEAF_KEYS:
            raise source.error(
                f"{dotted} has an unknown part {key!r}",
                *(*path, key),
                remedy=did_you_mean(key, LEAF_KEYS, "known parts"),
            )
    origins = [key for key in ORIGINS if key in node]
    if len(origins) != 1:
        raise source.error(
            f"{dotted} has {' and '.join(origins) or 'no origin'}",
            *path,
            remedy="say exactly one of source (where it is written), fitted (on which "
            "published rows) or guess (what is assumed)",
        )
    origin = node[origins[0]]
    if origins[0] == "fitted":
        rows = [origin] if isinstance(origin, str) else origin
        good = isinstance(rows, list) and rows
        if not good or not all(isinstance(row, str) and row.strip() for row in rows):
            raise source.error(
                f"{dotted} does not say what it was fitted on",
                *(*path, "fitted"),
                remedy='list published rows: fitted = ["FILE.csv: mode=duplex"]',
            )
        origin = tuple(rows)
    elif not isinstance(origin, str) or not origin.strip():
        raise source.error(
            f"the {origins[0]} of {dotted} is empty",
            *(*path, origins[0]),
            remedy=f'write in words: {origins[0]} = "..."',
        )
    for key, fits, wanted in (
        ("min", _is_finite, "a number"),
        ("max", _is_finite, "a number"),
        ("unit", _is_text, "text"),
        ("value", _is_value, "a number, text, true or false, or a list of them"),
    ):
        if key in node and not fits(node[key]):
            raise source.error(
                f"the {key} of {dotted} is {shown(node[key])}",
                *(*path, key),
                remedy=f"give {wanted}",
            )
    leaf = Leaf(
        node["value"],
        unit=node.get("unit"),
        min=node.get("min"),
        max=node.get("max"),
        line=source.line(*path),
        **{origins[0]: origin},
    )
    try:
        checked(dotted, leaf, leaf.value)
    except AxiometerError as error:
        raise source.error(error.message, *path, remedy=error.remedy) from None
    return leaf


def checked(path: str, leaf: Leaf, value: Any) -> Any:
    """`value` if the figure at `path` may have it, else AxiometerError.

    What it may be stands in the table of limits, by path; the platform's own `min` and `max` can
    only narrow that. 32.0 is good where a whole number stands. A figure that the table does not
    know takes what is like the file's value.
    """
    limit = limits.of_figure(path)
    try:
        value = _like(path, leaf, value) if limit is None else limit.check(path, value)
    except BadValueError as bad:
        raise AxiometerError(bad.message, remedy=bad.remedy) from None
    if not is_number(value):
        return value
    if leaf.min is not None and value < leaf.min:
        raise AxiometerError(
            f"{path} is {shown(value)}", remedy=f"the least it may be is {leaf.min}"
        )
    if leaf.max is not None and value > leaf.max:
        raise AxiometerError(
            f"{path} is {shown(value)}", remedy=f"the most it may be is {leaf.max}"
        )
    return value


def _like(path: str, leaf: Leaf, value: Any) -> Any:
    """`value` where nothing is known of the figure but the file's own value."""
    if is_number(leaf.value):
        kind = "whole" if isinstance(leaf.value, int) else "number"
        return limits.Limit((path,), kind, "", -limits.MOST, limits.MOST).check(path, value)
    if type(value) is not type(leaf.value):
        raise BadValueError(
            f"{path} is {shown(value)}", f"give a value like the platform's: {shown(leaf.value)}"
        )
    return value


def _is_finite(value: Any) -> bool:
    return is_number(value) and abs(value) <= limits.MOST


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_value(value: Any) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(isinstance(item, bool | int | float | str) for item in items)
