"""One SVG or PNG of a run or of its time stacks: panels laid out, titled, written to a file.

The picture states "simulated" where it is, its run, and the source of published figures.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

try:
    import altair as alt
except ModuleNotFoundError:
    from axiometer.present import drawing

    drawing.installed()  # says which extra is missing
    raise

from axiometer.answer.analysis.results import View
from axiometer.answer.analysis.time_classes import PointStacks, Stack
from axiometer.base import atomic_file
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.present import charts, labels
from axiometer.present.layout import layout
from axiometer.present.time_stacks import shown

INK, SOFT = "#1d2530", "#5d6878"
FONT = "Inter, Helvetica, Arial, sans-serif"


def of_run(view: View) -> alt.TopLevelMixin:
    """The picture of a run: a curve, or rows in panels."""
    shape = layout(view)
    done = [row for row in view.rows if row.stats or row.published]
    if not done:
        raise AxiometerError(
            f"run {view.run_id} has no finished point, so there is nothing to draw",
            remedy="finish it with: axiometer run EXPERIMENT --resume",
            status=RUN_FAILED,
        )
    parts = []
    across = shape.across
    x_max = charts.top(view.rows) * 1.02
    for i, panel in enumerate(shape.panels):
        if shape.curve:
            chart = charts.curve(view, shape, panel, legend=i == 0)
            chart = chart.properties(width=640 if across == 1 else 300, height=300)
        else:
            last_line = i >= len(shape.panels) - across
            first = i % across == 0
            chart = charts.bandwidth(
                view, shape, panel, x_max, axis=last_line, names=first, legend=i == 0
            )
            chart = chart.properties(
                width=620 if across == 1 else 260, height=alt.Step(30, **{"for": "position"})
            )
        if panel.title:
            chart = chart.properties(
                title=alt.TitleParams(panel.title, fontSize=12, anchor="start", color=INK)
            )
        parts.append(chart)
    body = parts[0] if len(parts) == 1 else alt.concat(*parts, columns=across, spacing=26)
    return dress(body, f"{view.title}: {view.how}" + _beside(view), _subtitle(view, shape.curve))


def _beside(view: View) -> str:
    return " beside published" if view.compared else ""


def _subtitle(view: View, curve: bool) -> list[str]:
    if curve:
        first = f"Line: {view.how} mean, shade: min–max."
        first += " Diamonds: published mean." if view.compared else ""
    else:
        first = "Mark: mean, bar: min–max over repeats, grey tick: peak"
        first += f"; at the right the error of the {view.how} mean." if view.compared else "."
    lines = [first]
    if view.compared:
        lines.append(f"Published: {view.source or view.citation}")
    if view.unvalidated:
        lines.append(labels.unvalidated(view.unvalidated))
    lines.append(f"{view.facts.title}, backend {view.backend}, run {view.run}")
    lines += view.told
    return [_cut(line) for line in lines]


def _cut(line: str, most: int = 130) -> str:
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def dress(chart: alt.TopLevelMixin, title: str, subtitle: list[str]) -> alt.TopLevelMixin:
    return (
        chart.properties(
            title=alt.TitleParams(
                title,
                subtitle=subtitle,
                anchor="start",
                frame="bounds",
                fontSize=17,
                fontWeight=600,
                color=INK,
                subtitleColor=SOFT,
                subtitleFontSize=11.5,
                subtitlePadding=6,
                subtitleLineHeight=16,
                offset=16,
            ),
            background="white",
            padding=22,
        )
        .configure(font=FONT, style={charts.ASIDE: {"color": SOFT}})
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=INK,
            titleColor=SOFT,
            titleFontWeight="normal",
            labelFontSize=11,
            titleFontSize=11,
            gridColor="#e9ecf1",
            domain=False,
            ticks=False,
            labelPadding=6,
        )
        .configure_legend(labelColor=INK, labelFontSize=11.5, symbolSize=70, titleColor=SOFT)
    )


def of_rates(what: str, rows: Sequence[dict[str, object]]) -> alt.TopLevelMixin:
    """Rates of ports as bars (`charts.ports`); `what` states whose rates, and their source."""
    return dress(charts.ports(rows), "Rates, read and written", textwrap.wrap(what, 76))


def of_stacks(view: View, found: Sequence[tuple[str, PointStacks]]) -> alt.TopLevelMixin:
    """The time stacks of some points: DRAM bars above, the streams' bars below."""
    one = len(found) == 1
    own = found[0][1].of_processor
    dram = [(label if not one else s.dram.title, s.dram) for label, s in found]
    streams = [
        (stack.title if one else f"{label} · {stack.title}", stack)
        for label, s in found
        for stack in s.streams
    ]
    where = "the transfers" if own else "the DRAM bus"
    parts = [_stacked(dram, f"Where {where} spent {'their' if own else 'its'} time")]
    if streams:
        parts.append(_stacked(streams, "Where every stream spent its time"))
    body = alt.vconcat(*parts, spacing=24).resolve_scale(color="independent")
    name = found[0][0] if one else f"{len(found)} points"
    return dress(
        body,
        f"{view.title}: {name} ({view.how})",
        [
            f"{view.facts.title}, backend {view.backend}, run {view.run}; mean over repeats",
            *view.told,
            *([labels.unvalidated(view.unvalidated)] if view.unvalidated else []),
        ],
    )


def _stacked(bars: Sequence[tuple[str, Stack]], title: str) -> alt.Chart:
    classes = shown(bars[0][1].classes)
    seen = [c for c in classes if any(stack.shows(c.key) for _, stack in bars)]
    data = [
        {"bar": label, "class": c.label, "order": i, "share": stack.share(c.key)}
        for label, stack in bars
        for i, c in enumerate(seen)
    ]
    return (
        alt.Chart(
            alt.Data(values=data),
            title=alt.TitleParams(title, anchor="start", fontSize=12, color=INK),
        )
        .mark_bar(height=alt.RelativeBandSize(0.72))
        .encode(
            x=alt.X(
                "share:Q",
                stack="zero",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(title=None, format=".0%", tickCount=5),
            ),
            y=alt.Y(
                "bar:N",
                sort=[label for label, _ in bars],
                axis=alt.Axis(title=None, labelLimit=320),
            ),
            color=alt.Color(
                "class:N",
                scale=alt.Scale(domain=[c.label for c in seen], range=[c.colour for c in seen]),
                legend=alt.Legend(title=None, orient="bottom", columns=4, symbolType="square"),
            ),
            order=alt.Order("order:Q"),
        )
        .properties(width=620, height=alt.Step(26))
    )


def write(chart: alt.TopLevelMixin, path: Path) -> None:
    """Write a chart as SVG or PNG (by the file's suffix, PNG at twice the size).

    AxiometerError for a place that cannot be written.
    """
    png = path.suffix.lower() == ".png"
    options = {"scale_factor": 2} if png else {}
    with atomic_file.whole(path) as place:
        chart.save(str(place), format="png" if png else "svg", **options)
