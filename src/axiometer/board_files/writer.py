"""The text of a board file: what a chip leaves to its boards, decoded from registers.

Only that is written; each figure's origin is its registers. What registers do not say of a chip's
boards, and from which measured board it is taken, stands in `chips.toml`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from axiometer import data
from axiometer.platform.figures import TABLES, read_figures
from axiometer.platform.leaf import Leaf
from axiometer.platform.patterns import concrete, matches, read_entries
from axiometer.registers import Decoded, Figure
from axiometer.toml_source import TomlSource

WIDTH = 100


@dataclass(frozen=True)
class Board:
    """What registers do not say of a board. `initialisation`: what an origin calls the writes
    (None: as the chip's entry has it); `with_design`: whether the figures that belong to the
    initialisation's design are the board's own."""

    name: str
    title: str
    chip: str
    aliases: tuple[str, ...] = ()
    initialisation: str | None = None
    with_design: bool = False


@cache
def chips() -> Mapping[str, Mapping[str, Any]]:
    """The entries of `chips.toml` by chip."""
    file = Path(__file__).with_name("chips.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))["chip"]


def text(board: Board, found: Decoded, opening: Iterable[str]) -> str:
    """The board's file; `opening` are its first lines, comments."""
    about = chips()[board.chip]
    stated, left = _chip(board.chip)
    likes = [like for like in about["like"] if _holds(like, found)]
    taken = [pattern for like in likes for pattern in like.get("not_registers", ())]
    taken += [*about.get("left_out", ()), *([] if board.with_design else about["of_the_design"])]
    figures = {
        path: figure
        for path, figure in found.figures.items()
        if any(matches(pattern, path) for pattern in left)
        and not any(matches(pattern, path) for pattern in taken)
        and _is_new(figure, stated.get(path))
    }
    lines = [
        *opening,
        f"name = {json.dumps(board.name)}",
        f"title = {json.dumps(board.title + ' (not measured)', ensure_ascii=False)}",
        f"chip = {json.dumps(board.chip)}",
    ]
    if board.aliases:
        lines.append(f"aliases = {json.dumps(list(board.aliases))}")
    for like in likes:
        lines += ["", "[[like]]", f"board = {json.dumps(like['board'])}"]
        lines += [*_list("figures", like["figures"]), f"why = {json.dumps(like['why'])}"]
    lines += _tables(figures, board.initialisation or about["initialisation"])
    return "\n".join(lines) + "\n"


def comment(note: str) -> Iterator[str]:
    """A sentence as lines of comment."""
    line = "#"
    for word in f"{note[0].upper()}{note[1:]}.".split():
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = "#"
        line += f" {word}"
    yield line


def _chip(name: str) -> tuple[dict[str, Leaf], list[str]]:
    """What a chip's file states, and the patterns of what it leaves to boards, with what it takes
    from another chip."""
    source = TomlSource.read(data.find_toml("chips", name))
    stated = read_figures(source, "chip", None)
    left = [p for entry in read_entries(source, "set_by_boards") for p in entry.figures]
    for entry in read_entries(source, "like", "chip"):
        other, more = _chip(entry.other)
        stated, left = {**other, **stated}, left + more
    # A pattern means the tables that the chip has: `path.*` no path of its own.
    return stated, [one for pattern in left for one in concrete(pattern, stated)]


def _holds(like: dict, found: Decoded) -> bool:
    return all(found.value(path) in values for path, values in like.get("where", {}).items())


def _is_new(figure: Figure, chip: Leaf | None) -> bool:
    """Whether the board says anything with it: not what its chip has, nor what it cannot be."""
    if chip is None:
        return True
    value = _number(figure.value)
    in_range = not isinstance(value, int | float) or (
        (chip.min is None or value >= chip.min) and (chip.max is None or value <= chip.max)
    )
    return in_range and value != chip.value


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
            value = json.dumps(_number(figure.value))
            unit = f", unit = {json.dumps(figure.unit)}" if _has_unit(table, figure) else ""
            origin = json.dumps(f"{initialisation}: {figure.source}")
            yield f"{key} = {{ value = {value}{unit}, register = {origin} }}"


def _has_unit(table: str, figure: Figure) -> bool:
    return figure.unit is not None and not table.startswith("dram")


def _number(value: object) -> object:
    """A figure's value as TOML has it: a rate to 1e-6 MHz."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else round(float(value), 6)
    return value
