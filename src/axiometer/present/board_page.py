"""The report of a board: one self-contained HTML file with a publication's figures redrawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import altair as alt

from axiometer.answer.analysis.comparison import by_role
from axiometer.answer.analysis.results import View
from axiometer.base import progress
from axiometer.present import board_charts, clock_text, labels, page
from axiometer.present.board import BoardRun, Peak, peaks
from axiometer.present.text import minus, number, seconds, size


def render(runs: Sequence[BoardRun]) -> str:
    """The report of `runs`, all of one board, as text of an HTML file."""
    specs: page.Specs = []
    causes = list(dict.fromkeys(s.cause for run in runs for s in run.spots))
    articles = [
        _article(run, f"b{i}", specs, causes) for i, run in enumerate(progress.each(runs, "runs"))
    ]
    first = runs[0].view
    return page.render(
        "board.html",
        specs,
        title=f"{first.facts.title}: figures",
        board=first.facts,
        articles=articles,
        simulated=first.simulated,
        published=any(run.view.compared for run in runs),
    )


def _article(
    run: BoardRun, anchor: str, specs: page.Specs, causes: Sequence[str]
) -> dict[str, object]:
    view = run.view

    def figure(
        title: str, note: str, made: Iterable[tuple[str, alt.LayerChart]]
    ) -> dict[str, object] | None:
        panels = [
            {
                "caption": caption,
                "id": page.chart(specs, anchor, chart.properties(height=260), lazy=True),
            }
            for caption, chart in made
        ]
        return {"title": title, "note": note, "panels": panels} if panels else None

    kinds = [
        k for k in board_charts.KINDS if run.mode in k.modes and (run.whole or k.key == "rate")
    ]
    figures = [figure(k.title, k.note, board_charts.panels(run, k)) for k in kinds]
    if run.whole:
        shares = figure("Shares of the ports", board_charts.SHARES_NOTE, board_charts.shares(run))
        figures.insert(1, shares)
    grid = page.chart(specs, anchor, board_charts.bottlenecks(run, causes), lazy=True)
    return {
        "anchor": anchor,
        "view": view,
        "unvalidated": labels.unvalidated(view.unvalidated),
        "clocks": clock_text.notes(view.clocks),
        "mode": labels.value_label("mode", run.mode),
        "wall": None if view.wall_s is None else seconds(view.wall_s),
        "figures": [f for f in figures if f],
        "grid": grid,
        "errors": [
            {
                "role": e.role,
                "rows": e.rows,
                "mean": number(e.mean),
                "ninety": number(e.ninety),
                "parts": number(e.parts),
            }
            for e in by_role(run.view.compared)
        ],
        "peaks": [_peak(view, p) for p in peaks(run)] if run.whole else [],
    }


def _peak(view: View, p: Peak) -> dict[str, object]:
    theirs = p.published.published if p.published else None
    own, burst = p.own.own.total or 0.0, size(p.own.burst)
    error = (own / theirs.total - 1) * 100 if theirs and theirs.total else None
    return {
        "ports": p.ports,
        "own": page.asked(number(own, 0), f"{p.ports} at {burst}", view.link(p.own.row)),
        "own_burst": burst,
        "published": number(theirs.total, 0) if theirs else "–",
        "published_burst": size(p.published.burst) if p.published else "–",
        "error": minus(number(error, 1, signed=True)),
        "cause": p.own.cause,
    }
