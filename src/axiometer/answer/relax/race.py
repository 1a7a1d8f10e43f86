"""The relaxation that gives most, found by a race: simulated only until the ranking is clear.

Stages are longer and longer runs. All relaxations run the first, short stage, except those that
could not win even on a chip without delays (`gains.most`). Only those near the best run the second
start of a stage. Streams that begin in step drift apart in time: if the scenario's rate in a stage
differs from that of its whole run, the best relaxations enter the next stage. The last stage of a
free run ends when its start-up is over (`simulate/early_stop.py`), and is compared with the whole
run itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from axiometer.answer.relax.gains import SEED, TIE, Found, Gain, most, repeats_of, short
from axiometer.answer.relax.table import RELAXATIONS, Relaxation
from axiometer.answer.trials.against import Against
from axiometer.answer.trials.runner import Effort, Runner
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.simulate import early_stop, side_by_side
from axiometer.simulate.scenario import Scenario

LONGER, FREE_LONGER_S = ((4e-3, 2), (20e-3, 1)), 1e-3
"""Simulated time of a repeat of the later stages, and their repeats. A free run costs more."""
CANDIDATES, FREE_CANDIDATES = 6, 4
"""Relaxations that enter later stages."""
LIKE = 0.02
"""A stage is like the whole run if the rates of their first starts differ by at most this share."""
NEAR = 0.05
"""A relaxation whose first start gains less than the best by more than this cannot win: the gain of
a relaxation differs by less between starts of a scenario."""

Records = Sequence[Record]
_Relaxed = tuple[Relaxation, Scenario]
Cut = Callable[[Scenario], Scenario]


@dataclass(frozen=True)
class _Stage:
    """cut: shortens a whole scenario as this stage's; known: the scenario's rate is that of the
    whole run, without a simulation."""

    scenario: Scenario
    repeats: int
    candidates: int
    cut: Cut
    known: bool = False


def limits(
    scenario: Scenario | None, rate: float | None = None, taken: frozenset[str] = frozenset()
) -> Found | None:
    """The gains of a scenario's relaxations, simulated until the best can be named; None where
    there is no scenario, or it cannot be so short. rate: MB/s of the first start of the whole run,
    so that the cause does not depend on the number of starts (None: only the first stage runs);
    taken: ports that something else uses, which are no choice."""
    if scenario is None:
        return None
    try:
        return _race(scenario, rate, taken)
    except AxiometerError:
        return None


def _race(scenario: Scenario, rate: float | None, taken: frozenset[str]) -> Found:
    among: Sequence[Relaxation] = RELAXATIONS
    stages = list(_stages(scenario))
    own: Records = ()
    found = None
    seen: dict[str, Gain] = {}
    first = 0.0
    for stage in stages:
        last = stage is stages[-1]
        if stage.known and rate:
            like, base = True, [rate]
        else:
            own = side_by_side.repeats(stage.scenario, range(stage.repeats), SEED)
            base = [record["total_MBps"] for record in own]
            like = not rate or abs(base[0] / rate - 1) <= LIKE
        first = first or base[0]
        if found is None or like or last:
            among = among[: stage.candidates]
            found = _found(stage, among, own, base)
            named = [g.name for g in found.gains]
            among = sorted((r for r in among if r.name in named), key=lambda r: named.index(r.name))
            seen |= {g.name: g for g in found.gains}
        if like:
            break
    assert found is not None
    if rate and stage.scenario is not scenario:  # a rate that is steady in a stage may drift later
        full, base = Effort(early_stop.ending, 1), [rate]
    else:
        full = Effort(stage.cut, len(base))
    screen = Effort(stages[0].cut, 1)
    tried = Against(scenario, screen, first, full, base, own, taken, Runner())
    return replace(found, trials=tried.trials(found, seen))


def _stages(scenario: Scenario) -> Iterator[_Stage]:
    """Stages shorter than the whole run; the last is the whole run if that is short itself."""
    free = scenario.measure is not None
    cut = short(scenario)
    yield _Stage(cut, repeats_of(scenario), len(RELAXATIONS), short)
    if free:
        later = [(FREE_LONGER_S, 1, FREE_CANDIDATES)]
    else:
        later = [(length, starts, CANDIDATES) for length, starts in LONGER]
    for length, starts, candidates in later:
        if cut is scenario:
            return
        cut = short(scenario, length)
        yield _Stage(cut, starts, candidates, partial(short, most_s=length))
    if free and cut is not scenario:
        yield _Stage(early_stop.ending(scenario), 1, FREE_CANDIDATES, early_stop.ending, known=True)


def _found(
    stage: _Stage, among: Sequence[Relaxation], own: Records, base: Sequence[float]
) -> Found:
    """The gains of relaxations in a stage. own, base: records and rates of its scenario."""
    rate = sum(base) / len(base)
    running: list[_Relaxed] = []
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

    def run(those: Sequence[_Relaxed], number: int) -> list[_Relaxed]:
        """Simulate them; returns those that are possible."""
        still = []
        records = side_by_side.records([(relaxed, number) for _, relaxed in those], SEED)
        for (relaxation, relaxed), record in zip(those, records, strict=True):
            if isinstance(record, AxiometerError):  # the relaxed chip is impossible
                gains.pop(relaxation.name, None)
                continue
            of = rates[relaxation.name]
            of.append(record["total_MBps"])
            before = sum(base[: len(of)])
            gain = sum(of) / before - 1 if before else 0.0
            gains[relaxation.name] = Gain(relaxation.cause, relaxation.name, gain)
            still.append((relaxation, relaxed))
        return still

    # Relaxations with a bound run only if the others' gains leave them a chance.
    still = run([each for each in running if each[0].most is None], 0)
    best = max((g.gain for g in gains.values()), default=0.0)
    late = []
    for relaxation, relaxed in running:
        if relaxation.most is None:
            continue
        bound = relaxation.most(stage.scenario, own)
        if bound > max(best - NEAR, TIE):
            late.append((relaxation, relaxed))
        else:
            ruled_out.append(Gain(relaxation.cause, relaxation.name, bound))
    still += run(late, 0)
    for number in range(1, stage.repeats + 1):
        best = max((g.gain for g in gains.values()), default=0.0)
        running = [(r, s) for r, s in still if gains[r.name].gain >= best - NEAR]
        if number == stage.repeats or len({r.cause for r, _ in running}) < 2:  # noqa: PLR2004 - one
            break
        still = run(running, number)
    ranked = sorted(gains.values(), key=lambda g: -g.gain)
    return Found(stage.scenario, rate, tuple(ranked), tuple(ruled_out))
