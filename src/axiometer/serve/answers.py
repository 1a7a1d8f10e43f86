"""Answers of a point for the page: at once while somebody drags, and whole when they let go.

All are answers of `expect`, in its words. The quick one is of one short start, and a curve's points
are of one whole start, both with their cause from time classes alone; the whole one is that of
`axm.expect`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from axiometer.answer.analysis import burst_latency, collect
from axiometer.answer.analysis.results import Row
from axiometer.answer.analysis.stats import rate_of
from axiometer.answer.analysis.time_classes import Stack, stacks
from axiometer.answer.relax.gains import short
from axiometer.answer.verdicts.expected import Answer
from axiometer.answer.verdicts.verdict import verdict
from axiometer.api.changed import plain
from axiometer.api.expectation import answer as explained
from axiometer.api.expectation import evidence
from axiometer.api.sampling import sampled
from axiometer.base.errors import AxiometerError
from axiometer.base.units import short_rate
from axiometer.experiment import master_keys, settings
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.points import Point
from axiometer.experiment.values import having, known
from axiometer.platform import Platform
from axiometer.present import (
    anchored_text,
    band_text,
    bottleneck_text,
    cause_colours,
    expected_point,
    latency_text,
    measured_text,
    time_stacks,
)
from axiometer.present.bottleneck_text import describe
from axiometer.runs import backends
from axiometer.runs.runner.workers import Chunk, compute
from axiometer.serve import question
from axiometer.serve.question import Question
from axiometer.serve.work import Document
from axiometer.simulate import cost, side_by_side
from axiometer.simulate.remembered import Outcomes, remembering
from axiometer.simulate.scenario import Scenario

QUICK_S = 1e-3
"""Simulated time of the quick answer: past the start-up of any board, and quick enough to drag."""
QUICK_BYTES = 1 << 20
"""The same for a transfer by the processor or its DMA engine: more than any cache holds."""
MOST_CLOCKS = 10**11
"""Bound of the work of one start; the default of the slowest board is a tenth of it."""
BACKEND = "model"


def quick(platform: Platform, point: Point) -> Answer:
    """The answer of one short start. AxiometerError if the point cannot run."""
    _check(platform, point)
    if point.values["master"] in AT_MEMORY:
        scenario = short(Scenario.of(platform, point.values), QUICK_S)
        records = side_by_side.repeats(scenario, [0], point.values["seed"])
    else:
        size = min(point.values["transfer_bytes"] or QUICK_BYTES, QUICK_BYTES)
        part = replace(point, values=having(point.values, {"transfer_bytes": size}))
        records = compute(backends.load(BACKEND), platform, Chunk(part, 0, 1))
    facts = collect.facts(platform)
    return _of_classes(
        collect.row(facts, 0, point.key, point.values, records, None, platform), platform
    )


def one_start(platform: Platform, point: Point) -> Answer:
    """The answer of one whole start, as `axm.expect` simulates it. AxiometerError if the point
    cannot run."""
    _check(platform, point)
    row, _ = sampled(platform, point, BACKEND, enough=lambda _rate, _half: True)
    return _of_classes(row, platform)


def _of_classes(row: Row, platform: Platform) -> Answer:
    """The answer of a row with its limit from time classes alone."""
    found = verdict(evidence(platform, row))
    return Answer(platform, row, found, found.remedy, (), BACKEND)


def whole(platform: Platform, point: Point) -> Answer:
    """The answer of `axm.expect`. AxiometerError if the point cannot run."""
    _check(platform, point)
    kept: Outcomes = {}
    with remembering(kept):
        row, how = sampled(platform, point, BACKEND)
        return explained(platform, point, row, BACKEND, how)


def _check(platform: Platform, point: Point) -> None:
    """AxiometerError if a start would occupy the server for long."""
    if point.values["master"] not in AT_MEMORY:
        return
    clocks = cost.announced(Scenario.of(platform, point.values))
    if clocks > MOST_CLOCKS:
        raise AxiometerError(
            f"this point would simulate up to {clocks:.0e} clocks a start, too many for the page",
            remedy="ask for a smaller transfer, or use the command",
        )


def document(of: Question, a: Answer, is_whole: bool) -> Document:
    """The answer as the page shows it. Rates in MB/s; all words are made here."""
    total = a.total["mean"]
    stats = known(a.row.stats)
    name = bottleneck_text.called(a.verdict)
    measured = [
        *measured_text.lines(a.measured, lambda way: rate_of(stats, way)["mean"]),
        *anchored_text.lines(a.anchored),
        *measured_text.nearest(a.nearest_measured),
    ]
    return {
        "whole": is_whole,
        "title": a.platform.title,
        "what": describe(a.row.values),
        "rate": short_rate(total),
        "total_MBps": total,
        "read_MBps": rate_of(stats, "read")["mean"],
        "write_MBps": rate_of(stats, "write")["mean"],
        "peak_MBps": a.row.ceiling.value,
        "peak": _peak(a),
        "band": _band(a, total),
        "latency": latency_text.line(burst_latency.of_row(a.row), a.small, a.started),
        "cause": name,
        "colour": cause_colours.of(name),
        "why": bottleneck_text.said(a.verdict),
        "advice": expected_point.advice(a) if is_whole else "",
        "change": _change(a) if is_whole else {},
        "warnings": expected_point.warnings(a),
        "details": expected_point.details(a) if is_whole else [],
        "measured": measured,
        "ports": band_text.documents(a.row.each),
        "time": _time(stacks(a.row.records, "").dram),
        "command": question.command(of.asked),
        "python": question.python(of.asked),
    }


def _peak(a: Answer) -> str:
    share, peak = a.row.efficiency_pct, a.row.ceiling.value
    return "" if share is None or not peak else f"{share:.0f} % of peak, {short_rate(peak)} MB/s"


def _change(a: Answer) -> Mapping[str, object]:
    """The advised change as the page takes it: own keys, and further settings; empty where the page
    cannot make it."""
    change = {name: plain(value) for name, value in (a.remedy.change or {}).items()}
    if not change or master_keys.of(a.row.values):
        return {}
    size = change.pop("burst_bytes", None)
    if isinstance(size, int):
        change["burst_beats"] = size * 8 // a.row.values["width_bits"]
    if not all(isinstance(value, str | int | float) for value in change.values()):
        return {}
    own = {name: value for name, value in change.items() if name in question.OWN}
    more = [f"{n}={settings.written(v)}" for n, v in change.items() if n not in own]
    return {"keys": own, "more": more}


def _band(a: Answer, total: float) -> Mapping[str, object]:
    if a.band is None:
        return {"text": band_text.UNKNOWN}
    return {
        "text": band_text.sentence(a.band, total),
        "low_MBps": total * a.band.low,
        "high_MBps": total * a.band.high,
        "short": band_text.ends_of(a.band, total),
    }


def _time(of: Stack) -> list[dict[str, object]]:
    """The shares of time that are worth drawing."""
    shares = ((c, of.share(c.key)) for c in time_stacks.shown(of.classes))
    return [
        {"label": c.label, "share": share, "colour": c.colour, "dark": c.dark or c.colour}
        for c, share in shares
        if share >= 1e-4
    ]
