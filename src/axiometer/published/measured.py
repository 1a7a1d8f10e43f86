"""Finds measurements of a point or near it: rows of shipped and own tables, with their sources.

An answer shows a row of the point itself before the model's figure, else the nearest rows with
their differences. Nothing here enters a chip's file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.platform.targets import DRAM, TARGET
from axiometer.published import asked, tables
from axiometer.published.asked import Asked
from axiometer.published.reference import parts as reference_parts
from axiometer.published.reference.parts import Parts
from axiometer.published.reference.table import Published, same, wanted
from axiometer.published.tables import Conditions, Figures, Line, Table

NEAREST = 3

Way = Literal["total", "read", "write"]
Difference = tuple[str, object, object]
"""A key, "board" or "memory", the row's value, and the point's value."""

_KIND = 4.0
"""The distance of rows for each difference in kind; a factor of two in a number is 1."""
_LESS = {"board": 2.0, "pattern": 2.0, "cache": 2.0, "mode": 3.0, "os": 1.0}
_LESS |= {"mapping": 1.0, "program": 2.0, "memory_type": 2.0, "through": 2.0}
_FURTHEST = 8.0
_ELSEWHERE = 6.0  # a memory other than the DRAM
_STATISTICS = {"mean": "", "min": "_min", "max": "_max", "std": "_std"}
_WAYS: tuple[Way, ...] = ("total", "read", "write")


@dataclass(frozen=True)
class Measurement:
    """A row of a table: its conditions (keys of an experiment), its measured figures by column
    (`total_MBps`, `read_MBps`, `reads_in_flight`, ...) in total and by port, and `differs`: its
    differences from the point (empty: it is the point itself)."""

    table: Table
    line: int
    conditions: Conditions
    figures: Figures
    by_port: Mapping[str, Figures]
    differs: tuple[Difference, ...]

    @property
    def way(self) -> Way:
        """The measured rate: total of both directions, else of the measured direction."""
        return next(way for way in _WAYS if f"{way}_MBps" in self.figures)

    @property
    def rate(self) -> float:
        """The mean of that rate, MB/s."""
        return self.figures[f"{self.way}_MBps"]


def published(row: Measurement) -> Published:
    """The row as figures for a comparison with a point."""
    total = {of: row.figures.get(f"total_MBps{end}") for of, end in _STATISTICS.items()}
    parts: Parts = {"by_port": {port: _of_port(of) for port, of in row.by_port.items()}}
    expected = row.figures.get("expected_MBps")
    found = {**total, **_parts(row.figures), **(parts if row.by_port else {}), "expected": expected}
    return cast("Published", found)


def _of_port(figures: Figures) -> Parts:
    return {"total_MBps": {"mean": figures["total_MBps"]}, **_parts(figures)}


def _parts(figures: Figures) -> Parts:
    found: Parts = {}
    for column, name in reference_parts.FIGURES.items():
        part, _, statistic = name.partition(" ")
        if column in figures and part in reference_parts.PARTS:
            found.setdefault(part, {})[statistic] = figures[column]
    return found


def of_point(platform: Platform, values: Values) -> list[Measurement]:
    """The rows of exactly this point, in the order of their tables."""
    point = asked.of(values, platform)
    if point is None or set(platform.overrides) - {TARGET}:
        return []
    own = [table for table in tables.tables() if table.board == platform.name]
    every = (of for table in own for of in _near(table, platform, point, either=False))
    return [_row(line, ()) for line, differs in every if not differs]


def nearest(platform: Platform, values: Values, count: int = NEAREST) -> list[Measurement]:
    """Up to `count` rows nearest to the point, the nearest first: of boards of its chip, with its
    ports or its burst size."""
    point = asked.of(values, platform)
    if point is None:
        return []
    every = tables.tables()
    own = [table for table in every if tables.chip_of(table.like) == platform.family]
    found = [of for table in own for of in _near(table, platform, point, either=True)]
    ranked = sorted((distance(differs), n) for n, (_, differs) in enumerate(found))
    return [_row(*found[n]) for far, n in ranked if far <= _FURTHEST][:count]


def distance(differs: Iterable[Difference]) -> float:
    """The distance of a row with these differences from its point, in doublings of a number."""
    far = 0.0
    for key, its, own in differs:
        if isinstance(its, int | float) and isinstance(own, int | float) and its > 0 < own:
            far += abs(math.log2(its / own))
        elif isinstance(its, list) and isinstance(own, list):
            far += 0.5 + abs(len(its) - len(own))
        elif key == "memory":
            far += _between(str(its), str(own))
        else:
            far += _LESS.get(key, _KIND)
    return far


def _between(its: str, own: str) -> float:
    """The distance of two memories by rate and width; a memory other than DRAM is far from DRAM."""
    one, other = (re.findall(r"-(\d+), (\d+)", words) for words in (its, own))
    if not one or not other:
        return _ELSEWHERE
    return sum(abs(math.log2(int(a) / int(b))) for a, b in zip(one[0], other[0], strict=True))


def _near(
    table: Table, platform: Platform, point: Asked, *, either: bool
) -> Iterator[tuple[Line, tuple[Difference, ...]]]:
    """Rows with the ports and the bursts of a point (`either`: with one of the two), and their
    differences."""
    bench = tuple(_bench(table, platform))
    if bench and not either:
        return
    ports, burst = point["ports"], point["burst_bytes"]
    named = "+".join(map(str, ports)) if isinstance(ports, list) else ""
    for line in tables.lines(table, named, str(burst), either=either):
        yield line, (*bench, *_differs(line.conditions, point))


def _row(line: Line, differs: tuple[Difference, ...]) -> Measurement:
    of = line.conditions, line.figures, line.by_port
    return Measurement(line.table, line.number, *of, differs)


def _bench(table: Table, platform: Platform) -> Iterator[Difference]:
    """The differences of the measured bench: its board and its memory, if known."""
    if table.board != platform.name:
        yield "board", table.board, platform.name
    own = table.board in (platform.name, table.like)
    its = table.memory or (tables.memory_of(table.board) if own else "")
    mine = _memory(platform)
    if its and mine and its != mine:
        yield "memory", its, mine


def _memory(platform: Platform) -> str:
    if platform.target != DRAM:
        return platform.target.upper()
    kind, bits = platform.word("dram.type", ""), platform.whole("dram.bus_bits")
    return tables.memory(kind, platform.number("clocks.ddr_mhz"), bits) if kind else ""


def _differs(conditions: Conditions, point: Asked) -> Iterator[Difference]:
    for key, its in wanted(conditions, point).items():
        if not same(point.get(key), its):
            yield key, its, point.get(key)
