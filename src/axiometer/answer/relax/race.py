"""The relaxation that gives most, found by a race: simulated only until the ranking is clear.

Stages are longer and longer runs. All relaxations run the first, short stage, except those that
could not win even on a chip without delays (`gains.most`). Only those near the best run the second
start of a stage. Streams that begin in step drift apart in time: if the scenario's rate in a stage
differs from that of its whole run, the best relaxations enter the next stage. The last stage of a
free run ends when its start-up is over (`simulate/early_stop.py`), and is compared with the whole
run itself.
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

CHOICES, ALIKE = 3, 0.1
"""Number of a user's choices that are simulated for longer, and the largest share by which their
short runs may be below the best."""

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
    tried = _Tried(scenario, stages[0], first, stage, base, own, rate, taken)
    return replace(found, choices=tried.gains(found, seen))


@dataclass(frozen=True)
class _Tried:
    """The choices of a user for the whole `scenario`, simulated. first, last: the first and the
    last stage that ran; first_rate: MB/s of the scenario in the first stage; base: in the last, a
    rate a start; own: records, for the share of reads; whole: MB/s of the whole run."""

    scenario: Scenario
    first: _Stage
    first_rate: float
    last: _Stage
    base: Sequence[float]
    own: Records
    whole: float | None
    taken: frozenset[str]

    def gains(self, found: Found, seen: Mapping[str, Gain]) -> tuple[Gain, ...]:
        """The best first. Choices against a cause of the user's are tried first, all others only
        where these do not help. seen: gains of relaxations, by name."""
        worth: dict[str, float] = {}
        for of in seen.values():
            if of.gain > TIE:
                worth[of.cause] = max(of.gain, worth.get(of.cause, 0.0))
        right = found.right()
        users = right if right and not right & choices.CHIPS else set()
        point = choices.is_point(self.scenario)
        those = partial(choices.of, self.scenario, worth.get, point=point, taken=self.taken)
        every = list(those(wanted=lambda cause: cause in users))
        gains = self._gains(every)
        if any(g.gain > TIE for g in gains):
            return gains
        more = list(those(wanted=lambda cause: cause not in users))
        by_hand = choices.BY_HAND if point else choices.USERS
        covered = {choice.cause for choice in (*every, *more)} | choices.CHIPS
        relaxed = [
            g
            for g in seen.values()
            if g.cause in by_hand or (g.gain <= TIE and g.cause not in covered)
        ]
        return tuple(sorted((*gains, *self._gains(more), *relaxed), key=lambda g: -g.gain))

    def _gains(self, every: Sequence[choices.Choice]) -> tuple[Gain, ...]:
        """The gains of these choices, the best first. The best few are simulated for longer, and
        only those near the best from more than one start. Choices whose wires carry no more are
        left out."""
        every = [choice for choice in every if self._most(choice) > TIE]
        if self.first is not self.last and len(every) > 1:
            short = [rate or 0.0 for rate in self._rates(every, self.first.cut, 0)]
            ranked = sorted(range(len(every)), key=lambda n: -short[n])[:CHOICES]
            least = max(self.first_rate, (1 - ALIKE) * max(short))
            every = [every[n] for n in ranked if short[n] > least]
        rates: dict[choices.Choice, list[float]] = {choice: [] for choice in every}
        for number in range(len(self.base)):
            for choice, rate in zip(every, self._rates(every, self.last.cut, number), strict=True):
                rates[choice] = [*rates[choice], rate] if rate is not None else []
            every = [choice for choice in every if rates[choice]]
            best = max((rates[choice][-1] for choice in every), default=0.0)
            every = [c for c in every if rates[c][-1] >= best - NEAR * self.base[number]]
            if len(every) < 2:  # noqa: PLR2004 - further starts only rank several
                break
        gains = {choice: self._gain(choice, of) for choice, of in rates.items() if of}
        gains = self._in_full(gains)
        found = (Gain(c.cause, c.cause, gain, c.change) for c, gain in gains.items())
        return tuple(sorted(found, key=lambda g: -g.gain))

    def _in_full(self, gains: dict[choices.Choice, float]) -> dict[choices.Choice, float]:
        """The gains, the best of them from the whole run: a rate that is steady in a stage may
        drift later."""
        gains = dict(gains)
        left = set(gains)
        if not self.whole or self.last.known or self.last.scenario is self.scenario:
            return gains
        while gains:
            best = max(gains, key=lambda choice: gains[choice])
            if best not in left or gains[best] <= TIE:
                break
            left.remove(best)
            (rate,) = self._rates([best], early_stop.ending, 0)
            if rate is None:
                del gains[best]
            else:
                gains[best] = min(rate / self.whole - 1, self._most(best))
        return gains

    def _most(self, choice: choices.Choice) -> float:
        """The largest possible gain of a choice: its wires carry no more."""
        if len(choice.scenarios) > 1 or not self.whole:
            return float("inf")
        return most(choice.scenarios[0]) / self.whole - 1

    def _gain(self, choice: choices.Choice, rates: Sequence[float]) -> float:
        """The gain of a choice with these simulated rates of the first starts."""
        before = sum(self.base[: len(rates)])
        return min(sum(rates) / before - 1 if before else 0.0, self._most(choice))

    def _rates(self, every: Sequence[choices.Choice], cut: Cut, number: int) -> list[float | None]:
        """MB/s of each choice from start `number`; None where it cannot be simulated."""
        work = [(cut(made), number) for choice in every for made in choice.scenarios]
        records = iter(side_by_side.records(work, SEED))
        found: list[float | None] = []
        for choice in every:
            parts = [
                record["total_MBps"]
                for record in (next(records) for _ in choice.scenarios)
                if not isinstance(record, AxiometerError)
            ]
            found.append(self._together(parts) if len(parts) == len(choice.scenarios) else None)
        return found

    def _together(self, parts: Sequence[float]) -> float | None:
        """MB/s of parts that run one after the other, reads before writes, with as many bytes of
        each as the scenario moves."""
        if len(parts) == 1:
            return parts[0]
        total = sum(r["total_MBps"] for r in self.own)
        read = sum(r["read_MBps"] for r in self.own) / total if total else 0.5
        return 1 / (read / parts[0] + (1 - read) / parts[1]) if all(parts) else None


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
