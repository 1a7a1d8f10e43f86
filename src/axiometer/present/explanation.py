"""Explained points (`answer/verdicts/explained.py`) as JSON, and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from axiometer.answer.analysis.results import Row, View
from axiometer.answer.analysis.time_classes import Stack
from axiometer.answer.verdicts.explained import Explained
from axiometer.present import bottleneck_text, cause_text, labels, trial_text


def label(row: Row) -> str:
    """The label of a row's point: its swept keys, or the whole point."""
    return labels.key_label(row.key) or bottleneck_text.describe(row.values)


def _classes(stack: Stack) -> dict[str, object]:
    shares = {key: value / stack.elapsed_s for key, value in stack.seconds.items()}
    return {"classes_s": dict(stack.seconds), "shares": shares}


def document(view: View, found: Sequence[Explained]) -> dict[str, object]:
    """The explanation as one JSON document. Seconds are means over the repeats."""
    return {
        "experiment": view.name,
        "board": view.facts.name,
        "backend": view.backend,
        **({"unvalidated": view.unvalidated} if view.unvalidated else {}),
        "run": view.run_id,
        "complete": view.complete,
        "points": [
            {
                **item.row.key,
                "total_MBps": item.row.mean,
                "elapsed_s": item.stacks.dram.elapsed_s,
                "dram": None if item.stacks.of_processor else _classes(item.stacks.dram),
                **({"processor": _classes(item.stacks.dram)} if item.stacks.of_processor else {}),
                "streams": [
                    {"port": s.port, "direction": s.direction} | _classes(s)
                    for s in item.stacks.streams
                ],
                "bottleneck": item.verdict.cause,
                "bottleneck_share": item.verdict.score,
                "sure": item.verdict.sure,
                **cause_text.document(item.verdict.found),
                "sentence": bottleneck_text.sentence(item.verdict),
                "starved": [asdict(s) for s in item.verdict.starved],
                "advice": bottleneck_text.advice(item.verdict),
                "change": item.verdict.change,
                "trials": trial_text.documents(item.verdict.remedy.trials),
                "refuted": trial_text.documents(item.verdict.remedy.refuted),
                "command": view.again(item.row),
            }
            for item in found
        ],
    }
