"""The relaxation that gives most, found by a race: simulated only as far as it takes to rank them.

Stages are longer and longer runs. All relaxations run the first, short one, but those that even a
chip without any delay would not let win (`gains.most`). Of several starts, only those near the best
run the second. Streams that begin in step drift apart in time: where the stage gives the scenario
another rate than its whole run has, the best go on to the next. The last stage of a free run ends
when its start-up is over, as `simulate/soon.py` says, and is compared with the whole run itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from axiometer.answer.relax import choices
from axiometer.answer.relax.gains import SEED, TIE, Found, Gain, most, repeats_of, short
from axiometer.answer.relax.table import RELAXATIONS, Relaxation
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
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

CHOICES = 3
"""Choices of a user that are simulated for longer and told."""

Records = Sequence[Record]
Cut = Callable[[Scenario], Scenario]


@dataclass(frozen=True)
class _Stage:
    """cut: makes a whole scenario as short as its own; known: its rate need not be simulated, it is
    that of the whole run."""

    scenario: Scenario
    repeats: int
    candidates: int
    cut: Cut
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
    seen: dict[str, Gain] = {}
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
            seen |= {g.name: g for g in found.gains}
        if like:
            break
    assert found is not None
    if found.right() and not found.right() & choices.CHIPS:
        return found
    return replace(found, choices=_choices(scenario, stages[0], stage, base, seen))


def _choices(
    scenario: Scenario,
    first: _Stage,
    last: _Stage,
    base: Sequence[float],
    seen: Mapping[str, Gain],
) -> tuple[Gain, ...]:
    """What a user can change of the whole `scenario`, the best first. base: rates of the last stage
    that there was; seen: what relaxations gave."""
    every = list(choices.of(scenario))
    at_all = {choice.cause for choice in every}
    found = [g for g in seen.values() if g.cause in choices.USERS - at_all]
    if first is not last and len(every) > CHOICES:
        (short_base,) = side_by_side.repeats(first.scenario, [0], SEED)
        rates = _rates([first.cut(c.scenario) for c in every], [0])
        ranked = sorted(range(len(every)), key=lambda n: -sum(rates[n]))
        every = [every[n] for n in ranked[:CHOICES] if sum(rates[n]) > short_base["total_MBps"]]
    rates = _rates([last.cut(c.scenario) for c in every], range(len(base)))
    for choice, of in zip(every, rates, strict=True):
        if of:
            gain = sum(of) / sum(base) - 1 if sum(base) else 0.0
            found.append(Gain(choice.cause, choice.cause, gain, choice.change))
    return tuple(sorted(found, key=lambda g: -g.gain))


def _rates(scenarios: Sequence[Scenario], numbers: Sequence[int]) -> list[list[float]]:
    """MB/s of these repeats of each; none of one that cannot be simulated."""
    work = [(scenario, number) for scenario in scenarios for number in numbers]
    records = iter(side_by_side.records(work, SEED))
    found = []
    for _ in scenarios:
        own = [next(records) for _ in numbers]
        rates = [each["total_MBps"] for each in own if not isinstance(each, AxiometerError)]
        found.append(rates if len(rates) == len(own) else [])
    return found


def _stages(scenario: Scenario) -> Iterator[_Stage]:
    """Shorter than the whole run, but the last where that is short itself."""
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
        yield _Stage(soon.ending(scenario), 1, FREE_CANDIDATES, soon.ending, known=True)


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
