"""The platform of a design in words: why it was selected, and how the design's registers differ."""

from __future__ import annotations

import dataclasses

from axiometer.designs.platform import Difference, Placed
from axiometer.platform.leaf import ORIGINS
from axiometer.present.grid import Column, table
from axiometer.present.text import Style


def lines(placed: Placed, style: Style) -> list[str]:
    """The platform, and the figures for which the design's registers have another value."""
    out = [f"Platform: {placed.why}."]
    if not placed.compared:
        return out
    count = len(placed.differences)
    compared = f"The design's registers give {placed.compared} of its figures"
    if not count:
        return [*out, f"{compared}, all equal."]
    out.append(f"{compared}; {count} differ{'s' * (count == 1)} (the platform's are used):")
    columns = [Column("figure", False), Column("platform"), Column("is", False), Column("design")]
    rows = [[d.path, _shown(d.board), d.origin, _shown(d.design)] for d in placed.differences]
    return [*out, *table(columns, rows, style)]


def document(placed: Placed) -> dict[str, object]:
    """The same for a JSON document, with the registers that each figure comes from."""
    return {
        "board": placed.platform.name,
        "title": placed.platform.title,
        "why": placed.why,
        "compared": placed.compared,
        "differences": [_difference(d) for d in placed.differences],
    }


def _difference(difference: Difference) -> dict[str, object]:
    return dataclasses.asdict(difference) | {"origin_says": ORIGINS[difference.origin]}


def _shown(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
