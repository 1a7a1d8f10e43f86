"""Finds measurements of a point or near it: rows of shipped and own tables, with their sources.

An answer shows a row of the point itself before the model's figure, else the nearest rows with
their differences. A row is of a point if each key agrees, also those that its table has no column
for (`asked.py`). Nothing here enters a chip's file.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast

from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.platform.targets import DRAM, TARGET
from axiometer.published import asked, tables
from axiometer.published.asked import Asked, Difference
from axiometer.published.reference import parts as reference_parts
from axiometer.published.reference.parts import Parts
from axiometer.published.reference.table import Published
from axiometer.published.tables import Conditions, Figures, Line, Table

NEAREST = 3
APART = 0.02
"""Smallest difference of two rates of one point, as a logarithm, that is a contradiction: clocks
and timers of benches agree better."""

Way = Literal["total", "read", "write"]
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


def chosen(rows: Sequence[Measurement], *ways: Way) -> Measurement | None:
    """The row that an answer states of several of one point: the first that has a rate of `ways`
    (none given: of all, then of a direction); the user's own come first. None if no row has one."""
    of = {way: next((row for row in rows if row.way == way), None) for way in ways or _WAYS}
    return next((row for row in of.values() if row is not None), None)


def others(rows: Sequence[Measurement], of: Measurement) -> list[Measurement]:
    """The rows of the same point that contradict the chosen one: their rates differ by more than
    benches do, `APART`."""
    return [row for row in rows if row.way == of.way and abs(math.log(row.rate / of.rate)) > APART]


def of_point(platform: Platform, values: Values) -> list[Measurement]:
    """The rows of exactly this point, in the order of their tables."""
    point = asked.of(values, platform)
    if point is None or set(platform.overrides) - {TARGET}:
        return []
    return [
        _row(line, ())
        for table in tables.tables()
        if not any(_bench(table, platform))
        for line in _lines(table, point, either=False)
        if not asked.printed(line.conditions, point)
        and asked.differences(line.conditions, point, platform) == ()
    ]


def nearest(platform: Platform, values: Values, count: int = NEAREST) -> list[Measurement]:
    """Up to `count` rows nearest to the point, the nearest first: of boards of its chip, with its
    ports or its burst size."""
    point = asked.of(values, platform)
    if point is None:
        return []
    benches = {
        table: tuple(_bench(table, platform))
        for table in tables.tables()
        if tables.chip_of(table.like) == platform.family
    }
    # The printed differences are the least distance: rows wait by it until theirs is known.
    waiting: list[tuple[float, int, tuple[Difference, ...] | None, Line]] = []
    for table, bench in benches.items():
        for line in _lines(table, point, either=True):
            least = distance((*bench, *asked.printed(line.conditions, point)))
            if least <= _FURTHEST:
                waiting.append((least, len(waiting), None, line))
    heapq.heapify(waiting)
    found: list[Measurement] = []
    while waiting and len(found) < count:
        _, number, differs, line = heapq.heappop(waiting)
        if differs is not None:
            found.append(_row(line, differs))
            continue
        bench, row = benches[line.table], line.conditions
        own = asked.differences(row, point, _home(line.table, platform))
        differs = (*bench, *(asked.printed(row, point) if own is None else own))
        if distance(differs) <= _FURTHEST:
            heapq.heappush(waiting, (distance(differs), number, differs, line))
    return found


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


def _lines(table: Table, point: Asked, *, either: bool) -> Iterator[Line]:
    """Rows with the ports and the bursts of a point (`either`: with one of the two)."""
    ports, burst = point["ports"], point["burst_bytes"]
    named = "+".join(map(str, ports)) if isinstance(ports, list) else ""
    return tables.lines(table, named, str(burst), either=either)


def _home(table: Table, platform: Platform) -> Platform:
    """The board whose defaults the rows of a table have, with its masters at the measured
    memory."""
    own = platform if platform.name in (table.board, table.like) else _board(table.like)
    target = table.memory.lower()
    return own.with_overrides({TARGET: target}) if own.has(f"memory.{target}.ways") else own


@cache
def _board(name: str) -> Platform:
    return Platform.load(name)


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
