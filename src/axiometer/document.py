"""The JSON document of `run --json` and `compare --json`."""

from __future__ import annotations

import math
from typing import Any

from axiometer import accelerators, reference, stats
from axiometer.store import RunData


def document(run: RunData, published: reference.Reference | None = None) -> dict[str, Any]:
    """The document of `run`: its points with their statistics, compared with `published`
    (default: what the experiment names, where it is at hand), and a summary.

    A point has its swept keys as the file wrote them, then the statistics, `published` (mean,
    min, max, std, expected; null without a row), `error_pct` (of the mean, null likewise) and
    `role`: whether the platform was fitted on that row or predicts it.
    """
    if published is None:
        published, _ = reference.for_experiment(run.experiment)
    points = [_point(run, point, published) for point in run.points]
    return {
        "experiment": run.experiment.name,
        "platform": run.platform.name,
        "backend": run.backend,
        **_unvalidated(run),
        "run": run.id,
        "wall_s": run.wall_s,
        "points": points,
        "summary": _summary(run, points),
    }


def _unvalidated(run: RunData) -> dict[str, Any]:
    """Ports of the run of which no measurement is published, if it has any."""
    found = dict.fromkeys(
        name for point in run.points for name in run.platform.unvalidated_in(point.values)
    )
    return {"unvalidated": list(found)} if found else {}


def _point(run: RunData, point: Any, published: reference.Reference | None) -> dict[str, Any]:
    figures = stats.summarise(point.records)
    row = published.match(point.values) if published else None
    mean = row.figures.get("mean") if row else None
    error = 100 * (figures["total_MBps"]["mean"] / mean - 1) if mean else None
    accelerated = (
        {"accelerators": accelerators.figures(figures, accelerators.dram_peak(run.platform))}
        if point.values.get("master") == "convolution"
        else {}
    )
    return {
        **point.key,
        **figures,
        **accelerated,
        "published": row.published() if row else None,
        "error_pct": error,
        "role": published.role(point.values, run.platform) if row and published else None,
    }


def _summary(run: RunData, points: list[dict[str, Any]]) -> dict[str, Any]:
    pairs = list(zip(run.points, points, strict=True))
    compared = [pair for pair in pairs if pair[1]["error_pct"] is not None]
    worst = max(compared, key=lambda pair: abs(pair[1]["error_pct"]), default=None)
    return {
        "points": len(points),
        "points_total": run.points_total,
        "compared": len(compared),
        "mean_abs_error_pct": _mean_error([figures for _, figures in compared]),
        "by_role": {
            role: {
                "compared": sum(figures["role"] == role for _, figures in compared),
                "mean_abs_error_pct": _mean_error(
                    [figures for _, figures in compared if figures["role"] == role]
                ),
            }
            for role in ("fitted", "predicted")
        },
        "worst": {**worst[0].key, "error_pct": worst[1]["error_pct"]} if worst else None,
        "simulated_s": math.fsum(
            record["elapsed_s"] for point in run.points for record in point.records
        ),
    }


def _mean_error(points: list[dict[str, Any]]) -> float | None:
    if not points:
        return None
    return math.fsum(abs(point["error_pct"]) for point in points) / len(points)
