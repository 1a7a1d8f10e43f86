"""Assignment of masters to ports, with bursts and settings: a search by simulation.

All assignments are simulated, each under the board's classes of traffic and under best effort for
all its ports, and under each mapping. The best few are then improved one choice at a time (a burst,
a mapping, a setting of the platform) until nothing helps.

Many candidates race: each runs for a short time, and the best of them run longer (successive
halving: Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013).
Further rounds of an improvement try only choices from the better half of the last round. Candidates
with the same input for the model run once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product

from axiometer.advice import beside
from axiometer.advice.assignments import assignments, usual_ports
from axiometer.advice.candidates import Candidate, Outcome
from axiometer.advice.scoring import AS_IT_IS, Scoring
from axiometer.advice.wanted_masters import Master
from axiometer.answer.analysis import collect
from axiometer.answer.analysis.time_classes import stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.verdicts.verdict import Verdict, judged
from axiometer.base.errors import AxiometerError
from axiometer.experiment.values import known
from axiometer.platform import Platform
from axiometer.published.anchors import Anchored
from axiometer.published.claims import Claim
from axiometer.published.measured import Measurement

OBJECTIVES = ("total", "minimum", "guarantee", "latency")
SCREEN_S, SEARCH_S, FINAL_S = 0.00015, 0.0006, 0.002
"""Simulated time of a candidate that has many others beside it, few, and of a shown one."""
LEFT = 4  # neighbours of a candidate that run longer
RACE, STEP = ((0.00005, 32), (SCREEN_S, 8)), ((SCREEN_S, LEFT),)
"""Races of all starts, and of the neighbours of a candidate: rounds with their simulated time and
the number that goes on. The last round of each is `SEARCH_S`."""
IMPROVED = 4  # assignments to improve
WHOLE = ("qos", "mapping")
"""Settings for all ports at once, whose gain is no sum of gains at single ports."""


Change = Callable[[Candidate], Candidate]
Rounds = Sequence[tuple[float, int]]


@dataclass
class Search:
    """A search on `platform` for `masters`. `choices`: the values to try for each further setting,
    by name. `fixed`: keys of an experiment for all candidates. `ports`: those to use, none: all
    that are advised. `same`: for the ports of each result of `run`, other ports with the same
    result. `refuted`: candidates that measured rows contradict, with the compared choice and the
    claim."""

    platform: Platform
    masters: Sequence[Master]
    objective: str
    choices: Mapping[str, Sequence[object]] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    ports: tuple[str, ...] = ()
    same: dict[tuple[str, ...], list[tuple[str, ...]]] = field(default_factory=dict)
    refuted: list[tuple[Candidate, str, Claim]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scoring = Scoring(self.platform, self.masters, self.objective, self.fixed)

    @property
    def tried(self) -> int:
        """The number of runs."""
        return self.scoring.runner.ran

    @cached_property
    def assignments(self) -> list[tuple[str, ...]]:
        """Assignments of the masters to ports. AxiometerError if there are none."""
        return assignments(self.platform, self.masters, self.ports)

    def run(self, say: Callable[[str], None] = lambda _: None) -> list[Outcome]:
        """The best candidates with differing results, the best first. Leaving out any choice of the
        first loses something."""
        self._check()
        say(f"{len(self.assignments)} assignments of masters to ports")
        found = self._apart(self._race(self._starts(), RACE))
        better = [self._improve(o) for o in found[:IMPROVED]]
        say(f"{self.tried} candidates simulated")
        return self._settled([self.outcome(o.candidate, FINAL_S) for o in better])

    def plain(self) -> Candidate:
        """The first assignment of ports, with the usual bursts and the platform's settings: choices
        are compared with it."""
        for candidate in self._usual():
            return candidate
        raise AxiometerError(
            f"no ports of {self.platform.name} accept the bursts of all masters together",
            remedy="give shorter bursts: NAME=read,burst=64+128",
        )

    @property
    def bursts_first(self) -> str:
        """The bursts that are tried first: "longest", or "shortest" where they are to end soon."""
        return "shortest" if self.objective == "latency" else "longest"

    def _usual(self) -> Iterator[Candidate]:
        """Each assignment of ports with the bursts that are tried first."""
        for ports in self.assignments:
            used = self.scoring.used(ports)
            bursts = [self._first_burst(i, used) for i in range(len(self.masters))]
            if None not in bursts:
                yield Candidate(ports, tuple(map(known, bursts)))

    def _first_burst(self, i: int, used: tuple[str, ...]) -> int | None:
        """The first burst of master `i` that all the ports in `used` accept."""
        for burst in sorted(self.masters[i].bursts, reverse=self.bursts_first == "longest"):
            try:
                self.scoring.alone(i, used, burst, (), SCREEN_S)
            except AxiometerError:
                continue
            return burst
        return None

    def _starts(self) -> list[Candidate]:
        """The candidates that are ranked before the best are improved: each assignment with each
        setting of `WHOLE`."""
        values = [self.choices.get(name, [None]) for name in WHOLE]
        found = []
        for candidate in self._usual():
            for chosen in product(*values):
                made = candidate
                for name, value in zip(WHOLE, chosen, strict=True):
                    made = made.having(name, value)
                found.append(made)
        return found

    def _apart(self, ranked: Sequence[Outcome]) -> list[Outcome]:
        """The plainest of each set of alike outcomes, the best first."""
        sets: list[list[Outcome]] = []
        for outcome in ranked:
            alike = next((of for of in sets if of[0].alike(outcome)), None)
            if alike is None:
                sets.append([outcome])
            else:
                alike.append(outcome)
        return _ranked([self._plainest(of) for of in sets])

    def _plainest(self, alike: Sequence[Outcome]) -> Outcome:
        """The first outcome with the fewest settings; `same` gets the ports of the others with
        these settings."""
        first = min(alike, key=lambda o: len(o.candidate.settings))
        own = first.candidate
        for other in (o.candidate for o in alike if o.candidate.settings == own.settings):
            if other.ports != own.ports:
                also = [*self.same.pop(other.ports, []), other.ports]
                found = self.same.setdefault(own.ports, [])
                found += [p for p in also if p not in found and p != own.ports]
        return first

    def same_ports(self, candidate: Candidate) -> list[tuple[str, ...]]:
        """Other ports with the same result; none where a setting is that of one port."""
        if any("." in name for name, _ in candidate.settings):
            return []
        return self.same.get(candidate.ports, [])

    def _settled(self, final: Sequence[Outcome]) -> list[Outcome]:
        """The outcomes, the best first, after removing the best one's useless choices."""
        while True:
            ranked = self._apart(_ranked(final))
            best = ranked[0]
            plainer = _ranked(
                [o for what, o in self._plainer(best) if o.score >= best.score
                 or self._refuted(what, o, best)]
            )  # fmt: skip
            if not plainer:
                return ranked
            # Each step puts one nearer to `plain` in the place of the best, so the loop ends.
            first = plainer[0]
            final = [self._plainest([first, best]) if first.alike(best) else first, *ranked[1:]]

    def _plainer(self, best: Outcome) -> list[tuple[str, Outcome]]:
        """The best without each of its choices, and without all of them."""
        found = self.reasons(best)
        if len(found) > 1:
            found.append(("no choice", self.outcome(self.plain(), FINAL_S)))
        return found

    def measured(self, candidate: Candidate) -> list[Measurement]:
        """The measurements of a candidate."""
        return beside.of(self.platform, self.masters, candidate, self.fixed).rows()

    def anchored(self, outcome: Outcome) -> Anchored | None:
        """The total of an outcome, corrected by measurements near it."""
        own = beside.of(self.platform, self.masters, outcome.candidate, self.fixed)
        return own.anchored(outcome.total)

    def _refuted(self, what: str, without: Outcome, best: Outcome) -> bool:
        """Whether measured rows contradict the gain of the best over `without`, which lacks a
        choice."""
        if self.objective not in beside.JUDGED:
            return False
        both = ((of, self.measured(of.candidate)) for of in (without, best))
        claim = beside.claim(self.objective, self.masters, *both)
        if claim.is_refuted:
            self.refuted.append((best.candidate, what, claim))
        return claim.is_refuted

    def _check(self) -> None:
        """AxiometerError with the master's name if no port accepts one of its bursts, and if a
        value of a choice is not possible."""
        for i, master in enumerate(self.masters):
            for burst in master.bursts:
                self._check_burst(i, master, burst)
        plain = self.plain()
        for name, values in self.choices.items():
            for value in values:
                self.scoring.scenario(plain.having(name, value), SCREEN_S)

    def _check_burst(self, i: int, master: Master, burst: int) -> None:
        refused: list[AxiometerError] = []
        for port in usual_ports(self.platform):
            try:
                self.scoring.stream(i, (port,), port, burst, (), SCREEN_S)
            except AxiometerError as error:
                refused.append(error)
            else:
                return
        raise AxiometerError(
            f"master {master.name}: {refused[0].message}", remedy=refused[0].remedy
        ) from None

    def reasons(self, winner: Outcome) -> list[tuple[str, Outcome]]:
        """The gain of each choice of the winner: the winner without it, with the choice of
        `plain`."""
        best, first = winner.candidate, self.plain()
        without: dict[str, Candidate] = {}
        if best.ports != first.ports:
            without["the ports of the first assignment"] = replace(best, ports=first.ports)
        if best.bursts != first.bursts:
            without[f"the {self.bursts_first} bursts"] = replace(best, bursts=first.bursts)
        for name, _ in best.settings:
            without[f"{name} as the platform has it"] = best.having(name, first.given(name))
        made = {o.candidate: o for o in self.scoring.outcomes([*without.values()], FINAL_S)}
        return [(what, made[c]) for what, c in without.items() if c in made]

    def _race(self, candidates: Sequence[Candidate], rounds: Rounds) -> list[Outcome]:
        """The best of `candidates` after `rounds` and `SEARCH_S`, the best first."""
        for duration_s, left in rounds:
            if len(candidates) > left:
                ranked = _ranked(self.scoring.outcomes(candidates, duration_s))
                candidates = [outcome.candidate for outcome in ranked[:left]]
        return _ranked(self.scoring.outcomes(candidates, SEARCH_S))

    def _improve(self, best: Outcome) -> Outcome:
        """The best outcome of single changes, one after the other."""
        changes = self._changes()
        while True:
            others = {change(best.candidate): change for change in changes}
            others.pop(best.candidate, None)
            first = next(iter(self._race([*others], STEP)), best)
            if first.score <= best.score:
                return best
            best = first
            if len(others) > LEFT:
                ranked = _ranked(self.scoring.outcomes([*others], SCREEN_S))
                changes = [others[o.candidate] for o in ranked[: max(LEFT, len(ranked) // 2)]]

    def _changes(self) -> list[Change]:
        """Single changes: another burst of a master, another value of a setting."""
        found: list[Change] = [
            partial(_with_burst, i, burst)
            for i, master in enumerate(self.masters)
            for burst in master.bursts
        ]
        for name, values in self.choices.items():
            found += [partial(_with_setting, name, value) for value in values]
        return found

    def outcome(self, candidate: Candidate, duration_s: float = SEARCH_S) -> Outcome:
        """The candidate, simulated for `duration_s`. AxiometerError if that is not possible."""
        return self.scoring.outcome(candidate, duration_s)

    def limit(self, candidate: Candidate) -> Verdict:
        """The limit of the candidate, at the length of shown results."""
        scenario, _ = self.scoring.scenario(candidate, FINAL_S)
        (records,) = self.scoring.runner.records([scenario], AS_IT_IS)
        assert not isinstance(records, AxiometerError)  # it was simulated before
        evidence = Evidence(
            stacks(records, "the first"), scenario.values, collect.facts(scenario.platform)
        )
        return judged(evidence, scenario, records)


def _ranked(found: Sequence[Outcome]) -> list[Outcome]:
    return sorted(found, key=lambda o: o.score, reverse=True)


def _with_burst(i: int, burst: int, c: Candidate) -> Candidate:
    return replace(c, bursts=(*c.bursts[:i], burst, *c.bursts[i + 1 :]))


def _with_setting(name: str, value: object, c: Candidate) -> Candidate:
    """The candidate with another value of a setting. The class of one port leaves the others in
    the class that they have."""
    every = c.given("qos")
    if name.startswith("qos.") and every is not None:
        c = c.having("qos", None)
        for port in c.ports:
            c = c.having(f"qos.{port}.mode", every)
    return c.having(name, value)
