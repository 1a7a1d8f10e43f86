"""The rule that starves a master, found by simulating the point without each rule.

Rules are tried from the narrow to the wide: without time-outs, classes and AXI QoS values; without
the other direction; without the chip's own masters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from axiometer.answer.analysis.starved import SHARE, Starved
from axiometer.answer.relax import chip
from axiometer.answer.relax.gains import SEED, short
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Rates, by_master, rate_of
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published.reference.starved import Row, nearest
from axiometer.simulate import run
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream

ENOUGH = 5 * SHARE
"""Share of the requested rate from which a master is no longer starved."""
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Rule:
    """name: key of the words. act: returns the scenario without the rule, None if it has none."""

    name: str
    act: Callable[[Scenario, Starved], Scenario | None]


@dataclass(frozen=True)
class StarvedBy:
    """A starved master, the name of the rule, and the most similar published row, None where there
    is none."""

    of: Starved
    rule: str
    row: Row | None


def starved_by(
    scenario: Scenario | None, of: Starved, platform: Platform, values: Values
) -> StarvedBy:
    """The rule and the row of `of`, a master of the point with these values."""
    row = nearest(platform.family, platform.name, values, of.name, of.direction)
    return StarvedBy(of, why(scenario, of), row)


def why(scenario: Scenario | None, of: Starved) -> str:
    """The name of the rule that starves `of`; `UNKNOWN` where none of the rules does, or the point
    cannot be simulated."""
    if scenario is None:
        return UNKNOWN
    cut = short(scenario)
    for rule in RULES:
        other = rule.act(cut, of)
        if other is None:
            continue
        try:
            record = run.repeat(other, SEED, 0)
        except AxiometerError:
            continue
        groups = by_master(record), record.get("background", {})
        rates = next((group[of.name] for group in groups if of.name in group), None)
        if rates and _rate(rates, of.direction) > ENOUGH * of.asks_MBps:
            return rule.name
    return UNKNOWN


def _rate(rates: Rates, direction: str) -> float:
    return rate_of(rates, direction) if direction else rates["total_MBps"]


def _one_class(scenario: Scenario, of: Starved) -> Scenario | None:
    """All traffic of one class and one AXI QoS value, without time-outs."""
    return chip.all_of_class("best_effort", 0)(scenario, ())


def _one_direction(scenario: Scenario, of: Starved) -> Scenario | None:
    return _kept(scenario, lambda s: s.direction == of.direction) if of.direction else None


def _alone(scenario: Scenario, of: Starved) -> Scenario | None:
    return _kept(scenario, lambda s: not s.background or s.name == of.name)


def _kept(scenario: Scenario, keeps: Callable[[Stream], bool]) -> Scenario | None:
    kept = [n for n, s in enumerate(scenario.streams) if keeps(s)]
    if len(kept) == len(scenario.streams) or any(s.partner >= 0 for s in scenario.streams):
        return None
    number = {old: new for new, old in enumerate(kept)} | {-1: -1}
    sources = []
    for source in scenario.sources:
        ends = {source.read, source.write}
        if ends <= number.keys():
            read, write = number[source.read], number[source.write]
            sources.append(replace(source, read=read, write=write))
        elif ends & set(kept):
            return None  # a source needs both halves
    own = tuple(scenario.streams[n] for n in kept)
    return replace(scenario, streams=own, sources=tuple(sources))


RULES = (Rule("class", _one_class), Rule("direction", _one_direction), Rule("neighbour", _alone))
