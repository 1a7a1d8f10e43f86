"""Bands and anchored rates, computed from the errors on every measured row.

Usage: python -m validate.bands [--write] [--jobs N] [--cache FILE]

Each row of the tables of measurements is simulated (`row_errors.py`). Bands are judged by leaving
out whole sources, all of a chip but one (`one_bench.py`), and whole sets of a source
(`spreads.py`), anchored rates by leaving out every
other size (`anchoring.py`). `--write` writes a section of docs/how-sure.md and the files that ship:
in src/axiometer/published/, bands/{cells,benches}.csv, bands/levels.toml, anchors/kernel.toml,
anchors/errors/. `--cache` saves the simulated rates to a file, or reads them from it.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from axiometer.published.anchors import errors
from axiometer.published.bands import benches, spread
from validate import anchoring, marks, one_bench, packing, row_errors, spreads
from validate.anchoring import Gain
from validate.one_bench import Chip
from validate.row_errors import Rate
from validate.spreads import Held, Seen

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "src" / "axiometer" / "published"
COMMAND = "python -m validate.bands --write"
ONE_BENCH = """\
Bands are made with one source of the chip, or, for Zynq UltraScale+, without the source that has
nearly all rows; the chip's other benches judge them. Sources of other chips stay, except those that
are left out here."""

ANCHORED = """\
Mean absolute errors of totals, with every other size (of bursts, or transfers) left out:"""


def seen(rates: Iterable[Rate]) -> Iterator[Seen]:
    """Rates whose source was not looked at before, and first looks at those that were."""
    looks = list(spreads.first_looks())
    before = {look.source for look in looks}
    for r in rates:
        if r.source not in before:
            room = max(0.0, math.log(r.most / r.simulated))
            chip = str(r.features["chip"])
            yield Seen(r.source, chip, r.set, r.what, r.kind, r.error, room)
    yield from looks


def of_held(held: Sequence[Held], *, by_set: bool) -> list[str]:
    """The Markdown table of left-out rows, by source or by set."""
    lines = [
        "| " + ("source, set" if by_set else "source") + " | rate | rows | inside | half width |"
    ]
    lines.append("|---|---|---|---|---|")
    groups: dict[tuple[str, str], list[Held]] = {}
    for h in held:
        groups.setdefault((f"{h.source}, {h.set}" if by_set else h.source, h.what), []).append(h)
    groups["**all**", "all"] = list(held)
    for (name, what), own in groups.items():
        rows = sum(h.rows for h in own)
        words = {"total": "totals", "each": "one port", "all": ""}[what]
        inside, width = 100 * spreads.share(own), spreads.width(own)
        lines.append(f"| {name} | {words} | {rows} | {inside:.1f} % | ±{width:.1f} % |")
    return lines


def of_gains(gains: Sequence[Gain]) -> list[str]:
    """The Markdown table of anchored rates."""
    lines = [
        "| table | rows | simulated | anchored | in its band | ships |",
        "|---|---|---|---|---|---|",
    ]
    for g in gains:
        lines.append(
            f"| {g.table} | {g.rows} | {g.simulated:.2f} % | {g.anchored:.2f} % | {g.inside:.0f} % "
            f"| {'yes' if g.helps else 'no: it does not help'} |"
        )
    return lines


def usp(gains: Sequence[Gain]) -> str:
    """The mean over the sets of Zynq UltraScale+."""
    own = [g for g in gains if "__" in g.table]
    rows = max(1, sum(g.rows for g in own))
    mean = [sum(getattr(g, of) * g.rows for g in own) / rows for of in ("simulated", "anchored")]
    return f"Zynq UltraScale+, all sets: simulated {mean[0]:.2f} %, anchored {mean[1]:.2f} %."


def page(
    whole: Sequence[Held],
    chips: Sequence[Chip],
    one: Sequence[Held],
    level: Mapping[str, float],
    gains: Sequence[Gain],
) -> str:
    """The section of docs/how-sure.md."""
    words = ", ".join(f"{name} {value:.2f}" for name, value in level.items())
    return "\n".join([
        "### Whole sources left out", "",
        "A row is judged as one of a bench that is not known.", "",
        *of_held(whole, by_set=False), "",
        "### A chip with one bench", "",
        ONE_BENCH, "", *one_bench.table(chips), "",
        "### Sets left out", "",
        "A row is judged as one of another set of a bench that is known.", "",
        *of_held(one, by_set=True), "",
        f"Widening, in standard deviations: {words}.", "",
        "### Anchored rates, judged", "",
        ANCHORED, "",
        *of_gains(gains), "", usp(gains),
    ])  # fmt: skip


def rates(cache: Path | None, jobs: int) -> list[Rate]:
    """All rates, from the cache if it is there."""
    if cache is not None and cache.is_file():
        return row_errors.read(cache)
    found = list(row_errors.found(jobs))
    if cache is not None:
        row_errors.keep(cache, found)
    return found


def ship(found: Sequence[Rate], known: Sequence[spread.Cell], level: Mapping[str, float]) -> None:
    """What bands are made of."""
    spread.write(SHIPPED / "bands" / "cells.csv", known)
    of = [(r.source, r.board, r.features) for r in found if r.bench and r.what == "total"]
    benches.write(SHIPPED / "bands" / "benches.csv", benches.of(of))
    text = "".join(f"{name} = {value:.2f}\n" for name, value in level.items())
    head = (
        "# By how many standard deviations bands are wider than expected (`spread.py`). Made by\n"
    )
    head += "# `python -m validate.bands --write`; do not edit it.\n"
    (SHIPPED / "bands" / "levels.toml").write_text(head + text, encoding="utf-8")


def ship_anchors(found: Sequence[Rate], gains: Sequence[Gain], widths: Mapping[str, float]) -> None:
    """What anchored rates are made of."""
    anchoring.write(SHIPPED / "anchors" / "kernel.toml", widths)
    folder = SHIPPED / "anchors" / "errors"
    packing.remove(folder, "*.csv")
    helps = {g.table for g in gains if g.helps}
    for name, of in anchoring.errors(found):
        if name in helps:
            packing.write(folder / f"{name}.csv", errors.text(of))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write page and shipped files")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--cache", type=Path, help="file of simulated rates")
    args = parser.parse_args()
    found = rates(args.cache, args.jobs)
    rows = list(seen(found))
    known = spreads.cells(rows, spreads.fitted_sources())
    level = spreads.levels(rows, known)
    whole = list(spreads.left_out(rows, known, level, whole=True))
    one = list(spreads.left_out(rows, known, level, whole=False))
    cases = list(anchoring.cases(found))
    widths = anchoring.learned(cases)
    gains = anchoring.gains(cases, widths)
    chips = list(one_bench.left_out(rows, known, level))
    text = page(whole, chips, one, level, gains)
    print(text)
    if args.write:
        marks.write(marks.DOCS / "how-sure.md", COMMAND, text)
        ship(found, known, level)
        ship_anchors(found, gains, widths)
    print(f"{100 * spreads.share(whole):.1f} % of left-out rows are inside", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
