"""Anchored rates as people and programs read them."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.base.units import short_rate
from axiometer.present.text import listing
from axiometer.published.anchors import Anchored


def lines(found: Anchored | None) -> Iterator[str]:
    """The rate beside the simulated one, with its band and what it was corrected by."""
    if found is not None:
        low, high = (short_rate(found.rate * end) for end in (found.band.low, found.band.high))
        yield (
            f"Anchored: {short_rate(found.rate)} MB/s, nine of ten from {low} to {high}: the "
            f"simulated rate, corrected by {found.rows} measurements near it "
            f"({listing(found.cites)})."
        )


def document(found: Anchored | None) -> dict[str, object] | None:
    """The rate as JSON. MB/s."""
    if found is None:
        return None
    return {
        "MBps": found.rate,
        "band": {
            "low_MBps": found.rate * found.band.low,
            "high_MBps": found.rate * found.band.high,
        },
        "rows": found.rows,
        "sources": list(found.cites),
    }


def columns(found: Anchored | None) -> dict[str, float | None]:
    """The cells of a table of points. MB/s."""
    if found is None:
        return dict.fromkeys(("anchored_MBps", "anchored_low_MBps", "anchored_high_MBps"))
    ends = found.band.low, found.band.high
    return {
        "anchored_MBps": found.rate,
        "anchored_low_MBps": found.rate * ends[0],
        "anchored_high_MBps": found.rate * ends[1],
    }
