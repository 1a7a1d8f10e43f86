"""The model's error on every measured row that it can simulate.

One loop over the tables of measurements (`published.measured`): of each row its point on the board
that the table names is simulated. Rows that no experiment's keys describe are left out. Of long
tables a part is taken: sets of ports that measure the same count once, large bursts by the half,
and of tables without such every third row. AMD's generators (`part_load.py`), which are no table,
are beside them.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache

from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import Point, single
from axiometer.platform import Platform
from axiometer.published import tables
from axiometer.published.anchors import rows
from axiometer.published.bands import bounds, features, spread
from axiometer.published.bands.features import EACH, TOTAL, Features
from axiometer.published.bands.rates import LEAST_MBPS
from axiometer.published.bands.spread import Kind
from axiometer.published.reference.table import ANY, as_keys
from axiometer.published.tables import Line, Table
from axiometer.runs.backends import model
from validate import part_load

REPEATS = 5
LONG = 300  # rows
_SAME = 0.01  # of a rate
_LARGE = 512  # bytes of a burst
_STANDS = 1.0  # MB/s: a published port that moves less stands
_MASTERS = "amd-spm"


@dataclass(frozen=True)
class Rate:
    """A measured rate and the simulated one, MB/s, `most` what its wires carry; `line` of the
    table's file where it is the total of a row, `bench` whether `board` is the measured one."""

    source: str
    set: str
    board: str
    bench: bool
    line: int
    burst: int
    what: str
    features: Features
    kind: Kind
    simulated: float
    measured: float
    most: float

    @property
    def error(self) -> float:
        return math.log(self.simulated / self.measured)


def point(line: Line, platform: Platform) -> Point | None:
    """The point of a row on a board; None where an experiment's keys cannot say it."""
    if ANY in [value for name, value in line.conditions.items() if name != "duration_s"]:
        return None
    try:
        return single(platform, as_keys(line.conditions))
    except AxiometerError:
        return None


def simulate(job: tuple[Table, Line]) -> list[Rate]:
    """The total of a row, and the rates of its ports; none where it cannot be asked."""
    table, line = job
    platform = _platform(table.like)
    of = point(line, platform)
    if of is None or rows.TOTAL not in line.figures or platform.name != _board(table):
        return []
    count = 1 if of.values["duration_s"] else REPEATS
    records = model.run_repeats(platform, of, 0, 0, count)
    total = statistics.fmean(record["total_MBps"] for record in records)
    rates = [(TOTAL, total, line.figures[rows.TOTAL], bounds.total(platform, of.values))]
    most = bounds.each(of.values)
    for port, figures in line.by_port.items() if len(most) > 1 else ():
        for way in ("read", "write"):
            found = statistics.fmean(r["by_port"][port][f"{way}_MBps"] for r in records)
            published = figures.get(f"{way}_MBps", 0.0)
            if found >= LEAST_MBPS and published >= _STANDS:
                rates.append((EACH, found, published, most.get((port, way))))
    return [
        _rate(table, line.number if what == TOTAL else 0, platform, of, what, found, was, top)
        for what, found, was, top in rates
    ]


def _rate(
    table: Table, line: int, platform: Platform, of: Point, what: str,
    simulated: float, published: float, most: float | None,
) -> Rate:  # fmt: skip
    like = features.of(platform, of.values, what)
    most = most or math.inf
    kind = spread.kind(of.values, like, simulated / most)
    own = table.board == table.like
    return Rate(
        table.source, table.path.stem, platform.name, own, line, of.values["burst_bytes"], what,
        like, kind, simulated, published, most,
    )  # fmt: skip


def _board(table: Table) -> str:
    """The board whose DRAM the rows are of; "" where they are of another memory."""
    return "" if table.memory == "OCM" else table.like


_platform = cache(Platform.load)


def part(lines: Sequence[Line]) -> list[Line]:
    """The rows of a table that are simulated."""
    if len(lines) <= LONG:
        return list(lines)
    sets: dict[str, dict[object, float]] = {}
    for line in lines:
        ports = str(line.conditions.get("ports"))
        rate = line.figures.get(rows.TOTAL, 0.0)
        sets.setdefault(ports, {})[line.conditions.get("burst_bytes")] = rate
    if len(sets) == 1:
        return list(lines[::3])
    kept: list[str] = []
    for ports, rates in sets.items():
        if not any(_same(rates, sets[other]) for other in kept):
            kept.append(ports)
    return [
        line
        for line in lines
        if str(line.conditions.get("ports")) in kept and _taken(line.conditions["burst_bytes"])
    ]


def _same(a: Mapping[object, float], b: Mapping[object, float]) -> bool:
    """Whether nine of ten rates are."""
    close = sum(abs(rate - b.get(burst, 0.0)) <= _SAME * rate for burst, rate in a.items())
    return close >= 0.9 * len(a)  # noqa: PLR2004


def _taken(burst: object) -> bool:
    return isinstance(burst, int) and (burst <= _LARGE or burst % 256 == 0)


def found(jobs: int) -> Iterator[Rate]:
    """All rates."""
    for table in tables.tables():
        print(table.path.stem, file=sys.stderr, flush=True)
        work = [(table, line) for line in part(list(tables.every(table)))]
        with ProcessPoolExecutor(jobs) as pool:
            for rates in pool.map(simulate, work, chunksize=8):
                yield from rates
    yield from _generators()


def _generators() -> Iterator[Rate]:
    """Rates of each of AMD's generators, its regions in banks of their own (`part_load`)."""
    published = part_load.published()
    apart = list(part_load.BASES.values())[-1]
    kinds = {
        name: (features.of(at, values, EACH), values)
        for name, generators in part_load.scenarios(published).items()
        for at in (part_load.at(name),)
        for values in (part_load.asked(at, generators, apart).values,)
    }
    for row in part_load.rows(published, apart):
        like, values = kinds[row.scenario]
        simulated, was = row.simulated["rate"], row.measured["rate"]
        kind = spread.kind(values, like, simulated / row.asked)
        yield Rate(
            _MASTERS, "zc702-part-load", part_load.BOARD, row.scenario != part_load.OCM, 0,
            part_load.BURST_BYTES, EACH, like, kind, simulated, was, row.asked,
        )  # fmt: skip
