"""What was measured of a point, or near it: rows of the tables that ship, each with its source.

A table is a CSV in `reference/` whose head says whose bench it is (`source`) and on which board
(`board`; `like`, where the measured board is none of ours: the one that stands in for it). An
answer shows a row that *is* the question before the model's figure, else the nearest rows with what
differs. Nothing here enters a chip's file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiometer.base import data
from axiometer.experiment.keys import KEYS
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published.reference.table import ANY, condition, same, wanted

NEAREST = 3

Conditions = Mapping[str, object]
Figures = Mapping[str, float]
Difference = tuple[str, object, object]
"""A key, what the row has, and what the point has."""

_KIND = 4.0
"""How far apart two rows are by what differs in kind; a factor of two in a number is 1."""
_LESS = {"board": 2.0, "pattern": 2.0, "cache": 2.0, "mode": 3.0, "mapping": 1.0, "os": 1.0}
_FURTHEST = 8.0
_CHIP = re.compile(r'^chip = "([^"]*)"', re.M)
_SAID = ("source", "cite", "board", "like")


@dataclass(frozen=True)
class Table:
    """A table of measurements: whose (`source`), how it is cited, on which `board`, and the board
    of ours that it is on, or that stands in for it (`like`)."""

    path: Path
    source: str
    cite: str
    board: str
    like: str


@dataclass(frozen=True)
class Measurement:
    """A row of a table: its conditions (keys of an experiment), what was measured, by column
    (`total_MBps`, `read_MBps`, `reads_in_flight`, ...) in all and by port, and `differs`: what it
    has otherwise than the point; empty where it is the point itself."""

    table: Table
    line: int
    conditions: Conditions
    figures: Figures
    by_port: Mapping[str, Figures]
    differs: tuple[Difference, ...]

    @property
    def total(self) -> float:
        """The mean rate in both directions, MB/s."""
        return self.figures["total_MBps"]


def of_point(platform: Platform, values: Values) -> list[Measurement]:
    """The rows that were measured at this very point, in the order of their tables."""
    if values.get("masters") or platform.overrides:
        return []
    return [
        row
        for table in tables()
        if table.board == platform.name
        for row in _rows(table, values, "+".join(values["ports"]), None)
        if not row.differs
    ]


def nearest(platform: Platform, values: Values, count: int = NEAREST) -> list[Measurement]:
    """The rows that differ least from the point, the nearest first; of boards of its chip, with as
    many ports or bursts of its size, and of each source no more than two."""
    if values.get("masters"):
        return []
    found = [
        row
        for table in tables()
        if chip_of(table.like) == platform.family
        for row in _rows(table, values, "+".join(values["ports"]), str(values["burst_bytes"]))
    ]
    ranked = sorted((distance(row, platform.name), n) for n, row in enumerate(found))
    return [found[n] for far, n in ranked if far <= _FURTHEST][:count]


def distance(row: Measurement, board: str) -> float:
    """How far a row is from the point on `board`, in doublings of a number."""
    far = 0.0 if row.table.board == board else _LESS["board"]
    for key, its, own in row.differs:
        if isinstance(its, int | float) and isinstance(own, int | float) and its > 0 < own:
            far += abs(math.log2(its / own))
        elif isinstance(its, list) and isinstance(own, list):
            far += 0.5 + abs(len(its) - len(own))
        else:
            far += _LESS.get(key, _KIND)
    return far


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
    return Table(path, said["source"], said["cite"], board, said.get("like", board))


@cache
def chip_of(board: str) -> str:
    """The chip of one of our boards."""
    text = data.path_of("boards", board).read_text(encoding="utf-8")
    found = _CHIP.search(text)
    return found[1] if found else board


@cache
def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _rows(table: Table, values: Values, ports: str, burst: str | None) -> Iterator[Measurement]:
    """Rows of these ports, or of bursts of that size; each with its ports' rows."""
    lines = _lines(table.path)
    head = next(n for n, line in enumerate(lines) if not line.startswith("#"))
    columns = lines[head].split(",")
    at_port = columns.index("port") if "port" in columns else None
    size = columns.index("burst_bytes") if burst and "burst_bytes" in columns else None
    keys = [(n, name) for n, name in enumerate(columns) if name in KEYS or name == "duration"]
    whole: tuple[int, list[str], dict[str, object]] | None = None
    by_port: dict[str, Figures] = {}

    def made() -> Iterator[Measurement]:
        if whole is not None:
            number, cells, conditions = whole
            yield Measurement(
                table, number, conditions, _figures(columns, cells), by_port,
                _differs(conditions, values),
            )  # fmt: skip

    first, inside = f"{ports},", f",{burst},"
    for number, line in enumerate(lines[head + 1 :], head + 2):
        if not line.startswith(first) and (size is None or inside not in line):
            continue
        cells = line.split(",")
        if cells[0] != ports and (size is None or cells[size] != burst):
            continue
        port = cells[at_port] if at_port is not None else ""
        if port:
            by_port[port] = _figures(columns, cells)
            continue
        yield from made()
        whole, by_port = (number, cells, _conditions(keys, cells)), {}
    yield from made()


def _conditions(keys: Sequence[tuple[int, str]], cells: Sequence[str]) -> dict[str, object]:
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
        if cell and name not in KEYS and name not in ("duration", "port")
    }


def _differs(conditions: Conditions, values: Values) -> tuple[Difference, ...]:
    own: Conditions = dict(values)
    return tuple(
        (key, its, own.get(key))
        for key, its in wanted(conditions, own).items()
        if not same(own.get(key), its)
    )
