"""The relaxation that gives most, found by a race: simulated only as far as it takes to rank them.

Stages are longer and longer runs. All relaxations run the first, short one, but those that even a
chip without any delay would not let win (`gains.most`). Of several starts, only those near the best
run the second. Streams that begin in step drift apart in time: where the stage gives the scenario
another rate than its whole run has, the best go on to the next. The last stage of a free run ends
when its start-up is over, as `simulate/soon.py` says, and is compared with the whole run itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from axiometer.errors import AxiometerError
from axiometer.relax.gains import SEED, TIE, Found, Gain, most, repeats_of, short
from axiometer.relax.table import RELAXATIONS, Relaxation
from axiometer.simulate import side_by_side, soon
from axiometer.simulate.scenario import Scenario

LONGER, FREE_LONGER_S = ((4e-3, 2), (20e-3, 1)), 1e-3
"""Simulated time of a repeat of the later stages, and how many. A free run costs more."""
CANDIDATES, FREE_CANDIDATES = 6, 4
"""Relaxations that go on to later stages."""
LIKE = 0.02
"""A stage whose rate is within this of the whole run's is like it."""
NEAR = 0.05
"""A relaxation whose first start gains less than the best by more than this cannot win: starts of
one scenario differ by less in what a relaxation gains."""

Records = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class _Stage:
    """known: its rate need not be simulated, it is that of the whole run."""

    scenario: Scenario
    repeats: int
    candidates: int
    known: bool = False


def limits(
    scenario: Scenario | None, rate: float | None = None, spread: float = 0.0
) -> Found | None:
    """What the relaxations of a scenario give, as far as it takes to name the best; None where
    there is no scenario, or it cannot be so short. rate: MB/s of the whole run (None: the first
    stage has to do); spread: by which share of it its starts differ, so that a start of a stage
    cannot be more like it."""
    if scenario is None:
        return None
    try:
        return _race(scenario, rate, max(LIKE, spread))
    except AxiometerError:
        return None


def _race(scenario: Scenario, rate: float | None, near: float) -> Found:
    among: Sequence[Relaxation] = RELAXATIONS
    stages = list(_stages(scenario))
    own: Records = ()
    found = None
    for stage in stages:
        last = stage is stages[-1]
        if stage.known and rate:
            like, base = True, [rate]
        else:
            own = side_by_side.repeats(stage.scenario, range(stage.repeats), SEED)
            base = [record["total_MBps"] for record in own]
            like = not rate or abs(sum(base) / len(base) / rate - 1) <= near
        if found is None or like or last:
            among = among[: stage.candidates]
            found = _found(stage, among, own, base)
            named = [g.name for g in found.gains]
            among = sorted((r for r in among if r.name in named), key=lambda r: named.index(r.name))
        if like:
            break
    assert found is not None
    return found


def _stages(scenario: Scenario) -> Iterator[_Stage]:
    """Shorter than the whole run, but the last where that is short itself."""
    free = scenario.measure is not None
    cut = short(scenario)
    yield _Stage(cut, repeats_of(scenario), len(RELAXATIONS))
    if free:
        later = [(FREE_LONGER_S, 1, FREE_CANDIDATES)]
    else:
        later = [(length, starts, CANDIDATES) for length, starts in LONGER]
    for length, starts, candidates in later:
        if cut is scenario:
            return
        cut = short(scenario, length)
        yield _Stage(cut, starts, candidates)
    if free and cut is not scenario:
        yield _Stage(soon.ending(scenario), 1, FREE_CANDIDATES, known=True)


def _found(
    stage: _Stage, among: Sequence[Relaxation], own: Records, base: Sequence[float]
) -> Found:
    """What relaxations give in a stage. own, base: records of its scenario, and rates of those."""
    rate = sum(base) / len(base)
    running: list[tuple[Relaxation, Scenario]] = []
    ruled_out = []
    for relaxation in among:
        relaxed = relaxation.act(stage.scenario, own)
        if relaxed is None:
            continue
        bound = most(relaxed) / rate - 1 if rate else 0.0
        if rate and bound <= TIE:
            ruled_out.append(Gain(relaxation.cause, relaxation.name, bound))
        else:
            running.append((relaxation, relaxed))
    gains: dict[str, Gain] = {}
    rates: dict[str, list[float]] = {r.name: [] for r, _ in running}
    for number in range(stage.repeats):
        work = [(relaxed, number) for _, relaxed in running]
        still = []
        for (relaxation, relaxed), record in zip(
            running, side_by_side.records(work, SEED), strict=True
        ):
            if isinstance(record, AxiometerError):  # no such chip can be: nothing to say of it
                gains.pop(relaxation.name, None)
                continue
            of = rates[relaxation.name]
            of.append(record["total_MBps"])
            before = sum(base[: len(of)])
            gain = sum(of) / before - 1 if before else 0.0
            gains[relaxation.name] = Gain(relaxation.cause, relaxation.name, gain)
            still.append((relaxation, relaxed))
        best = max((g.gain for g in gains.values()), default=0.0)
        running = [(r, s) for r, s in still if gains[r.name].gain >= best - NEAR]
    ranked = sorted(gains.values(), key=lambda g: -g.gain)
    return Found(stage.scenario, rate, tuple(ranked), tuple(ruled_out))
