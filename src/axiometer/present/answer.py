"""The answer of `expect`: one point run here and now, with its bottleneck and tried advice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axiometer import data, laws, reference
from axiometer.advise import processor
from axiometer.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.experiment.keys import Given
from axiometer.experiment.points import Point, normalise
from axiometer.platform import Platform
from axiometer.present import clock, labels, sources, steady, text
from axiometer.present.evidence import Evidence
from axiometer.present.sentences import Verdict, describe, verdict
from axiometer.present.time_stacks import stacks
from axiometer.present.view import Row
from axiometer.runner.workers import Chunk, run_here

TRIAL_REPEATS = 5
"""Repeats of the point with the advice followed: enough to tell whether it helps."""


@dataclass(frozen=True)
class Published:
    """A published row of the same point, and the paper that prints it."""

    figures: Mapping[str, float | None]
    source: str


@dataclass(frozen=True)
class Answer:
    """A simulated point; `tried` is the point with the advice followed, where it could be;
    `more` are sentences about other masters or buffers."""

    platform: Platform
    row: Row
    verdict: Verdict
    tried: Row | None
    published: Sequence[Published]
    backend: str
    more: Sequence[str] = ()


def one_point(platform: Platform, given: Mapping[str, Given]) -> Point:
    """The point that `given` describes; AxiometerError at the first value that is not right."""
    return Point(0, {name: g.value for name, g in given.items()}, normalise(given, platform))


def answer(platform: Platform, point: Point, backend: str) -> Answer:
    """Run `point` on `backend` in this process and explain it; AxiometerError if it fails."""
    row = _run(platform, point, backend, point.values["repeats"])
    facts = sources.facts(platform)
    found = verdict(Evidence(stacks(row.records, describe(point.values)), row.values, facts))
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
    return sources.row(sources.facts(platform), 0, point.key, point.values, records, None, platform)


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


def lines(a: Answer) -> list[str]:
    """The answer in plain words."""
    total, ceiling = a.row.total, a.row.ceiling
    if total is None:
        raise AxiometerError("the backend gave no record")
    how = "measured" if a.backend == "board" else "simulated"
    spread = f"{_rate(total['min'])}–{_rate(total['max'])} over {total['n']} random starts"
    noted = clock.note(a.platform, a.row.key, a.row.values)
    out = [
        f"{a.platform.title}: {describe(a.row.values)}.",
        *([noted] if noted else []),
        "",
        f"You will get about {_rate(total['mean'])} MB/s ({how}; {spread})"
        + (f", {_share(a.row)}." if ceiling.value else "."),
        *filter(None, [steady.sentence(a.row.stats)]),
        a.verdict.sentence,
        f"→ {a.verdict.advice.text}",
    ]
    if a.tried is not None and a.tried.mean is not None and a.verdict.advice.change:
        change = labels.change_label(a.verdict.advice.change)
        gain = a.tried.mean / total["mean"] - 1
        verdict = "" if gain > 0 else ": no remedy here"
        out.append(
            f"  Tried ({how}): {change} gives about {_rate(a.tried.mean)} MB/s "
            f"({gain * 100:+.0f} %){verdict}."
        )
    unvalidated = a.platform.unvalidated_in(a.row.values)
    if unvalidated:
        out.append(labels.unvalidated(unvalidated))
    out += a.more
    for p in a.published:
        mean = p.figures.get("mean")
        if mean is None:
            continue
        span = (
            f" ({p.figures['min']:g}–{p.figures['max']:g})"
            if p.figures.get("min") is not None and p.figures.get("max") is not None
            else ""
        )
        error = text.number((total["mean"] / mean - 1) * 100, 1, signed=True)
        out.append(
            f"Published for this point: {mean:g} MB/s{span}, {p.source}; "
            f"the {how} rate is {error} % off."
        )
    return out


def _share(row: Row) -> str:
    c = row.ceiling
    part = f"{text.number(row.efficiency_pct, 1)} % of the {c.value:g} MB/s"
    if c.dram_limits:
        return f"{part} of the DRAM's peak (the ports could carry {c.ports:g})"
    return f"{part} that the ports could carry"


def _rate(value: float) -> str:
    """A rate with as many digits as mean something here."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def document(a: Answer) -> dict[str, object]:
    """The answer as one JSON document. Rates in MB/s."""
    advice = a.verdict.advice
    return {
        "platform": a.platform.name,
        "backend": a.backend,
        "values": dict(a.row.values),
        **(a.row.stats or {}),
        "expected_MBps": a.row.ceiling.value,
        "efficiency_pct": a.row.efficiency_pct,
        "bottleneck": a.verdict.cause,
        "sentence": a.verdict.sentence,
        "clock": clock.note(a.platform, a.row.key, a.row.values),
        "advice": advice.text,
        "tried": None
        if a.tried is None
        else {"change": advice.change, "total_MBps": a.tried.total},
        "more": list(a.more),
        "unvalidated": a.platform.unvalidated_in(a.row.values),
        "published": [{"source": p.source, **p.figures} for p in a.published],
    }
