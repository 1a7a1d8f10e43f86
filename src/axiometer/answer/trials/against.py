"""The trials of a user's changes against the causes of a point, for `relax/race.py`.

Changes against a cause of the user's are tried first, all others only where these do not help. Each
runs for a short time, and the best few as long as the point itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from axiometer.answer.relax.gains import TIE, Found, Gain, most
from axiometer.answer.trials import made, of_point
from axiometer.answer.trials.of_point import Made
from axiometer.answer.trials.runner import Effort, Runner
from axiometer.answer.trials.trial import Change, Outcome, Trial, ranked
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.simulate.scenario import Scenario

FULL, ALIKE = 3, 0.1
"""Number of changes that are simulated in full, and the largest share by which their short runs may
be below the best."""


@dataclass(frozen=True)
class Against:
    """screen, full: efforts of the short runs and of the full ones; screened, base: MB/s of the
    scenario in them, of `base` one a start; own: its records, for the share of reads; taken: ports
    that something else uses."""

    scenario: Scenario
    screen: Effort
    screened: float
    full: Effort
    base: Sequence[float]
    own: Sequence[Record]
    taken: frozenset[str]
    runner: Runner

    def trials(self, found: Found, seen: Mapping[str, Gain]) -> tuple[Trial, ...]:
        """The best first. found: the gains of causes; seen: those of all relaxations that ran, by
        name."""
        worth: dict[str, float] = {}
        for of in seen.values():
            if of.gain > TIE:
                worth[of.cause] = max(of.gain, worth.get(of.cause, 0.0))
        right = found.right()
        users = right if right and not right & of_point.CHIPS else set()
        point = made.is_point(self.scenario)
        those = partial(of_point.of, self.scenario, worth.get, point=point, taken=self.taken)
        every = list(those(wanted=lambda cause: cause in users))
        trials = self._tried(every)
        if any(trial.simulated > TIE for trial in trials):
            return trials
        more = list(those(wanted=lambda cause: cause not in users))
        by_hand = of_point.BY_HAND if point else of_point.USERS
        covered = {of.change.cause for of in (*every, *more)} | of_point.CHIPS
        relaxed = [
            self._by_hand(of)
            for of in seen.values()
            if of.cause in by_hand or (of.gain <= TIE and of.cause not in covered)
        ]
        return ranked((*trials, *self._tried(more), *relaxed))

    @property
    def _before(self) -> Outcome:
        of = self.scenario
        return Outcome(of.platform, of.values, tuple(self.base))

    def _by_hand(self, of: Gain) -> Trial:
        """A relaxation that the user can make, though no key states it."""
        after = Outcome(self.scenario.platform, None, (self._before.total * (1 + of.gain),))
        return Trial((Change({}, of.cause, of.name),), self._before, after)

    def _tried(self, every: Sequence[Made]) -> tuple[Trial, ...]:
        """Those of the changes that are simulated in full. Changes whose wires carry no more are
        left out."""
        least = (1 + TIE) * self._before.total
        every = [of for of in every if _most(of) > least]
        if len(every) > 1:
            short = [rates[0] if rates else 0.0 for rates in self._rates(every, self.screen)]
            first = sorted(range(len(every)), key=lambda n: -short[n])[:FULL]
            least = max(self.screened, (1 - ALIKE) * max(short))
            every = [every[n] for n in first if short[n] > least]
        rates = self._rates(every, self.full)
        return ranked(self._trial(of, each) for of, each in zip(every, rates, strict=True) if each)

    def _trial(self, of: Made, rates: Sequence[float]) -> Trial:
        states = of.scenarios[0] if len(of.scenarios) == 1 else None
        values = None if states is None else states.values
        platform = self.scenario.platform if states is None else states.platform
        after = Outcome(platform, values, tuple(min(rate, _most(of)) for rate in rates))
        return Trial((of.change,), self._before, after)

    def _rates(self, every: Sequence[Made], effort: Effort) -> list[list[float]]:
        """MB/s of each change, one a start; none where it cannot be simulated."""
        found = iter(self.runner.records([s for of in every for s in of.scenarios], effort))
        return [self._together([next(found) for _ in of.scenarios]) for of in every]

    def _together(self, parts: Sequence[Sequence[Record] | AxiometerError]) -> list[float]:
        """MB/s of parts that run one after the other, reads before writes, with as many bytes of
        each as the scenario moves."""
        rates = [
            [record["total_MBps"] for record in part]
            for part in parts
            if not isinstance(part, AxiometerError)
        ]
        if len(rates) < len(parts):
            return []
        if len(rates) == 1:
            return rates[0]
        total = sum(r["total_MBps"] for r in self.own)
        read = sum(r["read_MBps"] for r in self.own) / total if total else 0.5
        return [
            1 / (read / first + (1 - read) / then) if first and then else 0.0
            for first, then in zip(*rates, strict=True)
        ]


def _most(of: Made) -> float:
    """MB/s that no run of a change exceeds."""
    return most(of.scenarios[0]) if len(of.scenarios) == 1 else float("inf")
