"""The JSON documents of `run --json`, `show --json` and `compare --json`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from axiometer.answer.analysis import collect, comparison, pl_clocks
from axiometer.answer.analysis.results import Row, View, modelled
from axiometer.present import anchored_text, band_text, clock_text, measured_text
from axiometer.published import reference
from axiometer.records.store import RunData

Document = dict[str, Any]
"""As JSON has it."""


def document(run: RunData, published: reference.Reference | None = None) -> Document:
    """The document of `run`: its points with their statistics, compared with `published`
    (default: what the experiment names, where it is at hand), and a summary.

    A point has its swept keys as the file wrote them, then the statistics, `published` (mean,
    min, max, std, expected; null without a row), `error_pct` (of the mean, null likewise) and
    `role`: whether the platform was fitted on that row or predicts it.
    """
    if published is None:
        published, _ = reference.for_experiment(run.experiment)
    rows = collect.finished(run, published)
    points = [_point(row, not modelled(run.backend)) for row in rows]
    return _document(run, rows, points, {})


def _document(
    run: RunData,
    rows: Sequence[Row],
    points: Sequence[Mapping[str, object]],
    summary: Mapping[str, object],
) -> Document:
    return {
        "experiment": run.experiment.name,
        "board": run.platform.name,
        "backend": run.backend,
        **_unvalidated(run),
        "run": run.id,
        "wall_s": run.wall_s,
        "pl_clocks": [
            clock_text.document(clock) for clock in pl_clocks.of_points(run.platform, rows)
        ],
        "points": points,
        "summary": {
            "points": len(rows),
            "points_total": run.points_total,
            **_errors(comparison.split(rows)),
            "measured_by": measured_text.by(row.measured for row in rows),
            "simulated_s": _simulated_s(run),
            **summary,
        },
    }


def _simulated_s(run: RunData) -> float:
    return math.fsum(record["elapsed_s"] for point in run.points for record in point.records)


def _unvalidated(run: RunData) -> dict[str, object]:
    """Ports of the run of which no measurement is published, if it has any."""
    found = dict.fromkeys(
        name for point in run.points for name in run.platform.unvalidated_in(point.values)
    )
    return {"unvalidated": list(found)} if found else {}


def _point(row: Row, measured: bool) -> dict[str, object]:
    return {
        **row.key,
        **(row.stats or {}),
        **({"accelerators": row.accelerators} if row.accelerators else {}),
        **_published(row),
        "band": None
        if measured or not row.total
        else band_text.document(row.band, row.total["mean"]),
        "anchored": None if measured else anchored_text.document(row.anchored),
        **({} if measured else {"rates": band_text.documents(row.each)}),
    }


def _published(row: Row) -> dict[str, object]:
    return {
        "published": row.published,
        "error_pct": row.error_pct,
        "role": row.role,
        "measured": measured_text.document(row.measured),
    }


def _errors(groups: Mapping[str, comparison.Group]) -> dict[str, object]:
    every = groups["all"]
    return {
        "compared": every.compared,
        "mean_abs_error_pct": every.mean_abs_error_pct,
        "by_role": {
            role: {
                "compared": groups[role].compared,
                "mean_abs_error_pct": groups[role].mean_abs_error_pct,
            }
            for role in ("fitted", "predicted")
        },
        "worst": {**every.worst.key, "error_pct": every.worst.error_pct} if every.worst else None,
    }


def compared(view: View, run: RunData) -> Document:
    """The document of a comparison: the run's own document, with the figures that `view` compares
    it with (published ones, those of a file, or those of another run)."""
    published, _ = reference.for_experiment(run.experiment)
    rows = collect.finished(run, published)
    by_index = {row.index: row for row in view.rows}
    points = [
        _point(row, not modelled(run.backend)) | _published(by_index[row.index]) for row in rows
    ]
    groups = comparison.split(view.rows)
    every = groups["all"]
    single = comparison.parts(view.rows)
    summary = {
        "ports_and_directions": {
            "compared": len(single),
            "from_MBps": comparison.PARTS_FROM_MBPS,
            "mean_abs_error_pct": comparison.parts_error(single),
        },
        "compared_with": view.citation,
        **_errors(groups),
        "in_range": {
            "ranged": every.ranged,
            "inside": every.inside,
            "inside_widened_3_pct": every.inside_widened,
        },
        "fitted_parameters": [p.path for p in view.parameters if p.kind == "fitted"],
        "selected_parameters": [p.path for p in view.parameters if p.kind == "selected"],
    }
    return _document(run, rows, points, summary)
