"""Bands and anchored rates, computed from the errors on every measured row.

Each row of the tables of measurements is simulated (`row_errors.py`). Bands are judged by leaving
out whole sources, all of a chip but one, and whole sets of a source (`spreads.py`), anchored rates
by leaving out every other size (`anchoring.py`). Files that ship:
in src/axiometer/published/, bands/{cells,benches}.csv, bands/levels.toml, anchors/kernel.toml,
anchors/errors/.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from axiometer.base import packed
from axiometer.published.anchors import errors
from axiometer.published.bands import benches, spread
from validate import anchoring, compared, row_errors, spreads
from validate.anchoring import Gain
from validate.compared import ROOT, Outcome
from validate.row_errors import Rate
from validate.spreads import Chip, Held, Seen

SHIPPED = ROOT / "src" / "axiometer" / "published"
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
    body = []
    groups: dict[tuple[str, str], list[Held]] = {}
    for h in held:
        groups.setdefault((f"{h.source}, {h.set}" if by_set else h.source, h.what), []).append(h)
    groups["**all**", "all"] = list(held)
    for (name, what), own in groups.items():
        rows = sum(h.rows for h in own)
        words = {"total": "totals", "each": "one port", "all": ""}[what]
        inside, width = 100 * spreads.share(own), spreads.width(own)
        body.append((name, words, rows, f"{inside:.1f} %", f"±{width:.1f} %"))
    first = "source, set" if by_set else "source"
    return compared.table((first, "rate", "rows", "inside", "half width"), body)


def of_chips(found: Sequence[Chip]) -> list[str]:
    """The Markdown table of chips with one bench."""
    body = []
    for of in found:
        inside = f"{100 * spreads.share([of.held]):.1f} %"
        names = (of.chip, ", ".join(of.there), ", ".join(of.out))
        body.append((*names, of.held.rows, inside, f"±{of.held.width:.1f} %"))
    return compared.table(("chip", "there", "left out", "rows", "inside", "half width"), body)


def of_gains(gains: Sequence[Gain]) -> list[str]:
    """The Markdown table of anchored rates."""
    heads = ("table", "rows", "simulated", "anchored", "in its band", "ships")
    return compared.table(
        heads,
        (
            (g.table, g.rows, f"{g.simulated:.2f} %", f"{g.anchored:.2f} %", f"{g.inside:.0f} %",
             "yes" if g.helps else "no: it does not help")
            for g in gains
        ),
    )  # fmt: skip


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
        ONE_BENCH, "", *of_chips(chips), "",
        "### Sets left out", "",
        "A row is judged as one of another set of a bench that is known.", "",
        *of_held(one, by_set=True), "",
        f"Widening, in standard deviations: {words}.", "",
        "### Anchored rates, judged", "",
        ANCHORED, "",
        *of_gains(gains), "", usp(gains),
    ])  # fmt: skip


def written(write: Callable[[Path, Any], None], what: Any) -> str:
    """What `write` puts into a file."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder, "file"), what)
        return Path(folder, "file").read_text(encoding="utf-8")


def shipped(
    found: Sequence[Rate], known: Sequence[spread.Cell], level: Mapping[str, float]
) -> dict[Path, str | None]:
    """What bands are made of."""
    of = [(r.source, r.board, r.features) for r in found if r.bench and r.what == "total"]
    text = "".join(f"{name} = {value:.2f}\n" for name, value in level.items())
    head = (
        "# By how many standard deviations bands are wider than expected (`spread.py`). Made by\n"
    )
    head += "# `python -m validate bands --write`; do not edit it.\n"
    folder = SHIPPED / "bands"
    return {
        folder / "cells.csv": written(spread.write, known),
        folder / "benches.csv": written(benches.write, benches.of(of)),
        folder / "levels.toml": head + text,
    }


def shipped_anchors(
    found: Sequence[Rate], gains: Sequence[Gain], widths: Mapping[str, float]
) -> dict[Path, str | None]:
    """What anchored rates are made of; a table that it does not help has no file."""
    folder = SHIPPED / "anchors" / "errors"
    made: dict[Path, str | None] = dict.fromkeys(map(packed.of, packed.found(folder, "*.csv")))
    helps = {g.table for g in gains if g.helps}
    for name, of in anchoring.errors(found):
        if name in helps:
            made[packed.of(folder / f"{name}.csv")] = errors.text(of)
    return made | {SHIPPED / "anchors" / "kernel.toml": anchoring.text(widths)}


def run(jobs: int) -> Outcome:
    """The page's section and the files that ship."""
    found = list(row_errors.found(jobs))
    rows = list(seen(found))
    known = spreads.cells(rows, spreads.fitted_sources())
    level = spreads.levels(rows, known)
    whole = list(spreads.left_out(rows, known, level, whole=True))
    one = list(spreads.left_out(rows, known, level, whole=False))
    cases = list(anchoring.cases(found))
    widths = anchoring.learned(cases)
    gains = anchoring.gains(cases, widths)
    text = page(whole, list(spreads.of_chips(rows, known, level)), one, level, gains)
    share = spreads.share(whole)
    files = shipped(found, known, level) | shipped_anchors(found, gains, widths)
    figure = f"{100 * share:.1f} % of left-out rows are inside"
    return Outcome(figure, share >= spreads.SHARE, [text], {"": text}, files)
