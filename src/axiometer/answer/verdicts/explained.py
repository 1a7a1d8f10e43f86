"""The points of a run, each with its checked time stacks and its limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from axiometer.answer.analysis.results import Row, View
from axiometer.answer.analysis.time_classes import PointStacks, stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.verdicts.verdict import Verdict, judged
from axiometer.base import progress

MOST_RELAXED = 60
"""Points of a run that are simulated with each possible cause relaxed: some tenths of a second
each."""


@dataclass(frozen=True)
class Explained:
    """One row, where its time went, and its limit."""

    row: Row
    label: str
    stacks: PointStacks
    verdict: Verdict


def explain(view: View, row: Row, label: str, simulate: bool = True) -> Explained:
    """Where the row's time went, and its limit. label: names the point. simulate: if false, the
    limit comes from time classes alone. AxiometerError when its time classes do not add up."""
    found = stacks(row.records, label)
    evidence = Evidence(found, row.values, view.facts)
    scenario = view.scenario(row) if simulate else None
    return Explained(row, label, found, judged(evidence, scenario, row.records, view.backend))


def explained(view: View, rows: Sequence[Row], called: Callable[[Row], str]) -> list[Explained]:
    """The rows with their limits, for commands and pages alike. Each is simulated with each
    possible cause relaxed; of more than `MOST_RELAXED` rows, only so many whose time classes alone
    are not sure."""
    found = [explain(view, row, called(row), simulate=False) for row in rows]
    unsure = [n for n, item in enumerate(found) if not item.verdict.sure]
    which = range(len(rows)) if len(rows) <= MOST_RELAXED else unsure[:MOST_RELAXED]
    for n in progress.each(which, "points explained"):
        found[n] = explain(view, rows[n], found[n].label)
    return found
