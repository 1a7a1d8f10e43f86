"""How alike the errors of a set-up are, and how anchoring reduces them.

Learned by leaving out every other size, of each table in which that helps.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from axiometer.published import tables
from axiometer.published.anchors import anchor, rows
from axiometer.published.anchors.anchor import Near, Place
from axiometer.published.anchors.errors import RowError
from axiometer.published.tables import Line
from validate.row_errors import Rate

FEW = 20  # rows of a table
_DRAWN = 300  # rows that widths are learned from
_TRIED = (0.5, 2.0)
_HELPS = 0.95  # of the simulated error
HEAD = """\
# How alike the errors of two rows of a set-up are, and how sure an anchored rate is (`spread`: the
# logarithm that nine of ten rows are within where nothing is near). Made by
# `python -m validate bands --write`; do not edit it.
"""


@dataclass(frozen=True)
class Case:
    """A measured row, and the rows of its set-up that are known with it left out."""

    table: str
    at: Place
    simulated: float
    measured: float
    most: float
    near: Sequence[Near]


def cases(rates: Sequence[Rate]) -> Iterator[Case]:
    """Each row of the tables against those of the other half of sizes, of bursts or transfers."""
    of = {table.path.stem: table for table in tables.tables()}
    for name in dict.fromkeys(rate.set for rate in rates if rate.line):
        table = of[name]
        lines = {line.number: line for line in tables.every(table)}
        found = {r.line: r for r in rates if r.set == name and r.line}
        if len(found) < FEW:
            continue
        for setup in rows.setups(table):
            pairs = [(_place(lines[n], r), r) for line in setup.lines
                     for n in (line.number,) if (r := found.get(n))]  # fmt: skip
            sizes = sorted({(at.size or 0, at.burst) for at, _ in pairs})
            for half in (0, 1):
                out = set(sizes[half::2])
                near = [Near(at, r.error, table) for at, r in pairs
                        if (at.size or 0, at.burst) not in out]  # fmt: skip
                yield from (
                    Case(name, at, r.simulated, r.measured, r.most, near)
                    for at, r in pairs
                    if (at.size or 0, at.burst) in out and near
                )


def _place(line: Line, rate: Rate) -> Place:
    burst = line.conditions.get("burst_bytes")
    share = min(1.0, rate.simulated / rate.most)
    return anchor.place(line, burst if isinstance(burst, int) else rate.burst, share)


def off(case: Case, widths: Mapping[str, float]) -> tuple[float, float]:
    """ln(anchored / measured), the simulated one where nothing is near, and half of the band."""
    found = anchor.estimate(case.at, case.near, case.simulated, case.most, widths)
    if found is None:
        return math.log(case.simulated / case.measured), math.inf
    return math.log(found.rate / case.measured), found.half


def learned(found: Sequence[Case]) -> dict[str, float]:
    """The widths that leave the least mean error, and the spread that holds nine of ten."""
    widths = dict(anchor.kernel())
    drawn = random.Random(1).sample(list(found), min(_DRAWN, len(found)))

    def error(tried: Mapping[str, float]) -> float:
        return statistics.fmean(abs(off(case, tried)[0]) for case in drawn)

    best = error(widths)
    for name in [n for n in widths if n != "spread"]:
        for factor in _TRIED:
            tried = widths | {name: float(f"{widths[name] * factor:.3g}")}
            if (now := error(tried)) < best - 1e-5:
                best, widths = now, tried
    ratios = sorted(
        abs(error) / half * widths["spread"]
        for error, half in (off(case, widths) for case in drawn)
        if half < math.inf
    )
    nine = ratios[math.ceil(0.9 * (len(ratios) + 1)) - 1] if ratios else widths["spread"]
    return widths | {"spread": float(f"{nine:.3g}")}


@dataclass(frozen=True)
class Gain:
    """Mean absolute errors of a table in percent, every other size left out: of rows that are, of
    simulated and of anchored rates; and how many are in the anchored band."""

    table: str
    rows: int
    simulated: float
    anchored: float
    inside: float

    @property
    def helps(self) -> bool:
        return self.anchored < _HELPS * self.simulated


def gains(found: Sequence[Case], widths: Mapping[str, float]) -> list[Gain]:
    """Of each table."""
    out = []
    for table in dict.fromkeys(case.table for case in found):
        own = [case for case in found if case.table == table]
        offs = [off(case, widths) for case in own]
        simulated = statistics.fmean(abs(c.simulated / c.measured - 1) for c in own)
        anchored = statistics.fmean(abs(math.exp(error) - 1) for error, _ in offs)
        inside = statistics.fmean(abs(error) <= half for error, half in offs)
        out.append(Gain(table, len(own), 100 * simulated, 100 * anchored, 100 * inside))
    return out


def errors(rates: Sequence[Rate]) -> Iterator[tuple[str, dict[int, RowError]]]:
    """By table its errors, of those that have some."""
    for name in dict.fromkeys(rate.set for rate in rates if rate.line):
        own = [rate for rate in rates if rate.set == name and rate.line]
        yield name, {r.line: RowError(min(1.0, r.simulated / r.most), r.error) for r in own}


def text(widths: Mapping[str, float]) -> str:
    """`kernel.toml`."""
    return HEAD + "".join(f"{name} = {value:g}\n" for name, value in widths.items())
