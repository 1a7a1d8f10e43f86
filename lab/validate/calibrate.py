"""The gain from a user's own measurements: `python -m validate.calibrate [--write]`.

Draws some rows of a published set-up, as if a user had measured them, and anchors the others on
these only. Simulated rates come from the errors that ship (`validate.bands`), so this simulates
nothing. `--write` writes the table of docs/measure.md; without it, exit status 1 if the page
differs.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from axiometer.published import tables
from axiometer.published.anchors import anchor, errors, rows
from axiometer.published.anchors.anchor import Near, Place
from axiometer.published.anchors.errors import RowError
from axiometer.published.tables import Line, Table
from validate import marks

COMMAND = "python -m validate.calibrate --write"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "measure.md"
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


def lines(table: Table) -> Iterator[str]:
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
            yield (
                f"| {table.path.stem} | {count} | {share:.0f} % | {before:.1f} % | {after:.1f} % "
                f"| {rest} |"
            )


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


def table() -> str:
    """The table of the page."""
    head = "| set-up | rows measured | answers near them | simulated | anchored | far: simulated |"
    found = [line for of in tables.tables() for line in lines(of)]
    return "\n".join([head, "|---|---|---|---|---|---|", *found])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    made = marks.replaced(text, COMMAND, f"\n{table()}\n")
    if args.write:
        PAGE.write_text(made, encoding="utf-8")
    elif made != text:
        print(f"{PAGE} is not what the errors give: --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
