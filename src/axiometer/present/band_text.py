"""The bands of rates (the range of nine of ten measurements), in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from axiometer.answer.analysis.results import View, modelled
from axiometer.base.units import short_rate
from axiometer.present.text import listing
from axiometer.published.bands import SHARE, Band
from axiometer.published.bands.rates import Rate

UNKNOWN = "90 % band: not known, since nobody has measured this chip."
SHOWN = 4
NINE = {0.9: "nine of ten measurements"}[SHARE]
"""A band's content, in all texts."""
_NINETY = f"{SHARE:.0%}".replace("%", " %")


def sentence(band: Band | None, rate: float) -> str:
    """The band of a rate and its sources."""
    if band is None:
        return UNKNOWN
    ends = f"{ends_of(band, rate)} MB/s ({_percent(band.low)} to {_percent(band.high)} %)"
    if band.extrapolated:
        lacks = listing(band.extrapolated)
        return (
            f"90 % band: {ends}. EXTRAPOLATED ({lacks}): no bench of this board measured that, so "
            f"the band is as wide as for benches that were new to the model ({_sources(band)})."
        )
    return f"90 % band: {ends}, from {band.rows} similar measurements ({_sources(band)})."


def rates(found: Sequence[Rate]) -> Iterator[tuple[str, str]]:
    """Each master, or port, that moves data, with its rates in words."""
    for name in dict.fromkeys(name for name, *_ in found):
        words = [
            f"{rate:.0f} MB/s {'read' if direction == 'read' else 'written'}"
            + (f" ({_span(band, rate)})" if band is not None else "")
            for of, direction, rate, band in found
            if of == name
        ]
        yield name, ", ".join(words)


def legend(view: View) -> list[str]:
    """Lines with the bands of a run's points; none where a board measured them."""
    if not modelled(view.backend):
        return []
    found: dict[str, int] = {}
    for row in view.done:
        if row.band is None:
            span = "not known"
        else:
            span = f"{_percent(row.band.low)} to {_percent(row.band.high)} %"
            if row.band.extrapolated:
                span += f", extrapolated ({listing(row.band.extrapolated)})"
        found[span] = found.get(span, 0) + 1
    most = sorted(found.items(), key=lambda item: -item[1])
    shown = [f"{span}: {count} of {len(view.done)} points" for span, count in most[:SHOWN]]
    left = sum(count for _, count in most[SHOWN:])
    if left:
        shown.append(f"other bands: {left} points (--json has all)")
    if not shown:
        return []
    return [f"band: {NINE}", *(f"  {s}" for s in shown)]


def note(found: Sequence[Band | None], where: str = "90 %") -> str:
    """The meaning of the bands in a column or elsewhere, and why some are extrapolated."""
    lacks = dict.fromkeys(word for band in found if band is not None for word in band.extrapolated)
    words = f"{where}: {NINE}, MB/s"
    if lacks:
        words += f"; * extrapolated ({listing(list(lacks))}): no bench of the board measured that"
    if None in found:
        words += "; – not known: nobody measured the chip, or it hardly moves"
    return f"{words}."


def cell(band: Band | None, rate: float | None) -> str:
    """The band in a table, MB/s; a star where it is extrapolated."""
    if band is None or rate is None:
        return "–"
    return _span(band, rate) + ("*" if band.extrapolated else "")


def documents(found: Sequence[Rate]) -> list[dict[str, object]]:
    """Rates of ports or masters as JSON, each with its band. MB/s."""
    return [
        {"name": name, "direction": way, "MBps": rate, "band": document(band, rate)}
        for name, way, rate, band in found
    ]


def document(band: Band | None, rate: float) -> dict[str, object] | None:
    """The band of a rate as JSON. MB/s."""
    if band is None:
        return None
    return {
        "share": SHARE,
        "low_MBps": rate * band.low,
        "high_MBps": rate * band.high,
        "rows": band.rows,
        "sources": list(band.sources),
        "extrapolated": list(band.extrapolated),
    }


def short(band: Band, rate: float) -> str:
    """The band beside its rate: `90 %: 2141–2489`."""
    return f"{_NINETY}{', extrapolated' if band.extrapolated else ''}: {_span(band, rate)}"


def ends_of(band: Band, rate: float) -> str:
    """The band of a rate, in a sentence."""
    return f"{short_rate(rate * band.low)} to {short_rate(rate * band.high)}"


def _span(band: Band, rate: float) -> str:
    return f"{short_rate(rate * band.low)}–{short_rate(rate * band.high)}"


def _percent(factor: float) -> str:
    return f"{100 * (factor - 1):+.1f}"


def _sources(band: Band) -> str:
    return band.sources[0] if len(band.sources) == 1 else f"{len(band.sources)} benches"
