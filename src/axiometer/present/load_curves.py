"""Bandwidth-latency curves: tables, a picture in the terminal, a chart, a JSON document.

Rates in MB/s (1e6 bytes a second), latencies in ns. Each text states that its figures are
simulated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from axiometer.answer.analysis.load_sweep import Load, LoadPoint, bends, mean_latency
from axiometer.experiment.values import Values, having
from axiometer.present import band_text, curves, drawing, labels, measured_text
from axiometer.present.bottleneck_text import describe
from axiometer.present.grid import Column, table
from axiometer.present.text import Style, number
from axiometer.published import measured
from axiometer.published.bands import Band, bounds, rates
from axiometer.published.bands.features import TOTAL
from axiometer.published.measured import Measurement

if TYPE_CHECKING:
    import altair as alt

_WORDS = {"read": "reads", "write": "writes"}


@dataclass(frozen=True)
class Curve:
    """A load with the points of its sweep, in order of their gaps, and its unloaded latency;
    `values` are all keys of the points."""

    load: Load
    points: Sequence[LoadPoint]
    unloaded: LoadPoint
    values: Values
    label: str = ""
    """The load's owner, where several shown loads differ in more than the ratio."""

    @cached_property
    def measured(self) -> list[Measurement]:
        """Measurements of the load without a gap."""
        return measured.of_point(self.load.platform, self._open)

    @cached_property
    def nearest_measured(self) -> list[Measurement]:
        """The nearest measurements; none if the load itself was measured."""
        return [] if self.measured else measured.nearest(self.load.platform, self._open)

    @property
    def _open(self) -> Values:
        return having(self.load.point_like(self.values, 0), {"gap_cycles": 0})

    @property
    def name(self) -> str:
        if self.load.scenario is not None:
            return self.label
        reads, writes = self.load.ratio
        if not writes:
            ratio = "reads only"
        else:
            ratio = f"reads to writes {reads}:{writes}" if reads else "writes only"
        return f"{self.label}, {ratio}" if self.label else ratio


def caption(found: Sequence[Curve]) -> str:
    """The title of the curves, in a line."""
    of = "a design" if any(curve.label for curve in found) else _what(found[0])
    return f"Latency under load: {of} (simulated)"


def lines(found: Sequence[Curve], style: Style) -> list[str]:
    """The tables, each with its picture below."""
    first = found[0]
    out = [
        style.paint(caption(found), "bold"),
        style.paint(
            f"{first.load.platform.title}. The gap is in PL clocks between bursts of the direction "
            "that asks for more (of masters that differ: what each leaves besides, in clocks of "
            "its port); latency in ns, from the request to the last beat or the response.",
            "dim",
        ),
    ]
    out += [style.paint(words, "yellow") for words in _unvalidated(found)]
    for curve in found:
        alone = ", ".join(
            f"{_WORDS[d]} {one.mean:.0f} ns" for d, one in curve.unloaded.latency.items()
        )
        what = f"{curve.name} ({_what(curve)})" if curve.label else curve.name
        out += ["", f"{what}; a burst alone takes: {alone}", "", *_table(curve, style)]
        out.append(band_text.note([_band(curve, p) for p in curve.points]))
        out += _bends(curve, style)
        at = [(p.total, mean_latency(p)) for p in curve.points]
        if len(at) > 1:
            picture = curves.draw(
                at,
                _spots(curve),
                style,
                log=False,
                x_bytes=False,
                names=("mean, simulated", "reads, measured"),
                unit="ns",
            )
            out += ["", *picture, "  against MB/s"]
        out += _measured(curve)
    return out


def _measured(curve: Curve) -> list[str]:
    """Measurements of the load without a gap, or near it."""
    out = []
    for row in curve.measured:
        latency = read_latency(row)
        takes = f"; reads take {latency:.0f} ns on average" if latency else ""
        words = f"{measured_text.rate(row)}{takes} ({measured_text.source(row)})"
        out.append(f"Measured without a gap: {words}.")
    return (
        ["", *out, *measured_text.nearest(curve.nearest_measured)]
        if out or curve.nearest_measured
        else []
    )


def _spots(curve: Curve) -> list[tuple[float, float]]:
    """Measured rates with the latency of their reads."""
    latencies = ((row.rate, read_latency(row)) for row in curve.measured)
    return [(rate, latency) for rate, latency in latencies if latency is not None]


def read_latency(row: Measurement) -> float | None:
    """Mean latency of the reads of a row in ns; None where it was not measured."""
    clocks, mhz = row.figures.get("read_latency_avg_cycles"), row.conditions.get("pl_mhz")
    return clocks * 1e3 / mhz if clocks and isinstance(mhz, int | float) else None


def _band(curve: Curve, point: LoadPoint, direction: str | None = None) -> Band | None:
    """The band of a point's total, or of its rate in one direction where there is one port, up to
    what is asked for; None where nothing is known, several ports share the rate, or hardly
    anything moves."""
    values = curve.load.point_like(curve.values, point.gap_cycles)
    if direction is not None and len(point.by_port) > 1:
        return None
    most = [curve.load.asks(curve.values, point.gap_cycles, direction or "")]
    if direction is None:
        most.append(bounds.total(curve.load.platform, values))
    else:
        most.append(bounds.each(values).get((next(iter(point.by_port)), direction)))
    top = min((m for m in most if m is not None), default=None)
    if direction is not None:
        return rates.of_rate(curve.load.platform, values, point.rates[direction], top)
    return rates.of_rate(curve.load.platform, values, point.total, top, TOTAL)


def _unvalidated(found: Sequence[Curve]) -> list[str]:
    ports = found[0].load.platform.unvalidated_in(found[0].values)
    return [labels.unvalidated(ports)] if ports else []


def _what(curve: Curve) -> str:
    """The load in words, without the direction, which the ratio states."""
    words = describe(curve.values, mode=False)
    if curve.load.scenario is not None:
        return words
    pattern = curve.values["pattern"]
    return f"{words}, bursts of {curve.values['burst_bytes']} B" + (
        "" if pattern == "sequential" else f", {pattern}"
    )


def _bends(curve: Curve, style: Style) -> list[str]:
    """A note where a smaller gap gave clearly less, which could look like a mistake."""
    back = [f"{near} gave less than {far}" for near, far in bends(curve.points)]
    if not back:
        return []
    return [style.paint(f"Not monotone: a gap of {'; of '.join(back)}.", "yellow")]


def _table(curve: Curve, style: Style) -> list[str]:
    ways = curve.load.directions
    columns = [Column("gap"), Column("MB/s"), Column("90 %")]
    if len(ways) > 1:
        columns.append(Column("of it reads"))
    for way in ways:
        columns += [Column(f"{_WORDS[way]}, mean"), Column("p95")]
    columns.append(Column("in flight"))
    rows = []
    for p in curve.points:
        cells = [str(p.gap_cycles), number(p.total, 1), band_text.cell(_band(curve, p), p.total)]
        if len(ways) > 1:
            cells.append(f"{p.rates['read'] / p.total * 100:.1f} %")
        for way in ways:
            cells += [number(p.latency[way].mean, 1), number(p.latency[way].p95, 1)]
        rows.append([*cells, number(p.in_flight, 2)])
    return table(columns, rows, style)


def document(found: Sequence[Curve]) -> dict[str, object]:
    """One JSON document. Rates in MB/s, latencies in ns, gaps in PL clocks."""
    return {
        "board": found[0].load.platform.name,
        "backend": "model",
        "simulated": True,
        "unvalidated": found[0].load.platform.unvalidated_in(found[0].values),
        "values": {k: v for k, v in found[0].values.items() if k not in ("mode", "gap_cycles")},
        "curves": [
            {
                **({"of": curve.label, "keys": dict(curve.load.given)} if curve.label else {}),
                "ratio": ":".join(map(str, curve.load.ratio)),
                "unloaded_ns": _latencies(curve.unloaded),
                "measured": measured_text.document(curve.measured),
                "nearest_measured": measured_text.document(curve.nearest_measured),
                "points": [
                    {
                        "gap_cycles": p.gap_cycles,
                        "total_MBps": p.total,
                        "band": band_text.document(_band(curve, p), p.total),
                        **{f"{d}_MBps": rate for d, rate in p.rates.items()},
                        **{
                            f"{d}_band": band_text.document(_band(curve, p, d), rate)
                            for d, rate in p.rates.items()
                        },
                        "by_port_MBps": p.by_port,
                        "latency_ns": _latencies(p),
                        "mean_latency_ns": mean_latency(p),
                        "in_flight": p.in_flight,
                    }
                    for p in curve.points
                ],
            }
            for curve in found
        ],
    }


def _latencies(point: LoadPoint) -> dict[str, dict[str, float]]:
    return {
        d: {"mean": one.mean, "p95": one.p95, "bursts": one.bursts}
        for d, one in point.latency.items()
    }


def chart(found: Sequence[Curve]) -> alt.TopLevelMixin:
    """Mean (line) and p95 (dashes) of each direction against the total rate, a panel a
    direction."""
    drawing.installed("altair")  # a picture is drawn by who shows it
    import altair as alt

    from axiometer.present import charts, pictures

    data = [
        {
            "curve": curve.name,
            "way": _WORDS[way],
            "rate": p.total,
            "gap": p.gap_cycles,
            "mean": p.latency[way].mean,
            "p95": p.latency[way].p95,
        }
        for curve in found
        for p in curve.points
        for way in p.latency
    ]
    names = [curve.name for curve in found]
    colour = alt.Color(
        "curve:N",
        scale=alt.Scale(domain=names, range=charts.SERIES_COLOURS[: len(names)]),
        legend=alt.Legend(title=None, orient="top", symbolOpacity=1),
    )
    rates = [p.total for curve in found for p in curve.points if p.latency]
    top = max(*rates, *(rate for curve in found for rate, _ in _spots(curve)), 0.0) * 1.04
    panels = []
    for way in (w for w in _WORDS.values() if any(row["way"] == w for row in data)):
        base = alt.Chart(alt.Data(values=[row for row in data if row["way"] == way])).encode(
            x=alt.X(
                "rate:Q",
                scale=alt.Scale(domain=[0, top], nice=False),
                axis=alt.Axis(title="MB/s, both directions", format=",d", grid=False),
            ),
            color=colour,
            # Along the sweep: near saturation the rate may go up and down.
            order="gap:Q",
            tooltip=[
                *(alt.Tooltip(f"{name}:N") for name in ("curve", "gap")),
                *(alt.Tooltip(f"{name}:Q", format=",.1f") for name in ("rate", "mean", "p95")),
            ],
        )
        axis = alt.Axis(title=f"latency of {way}, ns", format=",d", tickCount=6)
        y = alt.Y("mean:Q", scale=alt.Scale(type="log", nice=True), axis=axis)
        marks = [
            {"curve": curve.name, "rate": rate, "mean": latency}
            for curve in found
            for rate, latency in _spots(curve)
            if way == _WORDS["read"]
        ]
        spots = alt.Chart(alt.Data(values=marks)).mark_point(
            shape="diamond", size=90, strokeWidth=2
        )
        panels.append(
            alt.layer(
                base.mark_line(strokeWidth=1.4, strokeDash=[4, 3], opacity=0.8).encode(y="p95:Q"),
                base.mark_line(strokeWidth=2, point={"size": 26, "filled": True}).encode(y=y),
                *([spots.encode(x="rate:Q", y=y, color=colour)] if marks else []),
            ).properties(width=330 if len({r["way"] for r in data}) > 1 else 620, height=300)
        )
    body = panels[0] if len(panels) == 1 else alt.hconcat(*panels, spacing=26)
    subtitle = [
        "Line: mean, dashes: 95th percentile, by the gap between bursts. Latency on a log axis.",
        *(["Diamonds: reads as they were measured."] if any(map(_spots, found)) else []),
        f"{_what(found[0])}; {found[0].load.platform.title}, backend model",
        *_unvalidated(found),
    ]
    return pictures.dress(body, "Latency under load: simulated", subtitle)
