"""The report: one self-contained HTML file of one or more runs, which works offline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from axiometer.answer.analysis import comparison
from axiometer.answer.analysis.results import (
    DEGRADED_BELOW_PCT,
    WIDENED,
    Parameter,
    Row,
    View,
    modelled,
)
from axiometer.answer.analysis.time_classes import (
    DRAM_CLASSES,
    PROCESSOR_CLASSES,
    STREAM_CLASSES,
    Stack,
)
from axiometer.answer.verdicts.explained import Explained, explained
from axiometer.base import progress
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.base.units import short_rate
from axiometer.present import (
    anchored_text,
    band_text,
    board_notes,
    bottleneck_text,
    cause_colours,
    charts,
    clock_text,
    labels,
    master_rows,
    tables,
    tiles,
)
from axiometer.present import page as shell
from axiometer.present.explained_text import by_cause
from axiometer.present.explanation import label
from axiometer.present.layout import layout
from axiometer.present.text import minus, number, percent, seconds
from axiometer.present.time_stacks import shown

ERROR_ROWS = 60
"""Bars at most in the chart of errors; it shows the largest errors."""
PACKED_ABOVE = 200
"""With more points than this a page is packed: it would be larger than 1 MB."""
TALL_ABOVE = 60
"""Tables, lists and charts of more rows than this scroll within the page."""


def page(views: Sequence[View], title: str = "") -> str:
    """The report of `views` as text of an HTML file. `title`: of more than one run (default: their
    number). AxiometerError when a run has no point."""
    for view in views:
        if not view.done:
            raise AxiometerError(
                f"run {view.run_id} has no finished point, so there is nothing to report",
                remedy="finish it with: axiometer run EXPERIMENT --resume",
                status=RUN_FAILED,
            )
    specs: list[dict[str, object]] = []
    runs = [_run(view, f"r{i}", specs) for i, view in enumerate(progress.each(views, "runs"))]
    first = views[0]
    return shell.render(
        "report.html",
        specs,
        pack=sum(len(view.rows) for view in views) > PACKED_ABOVE,
        title=first.title if len(views) == 1 else title or f"{len(views)} runs",
        runs=runs,
        degraded_below=f"{DEGRADED_BELOW_PCT:g} %",
        widened=f"{WIDENED * 100:g} %",
        classes=[
            ("d", [*shown(DRAM_CLASSES), *shown(PROCESSOR_CLASSES)]),
            ("s", shown(STREAM_CLASSES)),
        ],
        stream_classes=shown(STREAM_CLASSES),
    )


def _run(view: View, anchor: str, specs: list[dict[str, object]]) -> dict[str, object]:
    # A board does not report the time classes of its DRAM.
    timed = [row for row in view.done if not row.of_board]
    points = {item.row.index: item for item in explained(view, timed, label)}
    shape = layout(view)
    panels = []
    x_max = charts.top(view.rows) * 1.02
    for panel in progress.each(shape.panels, "charts"):
        chart = (
            charts.curve(view, shape, panel, legend=True).properties(height=320)
            if shape.curve
            else charts.bandwidth(view, shape, panel, x_max, legend=False).properties(
                height=30 * len(panel.rows)
            )
        )
        lanes = not shape.curve
        name = shell.chart(specs, f"{anchor}-bw", chart, lanes=lanes)
        tall = lanes and len(panel.rows) > TALL_ABOVE
        panels.append({"title": panel.title, "id": name, "tall": tall})
    named = {index: bottleneck_text.called(item.verdict) for index, item in points.items()}
    limits = charts.causes(view, shape, named) if points else None
    causes = None
    if limits is not None:
        made, lines = limits
        name = shell.chart(specs, f"{anchor}-map", made.properties(height=16 * lines))
        kinds = dict.fromkeys(named[row.index] for row in view.done)
        causes = {
            "id": name,
            "tall": lines > TALL_ABOVE,
            "kinds": [(kind, cause_colours.of(kind)) for kind in kinds],
        }
    worst = sorted(view.compared, key=lambda row: -abs(row.error_pct or 0))[:ERROR_ROWS]
    kept = {row.index for row in worst}
    shown = [row for row in view.compared if row.index in kept]
    error_chart = None
    if shown:
        chart = charts.errors(shown).properties(height=17 * len(shown))
        error_chart = shell.chart(specs, f"{anchor}-err", chart, lanes=True)
    return {
        "anchor": anchor,
        "view": view,
        "unvalidated": labels.unvalidated(view.unvalidated),
        "clocks": [*clock_text.notes(view.clocks), *board_notes.lines(view.done, view.backend)],
        "wall": None if view.wall_s is None else seconds(view.wall_s),
        "tiles": tiles.of(view, points),
        "headline": view.headline or _headline(view),
        "findings": view.findings,
        "verdicts": _verdicts([*points.values()]),
        "causes": causes,
        "heads": [(labels.heading(k), tables.numeric(view.rows, k)) for k in view.swept],
        "rows": [_row(view, row) for row in view.rows],
        "master_heads": master_rows.HEADINGS,
        "masters": [
            (labels.key_label(row.key), cells)
            for row in view.done
            for cells in master_rows.cells(row.values, row.stats)
        ],
        "has_published": bool(view.compared),
        "anchored_note": _anchored_note(view),
        "peak_note": tables.peak_note(view),
        "curve": shape.curve,
        "tall": len(view.rows) > TALL_ABOVE,
        "panels": panels,
        "series": list(zip(charts.series_names(view), ("published", "own"), strict=False))
        if len(charts.series_names(view)) == 2
        else [(view.how, "own")],
        "error_chart": error_chart,
        "error_cut": len(view.compared) - len(shown),
        "groups": _groups(view),
        "points": [_point(item, view.again(item.row)) for item in points.values()],
        "time_of": _time_of(points.values()),
        "streams": shell.json_of(
            {i: [[s.title, _shares(s)] for s in e.stacks.streams] for i, e in points.items()}
        ),
        "origins": _origins(view),
        "provenance": _flatten(view.provenance),
    }


def _headline(view: View) -> str:
    """The rates of a run in a line."""
    rates = [row.mean for row in view.done if row.mean is not None]
    if len(rates) < 2:
        return "".join(f"{short_rate(rate)} MB/s {view.how}." for rate in rates)
    best = max(view.done, key=lambda row: row.mean or 0)
    span = f"{short_rate(min(rates))}–{short_rate(max(rates))} MB/s"
    return f"{span} {view.how} at {len(rates)} points; fastest: {labels.key_label(best.key)}."


MOST_VERDICTS = 3


def _verdicts(points: Sequence[Explained]) -> list[dict[str, str]]:
    """The limits of the points, the most frequent first, each with the advice that most of its
    points have."""
    found = []
    for same in by_cause(points)[:MOST_VERDICTS]:
        name = bottleneck_text.called(same[0].verdict)
        advice = Counter(bottleneck_text.advice(item.verdict) for item in same)
        found.append(
            {
                "cause": name,
                "colour": cause_colours.of(name),
                "points": f"{len(same)} of {len(points)} points" if len(points) > 1 else "",
                "advice": advice.most_common(1)[0][0],
            }
        )
    return found


def _anchored_note(view: View) -> str:
    """The sources of a run's anchored rates; "" where it has none."""
    found = [] if not modelled(view.backend) else [row.anchored for row in view.rows]
    return anchored_text.of_column(found) if any(found) else ""


def _row(view: View, row: Row) -> dict[str, object]:
    total, published = row.totals, row.printed
    error, point = row.error_pct, labels.key_label(row.key)
    mean, *ends = (number(total.get(k)) for k in ("mean", "min", "max"))
    return {
        "index": row.index,
        "keys": [labels.value_label(k, row.key[k]) if k in row.key else "" for k in view.swept],
        "point": point,
        "peak": number(row.ceiling.value),
        "figures": [shell.asked(mean, point, view.link(row) if total else ""), *ends],
        "std": number(total.get("std"), 4),
        "band": "–" if not modelled(view.backend) else band_text.cell(row.band, row.mean),
        "anchored": "–"
        if not modelled(view.backend) or row.anchored is None
        else number(row.anchored.rate),
        "efficiency": number(row.efficiency_pct),
        "fill": f"{min(100.0, max(0.0, row.efficiency_pct or 0)):.1f}",
        "degraded": row.degraded,
        "published": number(published.get("mean")),
        "range": "–"
        if published.get("min") is None
        else f"{number(published.get('min'))} – {number(published.get('max'))}",
        "error": minus(number(error, 2, signed=True)),
        "far": row.far,
        "role": row.role or "",
        "inside": {True: "yes", False: "no", None: ""}[row.inside()],
        "near": bool(row.inside(WIDENED)),
    }


def _groups(view: View) -> list[dict[str, object]]:
    groups = comparison.split(view.rows)
    out: list[dict[str, object]] = []
    for name in ("predicted", "fitted"):
        g = groups[name]
        if g.compared and g.worst is not None:
            out.append(
                {
                    "name": name,
                    "rows": g.compared,
                    "error": number(g.mean_abs_error_pct),
                    "worst": minus(number(g.worst.error_pct, 2, signed=True)),
                    "worst_key": labels.key_label(g.worst.key),
                    "inside": f"{g.inside} of {g.ranged}",
                    "near": f"{g.inside_widened} of {g.ranged}",
                }
            )
    return out


def _shares(stack: Stack) -> list[int]:
    """The classes' shares in ten-thousandths: finer than a bar can show."""
    return [round(stack.share(key) * 10_000) for key in stack.classes]


def _time_of(found: Iterable[Explained]) -> dict[str, object]:
    """Whose time the bars of a run are, and their classes."""
    stacks = [item.stacks for item in found]
    own = bool(stacks) and all(s.of_processor for s in stacks)
    orders = [s.dram.classes for s in stacks] or [DRAM_CLASSES]
    classes = {c.key: c for keys in orders for c in shown(keys)}
    return {
        "what": "transfer" if own else "DRAM bus",
        "classes": list(classes.values()),
    }


def _point(item: Explained, again: str) -> dict[str, object]:
    bar = [
        {"key": c.key, "label": c.label, "share": f"{s / 100:g}", "words": percent(s / 10_000, 1)}
        for c, s in zip(shown(item.stacks.dram.classes), _shares(item.stacks.dram), strict=True)
        if s > 0
    ]
    return {
        "index": item.row.index,
        "label": item.label,
        "rate": number(item.row.mean, 0),
        "degraded": item.row.degraded,
        "bar": bar,
        "cause": bottleneck_text.called(item.verdict),
        "sentence": bottleneck_text.said(item.verdict),
        "advice": " ".join(
            [bottleneck_text.advice(item.verdict), *bottleneck_text.refuted(item.verdict)]
        ),
        "elapsed": seconds(item.stacks.dram.elapsed_s),
        "again": again,
    }


# The report's words for the origins of figures; `set`: by the experiment or the command line.
_ORIGINS = {
    "source": "cited",
    "register": "from a register",
    "fitted": "fitted",
    "selected": "selected",
    "guess": "assumed",
    "set": "set for this run",
}


def _origins(view: View) -> dict[str, object]:
    count = Counter(p.kind for p in view.parameters)
    tables_of: dict[str, list[Parameter]] = {}
    for p in view.parameters:
        tables_of.setdefault(p.path.rsplit(".", 1)[0], []).append(p)
    return {
        "counted": ", ".join(
            f"{count[kind]} {words}"
            for kind, words in _ORIGINS.items()
            if count[kind] or kind != "set"
        ),
        "fitted": [p for p in view.parameters if p.kind == "fitted"],
        "selected": [p for p in view.parameters if p.kind == "selected"],
        "tables": tables_of,
        "words": _ORIGINS,
    }


def _flatten(value: Mapping[str, object], prefix: str = "") -> list[tuple[str, str]]:
    """Nested provenance as (name, text) pairs, in order."""
    out: list[tuple[str, str]] = []
    for key, item in value.items():
        name = f"{prefix}{key}"
        if isinstance(item, Mapping):
            out += _flatten(item, f"{name}.")
        elif item is not None:
            out.append((name, str(item)))
    return out
