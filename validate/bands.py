"""Bands and anchored rates, made anew from the errors on every measured row: `make` what ships.

Usage: python -m validate.bands [--write] [--jobs N] [--cache FILE]

Each row of the tables of measurements is simulated (`row_errors.py`). Bands are judged by leaving
out whole sources, all of a chip but one (`one_bench.py`), and whole sets of a source
(`spreads.py`), anchored rates by leaving out every
other size (`anchoring.py`). `--write` writes docs/bands.md and what ships: in
src/axiometer/published/, bands/{cells,benches}.csv, bands/levels.toml, anchors/kernel.toml,
anchors/errors/. `--cache` keeps the simulated rates in a file, or takes them from it.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from axiometer.published.anchors import errors
from axiometer.published.bands import benches, spread
from validate import anchoring, made_by, one_bench, row_errors, spreads
from validate.anchoring import Gain
from validate.one_bench import Chip
from validate.row_errors import Rate
from validate.spreads import Held, Seen

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "bands.md"
SHIPPED = ROOT / "src" / "axiometer" / "published"
HEAD = """\
# Bands and anchored rates

An answer has up to three figures: *measured*, where a row of a publication or of yours is the
question; *anchored*, the simulated one corrected by what was measured near it in the same set-up;
and *simulated*. The band about a rate is where nine of ten measurements are expected.

**Bands.** Where a bench on the very board measured points of this kind (direction, interface,
pattern, mapping, program, clock, ...), its band is that of another set of rows of that bench.
Otherwise it is that of a bench that nobody has seen, and the answer says what is missing; a chip
with one bench has it from how other chips' first benches came out. How wide it is depends on the
kind of rate: whether the wires are full (nothing else is as sure), reads and writes at once, one of
several ports, latency (a processor's master, or one burst in flight), the start of small transfers.
Each source counts once, however many rows it has. Benches that others set up count as the model was
when it was first laid beside them, whatever was repaired since. No band goes beyond what wires, the
memory's bus, or the masters' own rates allow. Figures that tell bands apart are assumed, with the
sources in sight (`spread.toml`); the widening is chosen so that of left-out rows nine of ten are
inside, and of no source fewer than 60 %.

*Half width*: the mean of (high - low) / 2 in percent of the simulated rate. Long tables are sampled
(`validate/row_errors.py`). A rate of one port is of one direction, 50 MB/s or more simulated.
"""

ONE_BENCH = """\
What other benches of the chip show of bands that are made with one source of it, or, of Zynq
UltraScale+, without the one that has nearly all rows. Other chips' sources are there, but for those
that are left out here; the widening is that of all sources."""

ANCHORED = """\
Near are rows of the same board, clock, direction, order, mapping and program: other bursts, other
ports, other sizes of transfers. Their errors are interpolated; how alike two are was learned from
the rows below. Where nothing is near, or leaving out shows no gain, there is no anchored rate; with
a whole set left out nothing of it is near, and the simulated rate stands. Mean absolute errors of
totals, every other size (of bursts, or transfers) left out:"""


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
    """docs/bands.md."""
    words = ", ".join(f"{name} {value:.2f}" for name, value in level.items())
    return "\n".join([
        HEAD,
        "## Whole sources left out", "",
        "As for a bench that nobody has seen.", "", *of_held(whole, by_set=False), "",
        "## A chip with one bench", "",
        ONE_BENCH, "", *one_bench.table(chips), "",
        "## Sets left out", "",
        "As for another set of rows of a bench that is there.", "", *of_held(one, by_set=True), "",
        f"Widening, in standard deviations: {words}.", "",
        "## Anchored rates", "",
        ANCHORED, "",
        *of_gains(gains), "", usp(gains), "",
        made_by("python -m validate.bands --write"),
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
    for path in folder.glob("*.csv"):
        path.unlink()
    helps = {g.table for g in gains if g.helps}
    for name, of in anchoring.errors(found):
        if name in helps:
            (folder / f"{name}.csv").write_text(errors.text(of), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the page and what ships")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--cache", type=Path, help="keep the simulated rates there")
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
        PAGE.write_text(text, encoding="utf-8")
        ship(found, known, level)
        ship_anchors(found, gains, widths)
    print(f"{100 * spreads.share(whole):.1f} % of left-out rows are inside", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
