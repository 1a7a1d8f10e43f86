"""A board's file from decoded figures: those that its chip leaves to it, each with registers.

Figures that no register has come from a measured board of the chip: the chip's `board_file.toml`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

from axiometer.base import chip_files, data
from axiometer.base.chip_files import Table
from axiometer.base.toml_source import TomlSource
from axiometer.platform.figures import TABLES, read_figures
from axiometer.platform.leaf import Leaf
from axiometer.platform.patterns import ALL, concrete, matches, read_entries
from axiometer.platform.registers.results import Decoded, Figure

WIDTH = 100
EXACT = tuple(f"processor.clocks.{name}" for name in ("cpu", "interconnect", "apb"))
"""Rates that are texts: ratios of the PLLs' rates."""


@cache
def chips() -> dict[str, Table]:
    """Contents of `board_file.toml` by the names of chips."""
    return {
        chip: table
        for chip in data.names("chips")
        if (table := chip_files.read(chip, "board_file")) is not None
    }


def text(
    name: str,
    title: str,
    found: Decoded,
    opening: Sequence[str] = (),
    aliases: Sequence[str] = (),
    initialisation: str | None = None,
) -> str:
    """The file of the board `name` of the chip `found.chip`. `opening`: its first lines, comments;
    `initialisation`: the name of the writes in origins (None: the chip's default)."""
    about = chips()[found.chip]
    likes = [like for like in about.get("like", ()) if _holds(like, found)]
    figures = of_a_board(found, likes)
    lines = [
        *opening,
        f"name = {json.dumps(name)}",
        f"title = {json.dumps(title, ensure_ascii=False)}",
        f"chip = {json.dumps(found.chip)}",
    ]
    if aliases:
        lines.append(f"aliases = {json.dumps(aliases)}")
    for like in likes:
        lines += ["", "[[like]]", f"board = {json.dumps(like['board'])}"]
        lines += [*_list("figures", like["figures"]), f"why = {json.dumps(like['why'])}"]
    lines += _tables(figures, initialisation or about["initialisation"])
    return "\n".join(lines) + "\n"


def of_a_board(found: Decoded, likes: Sequence[Table] = ()) -> dict[str, Figure]:
    """The figures of `found` for a board's file, without those that its chip has, that belong to a
    design, or that come from a measured board although registers have them."""
    stated, left = _chip(found.chip)
    taken = [pattern for like in likes for pattern in like.get("not_registers", ())]
    taken += chips()[found.chip]["of_the_design"]
    return {
        path: figure
        for path, figure in found.figures.items()
        if any(matches(pattern, path) for pattern in left)
        and not any(matches(pattern, path) for pattern in taken)
        and _is_new(figure, stated.get(path))
    }


def _chip(name: str) -> tuple[dict[str, Leaf], list[str]]:
    """The figures in a chip's file, and the patterns of those that it leaves to boards, both with
    the parts from another chip."""
    source = TomlSource.read(data.find_toml("chips", name))
    stated = read_figures(source, "chip", None)
    left = [p for entry in read_entries(source, "set_by_boards") for p in entry.figures]
    for entry in read_entries(source, "like", "chip"):
        other, more = _chip(entry.other)
        stated = {**other, **stated}
        left += more if ALL in entry.figures else []
    # A pattern means the chip's tables: `path.*` no path of the board.
    return stated, [one for pattern in left for one in concrete(pattern, stated)]


def _holds(like: Table, found: Decoded) -> bool:
    return all(found.value(path) in values for path, values in like.get("where", {}).items())


def _is_new(figure: Figure, chip: Leaf | None) -> bool:
    """Whether the figure belongs into the board's file: it differs from the chip's, and is in
    range."""
    if chip is None:
        return True
    found = number(figure.value)
    in_range = not isinstance(found, int | float) or (
        (chip.min is None or found >= chip.min) and (chip.max is None or found <= chip.max)
    )
    return in_range and found != chip.value


def comment(note: str) -> Iterator[str]:
    """A sentence as lines of a comment, with its full stop."""
    line = "#"
    for word in f"{note[0].upper()}{note[1:]}.".split():
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = "#"
        line += f" {word}"
    yield line


def _list(key: str, values: list[str]) -> Iterator[str]:
    one = f"{key} = {json.dumps(values)}"
    if len(one) <= WIDTH:
        yield one
        return
    yield f"{key} = ["
    line = " "
    for value in values:
        if len(line) + len(value) + 4 > WIDTH:
            yield line
            line = " "
        line += f' "{value}",'
    yield line
    yield "]"


def _tables(figures: dict[str, Figure], initialisation: str) -> Iterator[str]:
    tables: dict[str, list[tuple[str, Figure]]] = {}
    for path in sorted(figures, key=lambda path: TABLES.index(path.split(".")[0])):
        table, _, key = path.rpartition(".")
        tables.setdefault(table, []).append((key, figures[path]))
    for table, rows in tables.items():
        yield ""
        yield f"[{table}]"
        for key, figure in rows:
            shown = json.dumps(value(f"{table}.{key}", figure))
            unit = f", unit = {json.dumps(figure.unit)}" if _has_unit(table, figure) else ""
            origin = json.dumps(f"{initialisation}: {figure.source}")
            yield f"{key} = {{ value = {shown}{unit}, register = {origin} }}"


def _has_unit(table: str, figure: Figure) -> bool:
    return figure.unit is not None and not table.startswith("dram")


def value(path: str, figure: Figure) -> object:
    """A figure's value in TOML: a rate as an exact ratio in text, or to 1e-6 MHz."""
    if path in EXACT and isinstance(figure.value, Fraction):
        return str(figure.value)
    return number(figure.value)


def number(value: object) -> object:
    """A figure's value in TOML: a rate to 1e-6 MHz."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else round(float(value), 6)
    return value
