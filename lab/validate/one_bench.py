"""Bands of a chip with one bench: rows of its other benches, all of which are left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from axiometer.published.bands.spread import Cell, Spread
from validate import compared, spreads
from validate.spreads import Held, Seen

MANY = "zynq-ultrascale-plus"
"""The chip of which one source has nearly all rows: that one is left out, alone."""


@dataclass(frozen=True)
class Chip:
    """A chip, the sources of it that are there, and how its other rows came out."""

    chip: str
    there: tuple[str, ...]
    out: tuple[str, ...]
    held: Held


def left_out(
    rows: Sequence[Seen], known: Sequence[Cell], level: Mapping[str, float]
) -> Iterator[Chip]:
    """Each chip with each one of its sources there, against bands without the others: these are as
    of a new bench. Of `MANY` only its largest source is left out."""
    for chip in dict.fromkeys(row.chip for row in rows):
        sources = list(dict.fromkeys(row.source for row in rows if row.chip == chip))
        if chip == MANY:
            most = max(sources, key=lambda of: sum(r.source == of for r in rows if r.chip == chip))
            cases = [tuple(source for source in sources if source != most)]
        else:
            cases = [(source,) for source in sources]
        for there in cases:
            out = tuple(source for source in sources if source not in there)
            own = [row for row in rows if row.chip == chip and row.source in out]
            if own:
                spread = Spread([cell for cell in known if cell.source not in out])
                yield Chip(chip, there, out, spreads.held(own, spread, "", level))


def table(found: Sequence[Chip]) -> list[str]:
    """As Markdown."""
    body = []
    for of in found:
        inside = f"{100 * spreads.share([of.held]):.1f} %"
        names = (of.chip, ", ".join(of.there), ", ".join(of.out))
        body.append((*names, of.held.rows, inside, f"±{of.held.width:.1f} %"))
    return compared.table(("chip", "there", "left out", "rows", "inside", "half width"), body)
