"""The tables of measurements, shipped and the user's own: their sources and rows.

A table is a CSV in `reference/` whose head names the bench (`source`, `cite`) and the board
(`board`; `like`: the substitute, where the measured board is not shipped; `memory`, where it is not
the DRAM of the board or of the substitute).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from axiometer.base import data, packed
from axiometer.base.units import parse_seconds
from axiometer.experiment.keys import KEYS
from axiometer.published import own
from axiometer.published.reference.table import ANY, MASTER_KEYS, condition

Conditions = Mapping[str, object]
Figures = Mapping[str, float]

_SAID = ("source", "cite", "board", "like", "memory")
_CHIP = re.compile(r'^chip = "([^"]*)"', re.M)
_MEMORY = (
    re.compile(r'^type = \{ value = "([^"]*)"', re.M),
    re.compile(r'^ddr_mhz = \{ value = "?([0-9./]+)', re.M),
    re.compile(r"^bus_bits = \{ value = ([0-9]+)", re.M),
)


_BY = ("ports", "burst_bytes", "port")


@dataclass(frozen=True)
class Table:
    """A table of measurements: its `source`, its citation, the measured `board`, the shipped board
    that is or replaces it (`like`), and the measured `memory`."""

    path: Path
    source: str
    cite: str
    board: str
    like: str
    memory: str

    @property
    def is_own(self) -> bool:
        """Whether it is the user's."""
        return self.path.parent == own.directory()


@dataclass(frozen=True)
class Line:
    """A row of a table (numbered from 0) and its conditions."""

    table: Table
    row: int
    conditions: Conditions

    @property
    def number(self) -> int:
        """Its line in the file."""
        return _rows(self.table.path).above + self.row

    @property
    def figures(self) -> Figures:
        """Its measured figures by column."""
        file = _rows(self.table.path)
        return _figures(file.columns, file.rows[self.row].split(","))

    @property
    def by_port(self) -> Mapping[str, Figures]:
        """The measured figures of each port, whose rows follow that of the configuration."""
        file = _rows(self.table.path)
        found: dict[str, Figures] = {}
        if "port" in file.columns:
            at = file.columns.index("port")
            for n in range(self.row + 1, len(file.rows)):
                cells = file.rows[n].split(",")
                if not cells[at]:
                    break
                found[cells[at]] = _figures(file.columns, cells)
        return found


@cache
def tables() -> tuple[Table, ...]:
    """All tables whose head names a board: the user's own, which come first in answers, too, then
    the shipped ones by file."""
    root = data.directory("reference")
    shipped = sorted(packed.found(root, "**/*.csv"))
    found = (_table(path) for path in (*own.paths(), *shipped))
    return tuple(table for table in found if table is not None)


def forget() -> None:
    """Clear the cache after a change of the user's tables."""
    tables.cache_clear()
    _rows.cache_clear()


def _table(path: Path) -> Table | None:
    said: dict[str, str] = {}
    with packed.opened(path) as file:
        for line in file:
            if not line.startswith("#"):
                break
            text = line.lstrip("#").strip()
            name, equals, value = text.partition(" = ")
            if equals and name in _SAID:
                said[name] = value
    board = said.get("board", "")
    if not board:
        return None
    like = said.get("like", board)
    return Table(path, said["source"], said["cite"], board, like, said.get("memory", ""))


@cache
def _board(name: str) -> str:
    path = data.path_of("boards", name)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@cache
def chip_of(board: str) -> str:
    """The chip of a shipped board."""
    found = _CHIP.search(_board(board))
    return found[1] if found else board


@cache
def memory_of(board: str) -> str:
    """The DRAM of a shipped board: "DDR4-2133, 64 bit"; "" if its file lacks it."""
    found = [pattern.search(_board(board)) for pattern in _MEMORY]
    said = [match[1] for match in found if match]
    return (
        memory(said[0], float(Fraction(said[1])), int(said[2])) if len(said) == len(_MEMORY) else ""
    )


def memory(kind: str, mhz: float, bits: int) -> str:
    """A DRAM in words, by the clock of its bus in MHz."""
    return f"{kind}-{2 * mhz:.0f}, {bits} bit"


@dataclass(frozen=True)
class _Rows:
    """A file's rows: the number of lines `above` them, the columns, and the first row of each
    configuration by ports and burst bytes; the rows of its ports follow it."""

    above: int
    columns: Sequence[str]
    rows: Sequence[str]
    starts: Mapping[tuple[str, str], Sequence[int]]


@cache
def _rows(path: Path) -> _Rows:
    lines = packed.text(path).splitlines()
    head = next(n for n, line in enumerate(lines) if not line.startswith("#"))
    columns, rows = lines[head].split(","), lines[head + 1 :]
    at = [columns.index(name) if name in columns else None for name in _BY]
    last = max(n or 0 for n in at) + 1
    starts: dict[tuple[str, str], list[int]] = {}
    for n, row in enumerate(rows):
        cells = row.split(",", last)
        ports, burst, port = ("" if n is None else cells[n] for n in at)
        if not port:
            starts.setdefault((ports, burst), []).append(n)
    return _Rows(head + 2, columns, rows, starts)


def lines(table: Table, ports: str, burst: str, *, either: bool) -> Iterator[Line]:
    """Rows with these ports and this burst (`either`: with one of the two). Rows without a burst
    match any; rows without ports are a processor's, with "" as ports."""
    file = _rows(table.path)
    keys = [(n, name) for n, name in enumerate(file.columns) if is_key(name)]
    if either:
        of = ((key, n) for key, n in file.starts.items() if key[0] == ports or key[1] == burst)
        starts = sorted(n for _, found in of for n in found)
    else:
        sizes = dict.fromkeys(("", burst))
        starts = [n for size in sizes for n in file.starts.get((ports, size), ())]
    for start in starts:
        yield Line(table, start, _conditions(keys, file.rows[start].split(",")))


def every(table: Table) -> Iterator[Line]:
    """All rows."""
    file = _rows(table.path)
    keys = [(n, name) for n, name in enumerate(file.columns) if is_key(name)]
    for start in sorted(n for found in file.starts.values() for n in found):
        yield Line(table, start, _conditions(keys, file.rows[start].split(",")))


def is_key(column: str) -> bool:
    """Whether a column is a condition."""
    return column in KEYS or column in MASTER_KEYS or column == "duration"


def _conditions(keys: Sequence[tuple[int, str]], cells: Sequence[str]) -> Conditions:
    found: dict[str, object] = {}
    for n, name in keys:
        if name == "duration" and cells[n]:
            found["duration_s"] = ANY if cells[n] == "free" else parse_seconds(cells[n])
        elif cells[n]:
            found[name] = _condition(name, cells[n])
    return found


_condition = cache(condition)
"""Cached, because many rows have the same value of a key."""


def _figures(columns: Sequence[str], cells: Sequence[str]) -> Figures:
    return {
        name: float(cell)
        for name, cell in zip(columns, cells, strict=True)
        if cell and not is_key(name) and name != "port"
    }
