"""Relations between a point and its answer: its cause, its advice, its starved masters.

Their tolerances:

- page and command agree: none. Pages of many points name causes by time classes where these are
  sure; the command of a point always simulates. Both must name the same cause.
- advice gives what it says: the best change gains at least as much over the whole run, from other
  starts than those of the advice. Tolerance: the spread between starts of both points (two
  standard deviations), and `NOISE`.
- starved masters are named: none.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable

from axiometer.answer.analysis import collect, starved
from axiometer.answer.analysis.bottlenecks import strongest, sure
from axiometer.answer.analysis.results import Row
from axiometer.answer.analysis.time_classes import stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.gains import Found
from axiometer.answer.relax.race import limits
from axiometer.answer.selftest.relations import NOISE, Seen, Subject
from axiometer.answer.trials import made
from axiometer.answer.trials.trial import Trial
from axiometer.base.errors import AxiometerError
from axiometer.simulate import side_by_side
from axiometer.simulate.scenario import Scenario

STARTS = 4
# In shorter runs, of some dozens of bursts, starts differ as much as changes; `expect` simulates
# its advice and reports the gain.
LEAST_S = 20e-6


def agreed(of: Subject) -> Seen | None:
    """A cause that a page names without simulation is also the cause that the command names."""
    row, scenario = _row(of)
    if scenario is None:
        return None
    evidence = Evidence(stacks(row.records, "the point"), row.values, collect.facts(of.platform))
    found = limits(scenario, row.mean) if sure(evidence) else None
    if found is None:
        return None
    page = strongest(evidence)[0]
    command = found.named(page)
    words = f"page and command agree: the page names {page}, the command {command}"
    return Seen(page == command, words)


def kept(of: Subject) -> Seen | None:
    """The best change of the advice has the gain that the advice states."""
    row, scenario = _row(of)
    found = None if scenario is None else limits(scenario, row.mean)
    best = None if found is None else _best(found)
    if scenario is None or best is None or of.record["elapsed_s"] < LEAST_S:
        return None
    changed = made.having(scenario, best.keys)
    seed = of.point.values["seed"] + 1
    try:
        before, after = (_rates(of_either, seed) for of_either in (scenario, changed))
    except AxiometerError:
        return None
    rate, with_it = statistics.fmean(before), statistics.fmean(after)
    if not rate:
        return None
    given = with_it / rate - 1
    apart = 2 * math.hypot(statistics.stdev(before), statistics.stdev(after)) / rate
    missed = max(0.0, best.simulated - given)
    return Seen(
        missed <= NOISE * (1 + best.simulated) + apart,
        f"advice gives what it says: {best.keys} gives {given:+.1%}, the advice states "
        f"{best.simulated:+.1%}",
        missed=missed,
    )


def named(of: Subject) -> Seen | None:
    """Each stream that requests its port's bandwidth and moves no byte is called starved."""
    values, record = of.point.values, of.record
    row, scenario = _row(of)
    if scenario is None or values["transfer_bytes"] is not None or values["gap_cycles"]:
        return None
    if values["masters_per_port"] != 1 or any(s.partner >= 0 for s in scenario.streams):
        return None
    launched = (1 - starved.SHARE) * record["elapsed_s"]  # later: it hardly requested
    nothing = {
        (s["port"], s["direction"])
        for s in record["streams"]
        if not s["bytes"] and s["classes_s"]["launch"] < launched
    }
    if not nothing or not record["bytes"]:
        return None
    evidence = Evidence(stacks(row.records, "the point"), row.values, collect.facts(of.platform))
    called = {(s.name, s.direction) for s in starved.of(evidence, row.stats)}
    shown = {(rate.name, rate.direction) for rate in row.each}
    missing = nothing - (called & shown)
    return Seen(not missing, f"starved masters are named: {sorted(missing)} are not")


RELATIONS: dict[str, Callable[[Subject], Seen | None]] = {
    "page and command agree": agreed,
    "advice gives what it says": kept,
    "starved masters are named": named,
}


def _row(of: Subject) -> tuple[Row, Scenario | None]:
    facts = collect.facts(of.platform)
    row = collect.row(facts, 0, of.point.key, of.point.values, [of.record], None, of.platform)
    return row, collect.scenario(of.platform, row)


def _best(found: Found) -> Trial | None:
    return next((trial for trial in found.trials if trial.keys and trial.helps), None)


def _rates(scenario: Scenario, seed: int) -> list[float]:
    return [r["total_MBps"] for r in side_by_side.repeats(scenario, range(STARTS), seed)]
