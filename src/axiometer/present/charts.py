"""Altair charts of a run: bandwidth rows, curves, errors. Each is one panel, to be laid out by
`pictures.py` (one SVG or PNG) or by the HTML report (one element a panel).

Colours carry meaning only beside a shape, a lane or a label, so that the
charts survive a grey printer. Rates in MB/s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt

from axiometer.answer.analysis.results import Row, View
from axiometer.present import cause_colours, labels
from axiometer.present.layout import Layout, Panel, number_of
from axiometer.present.text import number

ACCENT, PUBLISHED, MUTED = "#2f6fde", "#e08a2c", "#98a2b3"
PREDICTED, FITTED = "#6d4bc3", "#c2568f"
"""Colours of rows by their role; simulated (`ACCENT`) and published figures have others."""
MAP_FROM = 6
"""Fewer points are shown as a list only, without a map."""
ASIDE = "aside"  # style of text beside marks: its colour is that of the page or picture
SERIES_COLOURS = ["#2f6fde", "#2aa198", "#9a6fb5", "#cf5c54", "#b5892e", "#5b6b82", "#6aa84f"]
SIGNED = "datum.value > 0 ? '+' + datum.label : datum.label"
SIZE_LABEL = (
    "datum.value >= 1073741824 ? datum.value / 1073741824 + ' GiB' : "
    "datum.value >= 1048576 ? datum.value / 1048576 + ' MiB' : "
    "datum.value >= 1024 ? datum.value / 1024 + ' KiB' : datum.value + ' B'"
)


def top(rows: Sequence[Row]) -> float:
    """The end of a common rate axis in MB/s: the largest figure of any kind."""
    values = [0.0]
    for row in rows:
        values += [row.ceiling.value or 0.0, row.totals.get("max") or 0.0]
        values += [row.printed.get("max") or row.printed.get("mean") or 0.0]
    return max(values) or 1.0


def ports(rows: Sequence[Mapping[str, object]]) -> alt.TopLevelMixin:
    """Rates of ports, read and written, as bars: `rows` have port, read_MBps and write_MBps."""
    values = [
        {"port": row["port"], "way": way, "MBps": row[f"{way}_MBps"]}
        for row in rows
        for way in ("read", "write")
    ]
    header = alt.Header(labelAngle=0, labelAlign="left", labelFontSize=11.5)
    return (
        alt.Chart(alt.Data(values=values), width=520, height=alt.Step(15))
        .mark_bar()
        .encode(
            x=alt.X("MBps:Q", title="MB/s"),
            y=alt.Y("way:N", title=None),
            row=alt.Row("port:N", title=None, sort=None, header=header, spacing=10),
            color=alt.Color(
                "way:N", title=None, scale=alt.Scale(range=SERIES_COLOURS[:2]), legend=None
            ),
        )
    )


def _long(view: View, layout: Layout, rows: Sequence[Row]) -> list[dict[str, object]]:
    """One record a row and series (simulated, published), for charts with a lane for each."""
    out = []
    for row in rows:
        base = {
            "label": layout.label(row),
            "point": labels.key_label(row.key),
            "index": row.index,
            "peak": row.ceiling.value,
            "error": None
            if row.error_pct is None
            else number(row.error_pct, 1, signed=True) + " %",
        }
        if row.total:
            t = row.total
            out.append(
                base | {"series": view.how, "mean": t["mean"], "min": t["min"], "max": t["max"]}
            )
        p = row.printed
        if p.get("mean") is not None:
            out.append(
                base
                | {
                    "series": "published",
                    "mean": p["mean"],
                    "min": p.get("min") if p.get("min") is not None else p["mean"],
                    "max": p.get("max") if p.get("max") is not None else p["mean"],
                }
            )
    return out


def _tooltip() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("point:N", title="point"),
        alt.Tooltip("series:N", title="figures"),
        alt.Tooltip("mean:Q", title="mean, MB/s", format=",.2f"),
        alt.Tooltip("min:Q", title="minimum", format=",.2f"),
        alt.Tooltip("max:Q", title="maximum", format=",.2f"),
        alt.Tooltip("peak:Q", title="peak", format=",.0f"),
        alt.Tooltip("error:N", title="error"),
    ]


def columns_of(names: Sequence[str], width: int = 300) -> int:
    """In how many columns a legend of `names` fits into `width` pixels."""
    widest = 30 + 6.6 * max(map(len, names))
    return max(1, min(len(names), int(width / widest)))


def series_names(view: View) -> list[str]:
    """The lanes of a bandwidth panel, top to bottom."""
    has_published = any(r.printed.get("mean") is not None for r in view.rows)
    return ["published", view.how] if has_published else [view.how]


def _series_colour(view: View, legend: bool) -> alt.Color:
    names = series_names(view)
    return alt.Color(
        "series:N",
        scale=alt.Scale(domain=names, range=[PUBLISHED, ACCENT] if len(names) == 2 else [ACCENT]),
        legend=alt.Legend(title=None, orient="top", symbolOpacity=1) if legend else None,
    )


def bandwidth(
    view: View,
    layout: Layout,
    panel: Panel,
    x_max: float,
    *,
    axis: bool = True,
    names: bool = True,
    legend: bool,
) -> alt.LayerChart:
    """One panel of rows: a lane for published and one for simulated, peak as a grey tick.

    `axis` titles the x axis, `names` labels the rows (a panel at the left does it for its line).
    """
    order = [layout.label(row) for row in panel.rows]
    lanes = series_names(view)
    x = alt.X(
        "mean:Q",
        scale=alt.Scale(domain=[0, x_max], nice=False),
        axis=alt.Axis(
            title="MB/s" if axis else None,
            tickCount=5,
            format=",d",
            labelOverlap="parity",
            labelSeparation=8,
        ),
    )
    y = alt.Y("label:N", sort=order, axis=alt.Axis(title=None, labelLimit=260, labels=names))
    lane = alt.YOffset(
        "series:N", scale=alt.Scale(domain=lanes, paddingInner=0.1, paddingOuter=0.55)
    )
    data = alt.Data(values=_long(view, layout, panel.rows))
    base = alt.Chart(data).encode(y=y, tooltip=_tooltip())
    colour = _series_colour(view, legend)
    peak = base.mark_tick(thickness=1.5, color=MUTED, opacity=0.8).encode(x="peak:Q")
    span = base.mark_bar(height=5, opacity=0.45, cornerRadius=2.5).encode(
        x=alt.X("min:Q"), x2="max:Q", yOffset=lane, color=colour
    )
    mean = base.mark_point(filled=True, opacity=1, size=46).encode(
        x=x,
        yOffset=lane,
        color=colour,
        shape=alt.Shape(
            "series:N",
            scale=alt.Scale(domain=lanes, range=["diamond", "circle"][-len(lanes) :]),
            legend=alt.Legend(title=None, orient="top", symbolOpacity=1) if legend else None,
        ),
    )
    error = (
        base.transform_filter(alt.datum.series == lanes[-1])
        .transform_filter("isValid(datum.error)")  # nothing to compare with: no text
        .mark_text(align="right", dx=44, fontSize=10, style=ASIDE)
        .encode(x=alt.value("width"), text="error:N")
    )
    return alt.layer(peak, span, mean, error)


def curve(view: View, layout: Layout, panel: Panel, *, legend: bool) -> alt.LayerChart:
    """One panel of a curve: a line for each series, published points with their min–max."""
    key = layout.along or ""
    series = layout.series
    rows = []
    for row in panel.rows:
        x = number_of(row, key)
        name = labels.value_label(series, row.key[series]) if series else "all"
        p, t = row.printed, row.totals
        rows.append(
            {
                "x": x,
                "index": row.index,
                "name": name,
                "point": labels.key_label(row.key),
                "mean": t.get("mean"),
                "min": t.get("min"),
                "max": t.get("max"),
                "published": p.get("mean"),
                "pmin": p.get("min"),
                "pmax": p.get("max"),
                "error": None
                if row.error_pct is None
                else number(row.error_pct, 1, signed=True) + " %",
            }
        )
    names = list(dict.fromkeys(str(r["name"]) for r in rows))
    log, sizes = layout.log, labels.is_bytes(key)
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", base=2, nice=False) if log else alt.Scale(zero=False),
        axis=alt.Axis(
            title=labels.axis(key),
            grid=False,
            labelOverlap=True,
            **({"labelExpr": SIZE_LABEL} if sizes else {}),
            **({"values": powers(rows)} if log else {}),
        ),
    )
    palette = [ACCENT] if len(names) == 1 else SERIES_COLOURS
    colour = alt.Color(
        "name:N",
        scale=alt.Scale(domain=names, range=palette[: max(1, len(names))]),
        legend=alt.Legend(title=None, orient="top", symbolOpacity=1, columns=columns_of(names))
        if legend and len(names) > 1
        else None,
    )
    tooltip = [
        alt.Tooltip("point:N", title="point"),
        alt.Tooltip("mean:Q", title=f"{view.how}, MB/s", format=",.2f"),
        alt.Tooltip("published:Q", title="published, MB/s", format=",.2f"),
        alt.Tooltip("error:N", title="error"),
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(x=x)
    line = base.mark_line(strokeWidth=2).encode(
        y=alt.Y("mean:Q", axis=alt.Axis(title="MB/s", format=",d", tickCount=6)), color=colour
    )
    dots = base.mark_point(filled=True, size=34, opacity=1).encode(
        y="mean:Q", color=colour, tooltip=tooltip
    )
    layers = [base.mark_area(opacity=0.18).encode(y="min:Q", y2="max:Q", color=colour), line, dots]
    if any(r["published"] is not None for r in rows):
        marks = base.transform_filter("isValid(datum.published)")
        # One series keeps published apart by colour as well; several need theirs.
        own = {"color": alt.value(PUBLISHED)} if len(names) == 1 else {"color": colour}
        layers.append(
            marks.mark_point(shape="diamond", size=80, strokeWidth=1.6, filled=False).encode(
                y="published:Q", tooltip=tooltip, **own
            )
        )
    return alt.layer(*layers)


def powers(rows: Sequence[Mapping[str, object]]) -> list[int]:
    """Ticks for sizes: powers of two, thinned to about eight."""
    xs = [r["x"] for r in rows if isinstance(r["x"], int | float) and r["x"]]
    low, high = int(min(xs)).bit_length() - 1, int(max(xs)).bit_length() - 1
    step = max(1, -(-(high - low) // 8))
    return [1 << e for e in range(low, high + 1, step)]


def causes(view: View, shape: Layout, of: Mapping[int, str]) -> tuple[alt.Chart, int] | None:
    """The limit of each point, by its index, as a map with a cell a point in the colour of its
    cause; and the map's number of rows. None where the points make no map."""
    varied = [k for k in view.swept if len({str(r.key.get(k)) for r in view.done}) > 1]
    if len(varied) < 2 or len(of) < MAP_FROM:
        return None
    across = (shape.along if shape.curve else None) or _shortest(view.done, varied)
    rest = [k for k in varied if k != across]

    def place(row: Row) -> str:
        return labels.key_label({k: row.key[k] for k in rest if k in row.key})

    data = [
        {
            "x": labels.value_label(across, row.key.get(across, "")),
            "y": place(row),
            "cause": of[row.index],
            "rate": row.mean,
            "index": row.index,
        }
        for row in view.done
    ]
    columns, lines = (list(dict.fromkeys(d[axis] for d in data)) for axis in ("x", "y"))
    kinds = list(dict.fromkeys(of[row.index] for row in view.done))
    chart = (
        alt.Chart(alt.Data(values=data))
        .mark_rect(stroke=None)
        .encode(
            x=alt.X(
                "x:N",
                sort=columns,
                scale=alt.Scale(paddingInner=0.02),
                axis=alt.Axis(title=labels.heading(across), labelOverlap=True, labelAngle=0),
            ),
            y=alt.Y(
                "y:N",
                sort=lines,
                scale=alt.Scale(paddingInner=0.1),
                axis=alt.Axis(title=None, labelLimit=230),
            ),
            color=alt.Color(
                "cause:N",
                scale=alt.Scale(domain=kinds, range=[cause_colours.of(kind) for kind in kinds]),
                legend=None,
            ),
            tooltip=[
                alt.Tooltip("y:N", title="point"),
                alt.Tooltip("x:N", title=labels.heading(across)),
                alt.Tooltip("rate:Q", title="MB/s", format=",.5~g"),
                alt.Tooltip("cause:N", title="limited by"),
            ],
        )
    )
    return chart, len(lines)


def _shortest(rows: Sequence[Row], keys: Sequence[str]) -> str:
    """The key whose values need the least room side by side, of those with more than two; the
    one with the most values where none has."""
    values = {k: {labels.value_label(k, r.key.get(k, "")) for r in rows} for k in keys}
    long = [k for k in keys if len(values[k]) > 2] or [max(keys, key=lambda k: len(values[k]))]
    return min(long, key=lambda k: max(map(len, values[k])))


def errors(rows: Sequence[Row]) -> alt.LayerChart:
    """The error of every compared row as a bar from zero, fitted and predicted rows apart."""
    data = [
        {
            "point": labels.key_label(row.key),
            "error": row.error_pct,
            "role": row.role or "unknown",
            "index": row.index,
            "text": f"{row.error_pct:+.2f} %",
        }
        for row in rows
    ]
    roles = [r for r in ("predicted", "fitted", "unknown") if any(d["role"] == r for d in data)]
    shade = {"predicted": PREDICTED, "fitted": FITTED, "unknown": ACCENT}
    limit = max([3.5] + [abs(row.error_pct or 0.0) * 1.05 for row in rows])
    x = alt.X(
        "error:Q",
        scale=alt.Scale(domain=[-limit, limit], nice=False),
        axis=alt.Axis(title="error of the mean, %", tickCount=7, labelExpr=SIGNED),
    )
    band = (
        alt.Chart(alt.Data(values=[{"a": -3, "b": 3}]))
        .mark_rect(opacity=0.12, color=MUTED)
        .encode(x=alt.X("a:Q"), x2="b:Q")
    )
    bars = (
        alt.Chart(alt.Data(values=data))
        .mark_bar(height=7, cornerRadius=2)
        .encode(
            x=x,
            y=alt.Y(
                "point:N",
                sort=[d["point"] for d in data],
                axis=alt.Axis(title=None, labelLimit=320),
            ),
            color=alt.Color(
                "role:N",
                scale=alt.Scale(domain=roles, range=[shade[r] for r in roles]),
                legend=None,
            ),
            tooltip=[
                alt.Tooltip("point:N"),
                alt.Tooltip("text:N", title="error"),
                alt.Tooltip("role:N", title="row"),
            ],
        )
    )
    return alt.layer(band, bars)
