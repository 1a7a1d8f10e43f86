"""Anchored rates, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from axiometer.base.units import short_rate
from axiometer.present import band_text
from axiometer.present.text import listing
from axiometer.published.anchors import Anchored


def lines(found: Anchored | None) -> Iterator[str]:
    """The anchored rate with its band and the measurements that correct it."""
    if found is not None:
        yield (
            f"Anchored: {short_rate(found.rate)} MB/s ({band_text.NINE}: "
            f"{band_text.ends_of(found.band, found.rate)}): the simulated rate, corrected "
            f"by {found.rows} measurements near it ({listing(found.cites)}){contradicted(found)}."
        )


def short(found: Anchored) -> str:
    """The same in short, without a full stop."""
    return (
        f"{short_rate(found.rate)} MB/s anchored (by {found.rows} measurements near it), "
        f"{band_text.short(found.band, found.rate)}{contradicted(found)}"
    )


def contradicted(found: Anchored) -> str:
    """The rates by benches that contradict the anchored rate, to follow it; "" without any."""
    rates = [f"{short_rate(of.rate)} MB/s by {listing(of.cites)}" for of in found.against]
    return f"; contradicted: {listing(rates)}" if rates else ""


def beside(found: Anchored | None) -> str:
    """The rate behind a simulated gain; "" where there is none."""
    return "" if found is None else f"; anchored: {short_rate(found.rate)} MB/s"


def of_column(found: Iterable[Anchored | None]) -> str:
    """The meaning of the rates in a column, and their tables."""
    cites = dict.fromkeys(cite for each in found if each is not None for cite in each.cites)
    return f"the average, corrected by measurements near the point ({'; '.join(cites)})"


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
        "contradicted_by": [{"MBps": of.rate, "sources": list(of.cites)} for of in found.against],
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
