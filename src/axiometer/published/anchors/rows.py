"""Rows of a table of measurements as points that differ from a point in bursts, ports and size.

A row is of the same *set-up* as a point if it is on its board and has all its conditions (clock,
direction, order of addresses, mapping, program, ...) but `FREE`. Only such rows anchor it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiometer.experiment.keys import KEYS
from axiometer.experiment.sizes import MAX_BURST_BEATS
from axiometer.experiment.values import Values
from axiometer.published.reference.table import ANY, condition, same, wanted

FREE = ("ports", "burst_bytes", "burst_beats", "transfer_bytes")
TOTAL = "total_MBps"


@dataclass(frozen=True)
class Line:
    """A row: its line in the file, its conditions, and its figures in all and by port, MB/s."""

    number: int
    conditions: Mapping[str, object]
    figures: Mapping[str, float]
    by_port: Mapping[str, Mapping[str, float]]


@cache
def of(path: Path) -> tuple[Line, ...]:
    """All rows of a table, each with those of its ports."""
    return tuple(_rows(path.read_text(encoding="utf-8").splitlines()))


def _rows(lines: list[str]) -> Iterator[Line]:
    head = next(n for n, line in enumerate(lines) if not line.startswith("#"))
    columns = lines[head].split(",")
    keys = [name for name in columns if name in KEYS and name != "duration"]
    found: Line | None = None
    by_port: dict[str, Mapping[str, float]] = {}
    for number, line in enumerate(lines[head + 1 :], head + 2):
        cells = {name: cell for name, cell in zip(columns, line.split(","), strict=True) if cell}
        figures = {name: float(cell) for name, cell in cells.items() if "_MBps" in name}
        if "port" in cells:
            by_port[cells["port"]] = figures
            continue
        if found is not None:
            yield found
        by_port = {}
        conditions: dict[str, object] = {n: condition(n, cells[n]) for n in keys if n in cells}
        if "duration" in cells:
            conditions["duration_s"] = ANY
        found = Line(number, conditions, figures, by_port)
    if found is not None:
        yield found


@dataclass(frozen=True)
class Setup:
    """Rows of a table that differ in what is `FREE` only."""

    lines: tuple[Line, ...]

    def has(self, values: Values) -> bool:
        """Whether a point of the rows' board is of this set-up."""
        own: Mapping[str, object] = dict(values)
        return all(
            name in FREE or same(own.get(name), its)
            for name, its in wanted(self.lines[0].conditions, own).items()
        )


@cache
def setups(path: Path) -> tuple[Setup, ...]:
    """The set-ups of a table."""
    found: dict[str, list[Line]] = {}
    for line in of(path):
        key = str([(n, v) for n, v in line.conditions.items() if n not in FREE])
        found.setdefault(key, []).append(line)
    return tuple(Setup(tuple(lines)) for lines in found.values())


def burst_bytes(line: Line, values: Values) -> int:
    """The burst of a row of the set-up of a point, in bytes."""
    given = line.conditions.get("burst_bytes")
    if isinstance(given, int):
        return given
    beats = line.conditions.get("burst_beats")
    return (beats if isinstance(beats, int) else MAX_BURST_BEATS) * values["width_bits"] // 8
