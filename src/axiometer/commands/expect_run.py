"""What `expect` does: runs one point here and now, explains it, and tries the advice."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer import data, laws, reference
from axiometer.advise import processor
from axiometer.analysis import collect
from axiometer.analysis.results import Row
from axiometer.analysis.time_classes import stacks
from axiometer.analysis.time_shares import Evidence
from axiometer.errors import AxiometerError
from axiometer.experiment import Experiment, master_tables
from axiometer.experiment.keys import Given
from axiometer.experiment.points import Point, normalise
from axiometer.platform import Platform
from axiometer.present.bottleneck_text import Verdict, describe, verdict
from axiometer.present.expected_point import Answer, Published
from axiometer.relax.gains import limits
from axiometer.runner.workers import Chunk, run_here

TRIAL_REPEATS = 5
"""Repeats of the point with the advice followed: enough to tell whether it helps."""


def one_point(platform: Platform, given: Mapping[str, Given]) -> Point:
    """The point that `given` describes; AxiometerError at the first value that is not right."""
    key = {name: g.value for name, g in given.items() if name != master_tables.TABLES}
    return Point(0, key, normalise(given, platform))


def answer(platform: Platform, point: Point, backend: str) -> Answer:
    """Run `point` on `backend` in this process and explain it; AxiometerError if it fails."""
    row = _run(platform, point, backend, point.values["repeats"])
    facts = collect.facts(platform)
    evidence = Evidence(stacks(row.records, describe(point.values)), row.values, facts)
    found = verdict(evidence, limits(collect.scenario(platform, row), row.mean))
    tried = _try(platform, point, found, backend)
    more = processor.more(platform, point.key, point.values)
    return Answer(platform, row, found, tried, published(platform, point), backend, more)


def _run(platform: Platform, point: Point, backend: str, repeats: int) -> Row:
    records = [
        record
        for _, part in run_here(backend, platform, [Chunk(point, 0, repeats)])
        for record in part
    ]
    laws.check(platform, point, records)
    return collect.row(collect.facts(platform), 0, point.key, point.values, records, None, platform)


def _try(platform: Platform, point: Point, found: Verdict, backend: str) -> Row | None:
    """The point with the advice followed; None where it names no change or cannot be run."""
    if not found.advice.change:
        return None
    change = {k: "+".join(v) if k == "ports" else v for k, v in found.advice.change.items()}
    change["repeats"] = min(TRIAL_REPEATS, point.values["repeats"])
    given = {name: Given(value) for name, value in (point.key | change).items()}
    try:
        trial = one_point(platform, given)
    except AxiometerError:
        return None
    return _run(platform, trial, backend, trial.values["repeats"])


def published(platform: Platform, point: Point) -> list[Published]:
    """What the shipped experiments on this platform have as published rows of this point."""
    out = []
    for name in data.names("experiments"):
        experiment = Experiment.load(name)
        if experiment.platform_name != platform.name:
            continue
        found, _ = reference.for_experiment(experiment)
        match = found.match(point.values) if found is not None else None
        # A table that does not print a condition (its caption does) matches too much: the
        # experiment that reproduces it must have this very point.
        if match is not None and any(_same(point, p) for p in experiment.points()):
            out.append(Published(match.published(), experiment.source or found.name))
    # Several experiments may have rows of one table.
    return [p for number, p in enumerate(out) if p not in out[:number]]


def _same(a: Point, b: Point) -> bool:
    """Whether two points are the same but for the number of repeats and the seed."""
    return all(a.values[k] == b.values[k] for k in a.values if k not in ("repeats", "seed"))
