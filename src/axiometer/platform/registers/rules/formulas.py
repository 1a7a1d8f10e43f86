"""Figures of several fields: a chip's `figures.toml`.

    [part]                     named parts of expressions
    "pll.IO" = { is = "clocks.reference_mhz * SLCR.IO_PLL_CTRL.PLL_FDIV" }
    [figure]                   `how` in words, for the figure's source
    "clocks.pl{n}_mhz" = { unit = "MHz", how = "FCLK{n}", is = "...", each = { n = [0, 1] } }

`each` makes one entry for every place of its lists, with {n} filled in. `before` and `after` make a
note: `{ if = "...", text = "..." }`; in `after` the figure is `value`, and {a.figure} in the text
is its value. Expressions: `axiometer.platform.registers.rules.expression`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from axiometer.base import chip_files
from axiometer.base.chip_files import Table


@dataclass(frozen=True)
class Note:
    """A message for when the expression `when` holds."""

    when: ast.expr
    text: str


@dataclass(frozen=True)
class Formula:
    """The formula of a figure of several fields: `how` in words for the source; `value` gives
    nothing if the chip's present set-up has no such figure."""

    path: str
    unit: str | None
    how: str
    value: ast.expr
    before: Note | None
    after: Note | None


@dataclass(frozen=True)
class Formulas:
    """All of a chip: `figures` by path, in the order of the file, and `parts` by name."""

    figures: Mapping[str, Formula]
    parts: Mapping[str, ast.expr]


@cache
def load(chip: str) -> Formulas:
    """The formulas of a chip; none without `figures.toml`."""
    table = chip_files.read(chip, "figures") or {}
    figures = (_formula(path, entry) for path, entry in _each(table.get("figure", {})))
    return Formulas(
        {formula.path: formula for formula in figures},
        {name: parsed(entry["is"]) for name, entry in _each(table.get("part", {}))},
    )


def parsed(text: str) -> ast.expr:
    """The expression in `text`."""
    return ast.parse(text, mode="eval").body


def _formula(path: str, entry: Table) -> Formula:
    notes = (_note(entry.get(when)) for when in ("before", "after"))
    return Formula(path, entry.get("unit"), entry.get("how", ""), parsed(entry["is"]), *notes)


def _note(entry: Table | None) -> Note | None:
    return Note(parsed(entry["if"]), entry["text"]) if entry else None


def _each(entries: Table) -> Iterator[tuple[str, Table]]:
    """Entries by name, once for every place of the lists of `each`."""
    for name, entry in entries.items():
        lists = entry.get("each", {})
        for place in range(len(next(iter(lists.values()), [0]))):
            filled = {key: values[place] for key, values in lists.items()}
            yield _filled(name, filled), {key: _filled_in(v, filled) for key, v in entry.items()}


def _filled_in(value: object, names: Mapping[str, object]) -> object:
    return _filled(value, names) if isinstance(value, str) else value


def _filled(value: str, names: Mapping[str, object]) -> str:
    for name, each in names.items():
        value = value.replace(f"{{{name}}}", str(each))
    return value
