"""Points of a curve for the page: rates along a key, or latency under load.

The page asks for a few points at a time, and so draws the curve while it is computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from axiometer.answer.analysis import load_sweep
from axiometer.answer.analysis.load_sweep import Load
from axiometer.answer.analysis.stats import rate_of
from axiometer.answer.verdicts.expected import Answer
from axiometer.base.errors import AxiometerError
from axiometer.experiment import directions, settings
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.values import known
from axiometer.platform import limits
from axiometer.present import bottleneck_text, cause_colours
from axiometer.serve import answers
from axiometer.serve.question import OWN, Question, changed
from axiometer.serve.work import Document

LOAD = "load"
MOST_POINTS = 4


def read(body: Mapping[str, object]) -> tuple[str, Sequence[float], bool]:
    """What the curve runs along, the values that are asked for, and whether each point shall be a
    whole start. AxiometerError for others."""
    along, at = body.get("along"), body.get("at")
    if along not in (*OWN, LOAD) or not isinstance(along, str):
        raise AxiometerError("the curve has no such axis", remedy="choose one of the list")
    if not isinstance(at, list) or not 1 <= len(at) <= MOST_POINTS:
        raise AxiometerError("too many points", remedy=f"ask for at most {MOST_POINTS}")
    if not all(limits.is_number(x) and abs(x) <= limits.MOST for x in at):
        raise AxiometerError("a value of the curve is no number", remedy="ask for numbers")
    return along, at, body.get("whole") is True


def points(of: Question, along: str, at: Sequence[float], is_whole: bool) -> Document:
    """The points of the curve at these values; None for one that cannot run. A transfer of the
    processor's side is as sure when it is short."""
    is_whole = is_whole and of.point.values["master"] in AT_MEMORY
    found = [_under_load(of, x) if along == LOAD else _rate(of, along, x, is_whole) for x in at]
    return {"points": found}


def _rate(of: Question, along: str, x: float, is_whole: bool) -> Document | None:
    other = changed(of, along, x)
    if other is None:
        return None
    try:
        a = (answers.one_start if is_whole else answers.quick)(*other)
    except AxiometerError:
        return None
    return {"x": x, **_of(a)}


def _of(a: Answer) -> Document:
    total, stats = a.total["mean"], known(a.row.stats)
    name = bottleneck_text.called(a.verdict)
    band = a.band
    return {
        "y": total,
        "read": rate_of(stats, "read")["mean"],
        "write": rate_of(stats, "write")["mean"],
        "low": None if band is None else total * band.low,
        "high": None if band is None else total * band.high,
        "cause": name,
        "limit": bottleneck_text.name(a.verdict),
        "colour": cause_colours.of(name),
    }


def _under_load(of: Question, gap: float) -> Document | None:
    """The rate and the mean latency at a gap between bursts, as `axm.curve` has them."""
    keys = {n: v for n, v in of.asked.keys.items() if n not in ("mode", "master", "transfer_bytes")}
    keys["ports"] = "+".join(of.point.values["ports"])
    more = dict(map(settings.split, of.asked.more))
    keys |= {n: v for n, v in more.items() if not settings.is_platform_path(n)}
    moves = directions.ways(of.point.values["mode"])
    ratio = int("read" in moves), int("write" in moves)
    load = Load(of.platform, keys, ratio)
    try:
        (point,) = load_sweep.sweep(load, [int(gap)])
    except AxiometerError:
        return None
    ways = {way: one.mean for way, one in point.latency.items()}
    return {
        "x": point.total,
        "y": load_sweep.mean_latency(point),
        "gap": point.gap_cycles,
        **ways,
        "p95": max(one.p95 for one in point.latency.values()),
    }
