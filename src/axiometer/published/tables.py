"""The tables of measurements, those that ship and the user's own: whose they are, and their rows.

A table is a CSV in `reference/` whose head says whose bench it is (`source`, `cite`) and on which
board (`board`; `like`, where the measured board is none of ours: the one that stands in for it;
`memory`, where it is not the board's DRAM, or not that of the one that stands in).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from axiometer.base import data
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
    """A table of measurements: whose (`source`), how it is cited, on which `board`, the board of
    ours that it is on, or that stands in for it (`like`), and which `memory` was measured."""

    path: Path
    source: str
    cite: str
    board: str
    like: str
    memory: str


@dataclass(frozen=True)
class Line:
    """A row of a table, from 0, and its conditions."""

    table: Table
    row: int
    conditions: Conditions

    @property
    def number(self) -> int:
        """Which line of its file it is."""
        return _rows(self.table.path).above + self.row

    @property
    def figures(self) -> Figures:
        """What was measured, by column."""
        file = _rows(self.table.path)
        return _figures(file.columns, file.rows[self.row].split(","))

    @property
    def by_port(self) -> Mapping[str, Figures]:
        """The same of each port: their rows follow that of the configuration."""
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
    """All tables whose head names a board, by file, and then the user's own."""
    root = data.directory("reference")
    shipped = sorted((*root.glob("*.csv"), *root.glob("*/*.csv")))
    found = (_table(path) for path in (*shipped, *own.paths()))
    return tuple(table for table in found if table is not None)


def forget() -> None:
    """Read tables anew: the user's have changed."""
    tables.cache_clear()
    _rows.cache_clear()


def _table(path: Path) -> Table | None:
    said: dict[str, str] = {}
    with path.open(encoding="utf-8") as file:
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
    """The chip of one of our boards."""
    found = _CHIP.search(_board(board))
    return found[1] if found else board


@cache
def memory_of(board: str) -> str:
    """The DRAM of one of our boards: "DDR4-2133, 64 bit"; "" where its file does not say it."""
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
    """A file's rows: how many lines are `above` them, the columns, and by ports and bytes of a
    burst where each configuration starts; the rows of its ports follow it."""

    above: int
    columns: Sequence[str]
    rows: Sequence[str]
    starts: Mapping[tuple[str, str], Sequence[int]]


@cache
def _rows(path: Path) -> _Rows:
    lines = path.read_text(encoding="utf-8").splitlines()
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
    """Rows of these ports and of bursts of that size (`either`: of one of the two). Rows that say
    no burst are of any; those that say no ports are a processor's, and have "" for them."""
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
        if name == "duration":
            found["duration_s"] = ANY
        elif cells[n]:
            found[name] = _condition(name, cells[n])
    return found


_condition = cache(condition)
"""Many rows say the same of a key."""


def _figures(columns: Sequence[str], cells: Sequence[str]) -> Figures:
    return {
        name: float(cell)
        for name, cell in zip(columns, cells, strict=True)
        if cell and not is_key(name) and name != "port"
    }
