"""The gain from a user's own measurements.

Draws some rows of a published set-up, as if a user had measured them, and anchors the others on
these only. Simulated rates come from the errors that ship (`bands.py`), so this simulates nothing.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterator, Sequence

from axiometer.published import tables
from axiometer.published.anchors import anchor, errors, rows
from axiometer.published.anchors.anchor import Near, Place
from axiometer.published.anchors.errors import RowError
from axiometer.published.tables import Line, Table
from validate import compared
from validate.compared import Outcome

DRAWN, DRAWS, LEAST = (10, 30), 3, 100  # LEAST: rows of a set-up

Known = tuple[Line, RowError, Place]


def setups(table: Table) -> Iterator[list[Known]]:
    """The rows of each large set-up of a table of which errors ship."""
    known = errors.of(table.path)
    for setup in rows.setups(table):
        own = [(line, known[line.number]) for line in setup.lines if line.number in known]
        if len(own) >= LEAST and all("burst_bytes" in line.conditions for line, _ in own):
            yield [
                (line, error, anchor.place(line, rows.burst_bytes(line), error.share))
                for line, error in own
            ]


def lines(table: Table) -> Iterator[list[str]]:
    """The rows of the page of a table: errors in percent, of rows that were not drawn."""
    for known in setups(table):
        for count in DRAWN:
            draw = random.Random(count)
            near: list[tuple[float, float]] = []
            far: list[float] = []
            for _ in range(DRAWS):
                chosen = draw.sample(range(len(known)), count)
                of = _anchored(known, set(chosen), table)
                for simulated, anchored in of:
                    if anchored is None:
                        far.append(simulated)
                    else:
                        near.append((simulated, anchored))
            share = 100 * len(near) / (len(near) + len(far))
            before, after = (statistics.fmean(pair[n] for pair in near) for n in (0, 1))
            rest = f"{statistics.fmean(far):.1f} %" if far else "-"
            cells = (f"{share:.0f} %", f"{before:.1f} %", f"{after:.1f} %", rest)
            yield [table.path.stem, str(count), *cells]


def _anchored(
    known: Sequence[Known], chosen: set[int], table: Table
) -> Iterator[tuple[float, float | None]]:
    """Of each row that was not drawn the simulated error, and the anchored one if there is one."""
    near = [Near(known[n][2], known[n][1].error, table) for n in chosen]
    for n, (line, error, at) in enumerate(known):
        if n in chosen:
            continue
        was = line.figures[rows.TOTAL]
        simulated = was * math.exp(error.error)
        most = simulated / max(error.share, 1e-3)
        found = anchor.estimate(at, near, simulated, most, anchor.kernel())
        off = 100 * abs(simulated / was - 1)
        yield off, None if found is None else 100 * abs(found.rate / was - 1)


def table() -> list[str]:
    """The table of the page."""
    heads = ("set-up", "rows measured", "answers near them", "simulated", "anchored")
    found = (line for of in tables.tables() for line in lines(of))
    return compared.table((*heads, "far: simulated"), found)


def run() -> Outcome:
    """The page's section."""
    text = "\n".join(table())
    return Outcome(f"{text.count(chr(10)) - 1} draws", True, [text], {"": f"\n{text}\n"})
