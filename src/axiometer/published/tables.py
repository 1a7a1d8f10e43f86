"""The tables of measurements that ship: whose they are, and their rows near a point.

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
    """A row: where it stands, its conditions, and its figures by column in all and by port."""

    table: Table
    number: int
    conditions: Conditions
    figures: Figures
    by_port: Mapping[str, Figures]


@cache
def tables() -> tuple[Table, ...]:
    """All tables whose head names a board, by file."""
    root = data.directory("reference")
    found = (_table(path) for path in sorted((*root.glob("*.csv"), *root.glob("*/*.csv"))))
    return tuple(table for table in found if table is not None)


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
    return data.path_of("boards", name).read_text(encoding="utf-8")


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
    return memory(said[0], float(Fraction(said[1])), int(said[2])) if len(said) == len(_MEMORY) else ""


def memory(kind: str, mhz: float, bits: int) -> str:
    """A DRAM in words, by the clock of its bus in MHz."""
    return f"{kind}-{2 * mhz:.0f}, {bits} bit"


@cache
def _lines(path: Path) -> tuple[int, list[str], list[str]]:
    """How many lines are above the rows, the columns, and the rows."""
    lines = path.read_text(encoding="utf-8").splitlines()
    head = next(n for n, line in enumerate(lines) if not line.startswith("#"))
    return head + 1, lines[head].split(","), lines[head + 1 :]


def lines(table: Table, ports: str, burst: str, *, either: bool) -> Iterator[Line]:
    """Rows of these ports and of bursts of that size (`either`: of one of the two), each with its
    ports' rows. Rows that say no ports are a processor's, and have "" for them."""
    above, columns, rows = _lines(table.path)
    at_port = columns.index("port") if "port" in columns else None
    size = columns.index("burst_bytes") if "burst_bytes" in columns else None
    own = columns.index("ports") if "ports" in columns else None
    keys = [(n, name) for n, name in enumerate(columns) if is_key(name)]
    inside = f",{burst},"
    first = f"{ports}," if own == 0 else ""
    whole: tuple[int, list[str]] | None = None
    by_port: dict[str, Figures] = {}

    def made() -> Iterator[Line]:
        if whole is not None:
            number, cells = whole
            yield Line(table, number, _conditions(keys, cells), _figures(columns, cells), by_port)

    for number, line in enumerate(rows, above + 1):
        if not line.startswith(first) and not (either and size is not None and inside in line):
            continue
        cells = line.split(",")
        same_ports = (cells[own] if own is not None else "") == ports
        same_size = size is None or cells[size] in (burst, "")
        if not (same_ports or (size is not None and same_size) if either
                else same_ports and same_size):  # fmt: skip
            continue
        port = cells[at_port] if at_port is not None else ""
        if port:
            by_port[port] = _figures(columns, cells)
            continue
        yield from made()
        whole, by_port = (number, cells), {}
    yield from made()


def is_key(column: str) -> bool:
    """Whether a column is a condition."""
    return column in KEYS or column in MASTER_KEYS or column == "duration"


def _conditions(keys: Sequence[tuple[int, str]], cells: Sequence[str]) -> Conditions:
    found: dict[str, object] = {}
    for n, name in keys:
        if name == "duration":
            found["duration_s"] = ANY
        elif cells[n]:
            found[name] = condition(name, cells[n])
    return found


def _figures(columns: Sequence[str], cells: Sequence[str]) -> Figures:
    return {
        name: float(cell)
        for name, cell in zip(columns, cells, strict=True)
        if cell and not is_key(name) and name != "port"
    }
