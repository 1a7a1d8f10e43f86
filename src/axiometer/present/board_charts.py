"""The figures of a board's report: lines of the model over burst size, published points on them.

A published point is a filled square where a figure of the platform was fitted on it, and an open
diamond where the model predicts it. A panel holds the sets of as many ports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

import altair as alt

from axiometer.answer.analysis.configuration_figures import Figures
from axiometer.present import charts, labels
from axiometer.present.board import BoardRun, Spot

Value = Callable[[Figures], float | None]
COLOURS = [*charts.SERIES_COLOURS, "#d07ab0", "#3d6b8f"]
# Letters of a name, so that two names fit side by side above a chart of the narrowest width.
WIDE_NAME = 8


@dataclass(frozen=True)
class Kind:
    """A figure: its values, sets of ports (`sizes`) and modes; `log`: a logarithmic y axis;
    `within`: the least range of its y axis."""

    key: str
    title: str
    axis: str
    value: Value
    sizes: Sequence[tuple[int, ...]]
    modes: Sequence[str]
    note: str = ""
    log: bool = False
    within: tuple[float, float] | None = None


READS, ALL = ("mixed", "ps_to_pl"), ("mixed", "ps_to_pl", "pl_to_ps")
_SIZES = ((1,), (2,), (3,), (4,))
KINDS = (
    Kind("rate", "Rate against burst size", "MB/s", lambda f: f.total, _SIZES, ALL),
    Kind(
        *("write-share", "Share of writes", "percent of all bytes"),
        *(lambda f: f.write_share, _SIZES, ("mixed",)),
    ),
    Kind(
        *("spread", "Fairness: D = A_max / A_min", "D"),
        *(lambda f: f.spread, _SIZES[1:], ALL),
        "The fastest port's rate over the slowest one's; 1 is even. Where a port moved nothing, "
        "there is no point.",
        True,
        (1.0, 2.0),
    ),
    Kind(
        *("latency", "Mean read latency", "PL clocks"),
        *(lambda f: f.latency, _SIZES, READS),
        "From the request to the last beat, with as many reads under way as the master may have.",
        True,
    ),
    Kind(
        *("inactivity", "Longest time without read data", "PL clocks"),
        *(lambda f: f.inactivity, _SIZES, READS),
        "Of any port. The boards ran for 5 s, ten times; a simulated run is far shorter and meets "
        "fewer coincidences.",
        True,
    ),
)


def panels(run: BoardRun, kind: Kind) -> Iterator[tuple[str, alt.LayerChart]]:
    """Caption and chart of each panel that has something to draw."""
    others = list(dict.fromkeys(s.other for s in run.spots))
    for other in others:
        for sizes in kind.sizes:
            spots = [s for s in run.spots if len(s.ports) in sizes and s.other == other]
            chart = lines(spots, lambda s: s.name, kind.value, kind.axis, kind.log, kind.within)
            if chart is not None:
                ports = " and ".join(_count(n) for n in sizes)
                yield f"{ports}{', ' + other if other else ''}", chart


def _count(ports: int) -> str:
    words = {1: "one port", 2: "two ports", 3: "three ports", 4: "four ports"}
    return words.get(ports, f"{ports} ports")


SHARES_NOTE = "Sets of ports that all get the same, to a tenth, at every burst size are left out."


def shares(run: BoardRun) -> Iterator[tuple[str, alt.LayerChart]]:
    """A panel for each set of ports that are served unevenly: the share of each port."""
    groups: dict[str, list[Spot]] = {}
    for spot in run.spots:
        if len(spot.ports) > 1:
            groups.setdefault(spot.name, []).append(spot)
    for name, spots in groups.items():
        if not _uneven(spots):
            continue
        data = [row for port in spots[0].ports for row in _of_port(spots, port)]
        chart = _chart(data, "percent of all bytes", log=False)
        if chart is not None:
            yield name, chart


def _of_port(spots: Sequence[Spot], port: str) -> list[Drawn]:
    return _rows(spots, lambda s: port, lambda f: f.share(port))


class Drawn(TypedDict):
    """A configuration in a chart, simulated and published."""

    x: int
    name: str
    own: float | None
    published: float | None
    role: str
    ports: str
    cause: str


def _uneven(spots: Iterable[Spot]) -> bool:
    """Whether in any figure, simulated or published, one port's rate is a tenth above another's."""
    return any(figures.uneven for s in spots for figures in (s.own, s.published) if figures)


def lines(
    spots: Sequence[Spot],
    name: Callable[[Spot], str],
    value: Value,
    axis: str,
    log: bool,
    within: tuple[float, float] | None = None,
) -> alt.LayerChart | None:
    """A line for each name; None where the model has no figure."""
    return _chart(_rows(spots, name, value), axis, log=log, within=within)


def _rows(spots: Sequence[Spot], name: Callable[[Spot], str], value: Value) -> list[Drawn]:
    out: list[Drawn] = []
    for spot in sorted(spots, key=lambda s: s.burst):
        own = value(spot.own)
        published = value(spot.published) if spot.published else None
        if own is None and published is None:
            continue
        out.append(
            {
                "x": spot.burst,
                "name": name(spot),
                "own": _round(own),
                "published": _round(published),
                "role": spot.row.role or "",
                "ports": spot.name,
                "cause": spot.cause,
            }
        )
    return out


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.5g}")


def _x(rows: Sequence[Mapping[str, object]]) -> alt.X:
    return alt.X(
        "x:Q",
        scale=alt.Scale(type="log", base=2, nice=False),
        axis=alt.Axis(
            title=labels.axis("burst_bytes"),
            grid=False,
            labelOverlap=True,
            labelExpr=charts.SIZE_LABEL,
            values=charts.powers(rows),
        ),
    )


def _chart(
    rows: list[Drawn],
    axis: str,
    *,
    log: bool,
    within: tuple[float, float] | None = None,
) -> alt.LayerChart | None:
    if not any(row["own"] is not None for row in rows):
        return None
    names = list(dict.fromkeys(row["name"] for row in rows))
    colour = alt.Color(
        "name:N",
        scale=alt.Scale(domain=names, range=COLOURS[: len(names)]),
        legend=alt.Legend(
            title=None,
            orient="top",
            symbolOpacity=1,
            columns=2 if max(map(len, names)) <= WIDE_NAME else 1,
            labelLimit=220,
        ),
    )
    scale = alt.Scale(type="log", nice=False) if log else alt.Scale(zero=True)
    if within is not None:
        both = (figure for row in rows for figure in (row["own"], row["published"]))
        shown = [figure for figure in both if figure is not None]
        scale.domain = [min(within[0], *shown), max(within[1], *shown)]
    y_axis = alt.Axis(title=axis, format=",~r", tickCount=6)
    tooltip = [
        alt.Tooltip("ports:N", title="ports"),
        alt.Tooltip("name:N", title="line"),
        alt.Tooltip("x:Q", title="burst, bytes"),
        alt.Tooltip("own:Q", title="simulated", format=",.5~g"),
        alt.Tooltip("published:Q", title="published", format=",.5~g"),
        alt.Tooltip("role:N", title="row"),
        alt.Tooltip("cause:N", title="bottleneck, simulated"),
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(x=_x(rows), color=colour)
    y = alt.Y("own:Q", scale=scale, axis=y_axis)
    own = base.transform_filter("isValid(datum.own)")
    one = len({row["x"] for row in rows}) == 1  # no line has a second end
    tick = {"orient": "horizontal", "size": 36, "thickness": 2}
    layers = [
        (own.mark_tick(**tick) if one else own.mark_line(strokeWidth=1.8)).encode(y=y),
        own.mark_point(size=40, opacity=0).encode(y=y, tooltip=tooltip),
    ]
    for role, shape, filled, size in (
        ("predicted", "diamond", False, 26),
        ("", "diamond", False, 26),
        ("fitted", "square", True, 44),
    ):
        if any(row["role"] == role and row["published"] is not None for row in rows):
            layers.append(
                base.transform_filter(f"isValid(datum.published) && datum.role === '{role}'")
                .mark_point(shape=shape, filled=filled, size=size, strokeWidth=1.1, opacity=0.9)
                .encode(y=alt.Y("published:Q", scale=scale), tooltip=tooltip)
            )
    return alt.layer(*layers)


def bottlenecks(run: BoardRun, causes: Sequence[str]) -> alt.Chart:
    """A cell for each configuration in the colour of its bottleneck; `causes` are all that the
    page shows, so that colours agree between runs."""
    rows = [
        {
            "ports": s.name + (f" · {s.other}" if s.other else ""),
            "x": s.burst,
            "cause": s.cause,
            "rate": _round(s.own.total),
            "why": s.sentence,
        }
        for s in sorted(run.spots, key=lambda s: s.burst)
    ]
    order = sorted({(s.other, len(s.ports), s.name) for s in run.spots})
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_rect(stroke=None)
        .encode(
            x=alt.X(
                "x:O",
                axis=alt.Axis(title=labels.axis("burst_bytes"), labelOverlap=True, labelAngle=0),
            ),
            y=alt.Y(
                "ports:N",
                sort=[name + (f" · {other}" if other else "") for other, _, name in order],
                axis=alt.Axis(title=None, labelLimit=200),
            ),
            color=alt.Color(
                "cause:N",
                scale=alt.Scale(domain=list(causes), range=COLOURS[: len(causes)]),
                legend=alt.Legend(
                    title=None,
                    orient="top",
                    symbolOpacity=1,
                    columns=2 if max(map(len, causes)) <= WIDE_NAME else 1,
                    labelLimit=220,
                ),
            ),
            tooltip=[
                alt.Tooltip("ports:N"),
                alt.Tooltip("x:O", title="burst, bytes"),
                alt.Tooltip("rate:Q", title="MB/s, simulated", format=",.5~g"),
                alt.Tooltip("cause:N", title="bottleneck"),
                alt.Tooltip("why:N", title="because"),
            ],
        )
        .properties(height=18 * len(order))
    )
