"""A point with its checked time stacks and its bottleneck in words, and that as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from axiometer.answer.analysis.results import Row, View
from axiometer.answer.analysis.time_classes import PointStacks, Stack, stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.gains import Found
from axiometer.answer.relax.race import limits
from axiometer.base import steps
from axiometer.present import bottleneck_text, labels, limit_text

MOST_RELAXED = 60
"""Points of a run that are simulated with each possible cause relaxed: some tenths of a second
each."""


@dataclass(frozen=True)
class Explained:
    """One row, where its time went, and what limits it."""

    row: Row
    label: str
    stacks: PointStacks
    verdict: bottleneck_text.Verdict


def explain(view: View, row: Row, relaxed: Found | None = None) -> Explained:
    """Where the row's time went. relaxed: what its relaxations gave; None if none was simulated.
    AxiometerError when its time classes do not add up."""
    label = labels.key_label(row.key) or bottleneck_text.describe(row.values)
    found = stacks(row.records, label)
    verdict = bottleneck_text.verdict(Evidence(found, row.values, view.facts), relaxed)
    return Explained(row, label, found, verdict)


def explained(view: View, rows: Sequence[Row]) -> list[Explained]:
    """The rows with what limits them, for commands and pages alike. Each is simulated with each
    possible cause relaxed; of more than `MOST_RELAXED` so many of those of which time classes alone
    are not sure."""
    told = [explain(view, row) for row in rows]
    unsure = [n for n, item in enumerate(told) if not item.verdict.sure]
    which = range(len(rows)) if len(rows) <= MOST_RELAXED else unsure[:MOST_RELAXED]
    for n in steps.each(which, "points explained"):
        row = rows[n]
        told[n] = explain(view, row, limits(view.scenario(row), row.mean, row.spread))
    return told


def _classes(stack: Stack) -> dict[str, object]:
    shares = {key: value / stack.elapsed_s for key, value in stack.seconds.items()}
    return {"classes_s": dict(stack.seconds), "shares": shares}


def document(view: View, found: list[Explained]) -> dict[str, object]:
    """The explanation as one JSON document. Seconds are means over the repeats."""
    return {
        "experiment": view.name,
        "platform": view.facts.name,
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
                **limit_text.document(item.verdict.found),
                "sentence": item.verdict.sentence,
                "starved": [asdict(s) for s in item.verdict.starved],
                "advice": item.verdict.advice.text,
                "change": item.verdict.advice.change,
                "command": view.again(item.row),
            }
            for item in found
        ],
    }
