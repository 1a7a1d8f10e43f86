"""Assignment of masters to ports, with bursts and settings: a search by simulation.

All assignments are simulated, each under the board's classes of traffic and under best effort for
all its ports, and under each mapping. The best few are then improved one choice at a time (a burst,
a mapping, a setting of the platform) until nothing helps. A direction of a port serves one master,
or up to four through a multiplexer in the fabric if the model has one (Zynq UltraScale+). With too
many assignments, those that join the fewest masters come first.

Many candidates race: each runs for a short time, and the best of them run longer (successive
halving: Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013).
Further rounds of an improvement try only choices from the better half of the last round. Candidates
with the same input for the model run once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice, product

from axiometer.advice import beside
from axiometer.advice.candidates import Candidate, Outcome, Settings, laid_over
from axiometer.advice.wanted_masters import Master
from axiometer.answer.analysis import collect
from axiometer.answer.analysis.time_classes import stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.verdicts.verdict import Verdict, judged
from axiometer.base import pace
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.experiment import keys_qos, run_length
from axiometer.experiment.directions import MODE_OF
from axiometer.experiment.keys import MAX_BURST_BEATS
from axiometer.experiment.keys_processor import kind
from axiometer.experiment.keys_shared import MAX_MASTERS, runs_freely
from axiometer.experiment.points import Point, single
from axiometer.experiment.values import known
from axiometer.platform import MAPPINGS, Platform
from axiometer.published.anchors import Anchored
from axiometer.published.claims import Claim
from axiometer.published.measured import Measurement
from axiometer.records import laws
from axiometer.simulate import side_by_side
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream

OBJECTIVES = ("total", "minimum", "guarantee", "latency")
SCREEN_S, SEARCH_S, FINAL_S = 0.00015, 0.0006, 0.002
"""Simulated time of a candidate that has many others beside it, few, and of a shown one."""
LEFT = 4  # neighbours of a candidate that run longer
RACE, STEP = ((0.00005, 32), (SCREEN_S, 8)), ((SCREEN_S, LEFT),)
"""Races of all starts, and of the neighbours of a candidate: rounds with their simulated time and
the number that goes on. The last round of each is `SEARCH_S`."""
HEADROOM = 1.25  # a master with a rate may reach this multiple of it, to show a margin
IMPROVED = 4  # assignments to improve
MOST_ASSIGNMENTS = 300  # beyond it only unavoidable sharing of multiplexers
EVEN = "best_effort"  # the class in which all ports are served alike
WHOLE = ("qos", "mapping")
"""Settings for all ports at once, whose gain is no sum of gains at single ports."""


Change = Callable[[Candidate], Candidate]
Rounds = Sequence[tuple[float, int]]
Input = tuple[str, float]
"""The model's input for a candidate, and the simulated time, which is no part of it on all
chips."""


@dataclass
class Search:
    """A search on `platform` for `masters`. `choices`: the values to try for each further setting,
    by name. `fixed`: keys of an experiment for all candidates. `ports`: those to use, none: all
    that are advised. `tried`: the number of runs. `same`: for the ports of each result of `run`,
    other ports with the same result. `refuted`: candidates that measured rows contradict, with the
    compared choice and the claim."""

    platform: Platform
    masters: Sequence[Master]
    objective: str
    choices: Mapping[str, Sequence[object]] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    ports: tuple[str, ...] = ()
    tried: int = 0
    same: dict[tuple[str, ...], list[tuple[str, ...]]] = field(default_factory=dict)
    refuted: list[tuple[Candidate, str, Claim]] = field(default_factory=list)
    _known: dict[tuple[Candidate, float], Outcome] = field(default_factory=dict)
    _failed: dict[tuple[Candidate, float], AxiometerError] = field(default_factory=dict)
    _ran: dict[Input, Record | AxiometerError] = field(default_factory=dict)
    _made: dict[Hashable, Scenario] = field(default_factory=dict)

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
            used = self._used(ports)
            bursts = [self._first_burst(i, used) for i in range(len(self.masters))]
            if None not in bursts:
                yield Candidate(ports, tuple(map(known, bursts)))

    def _first_burst(self, i: int, used: tuple[str, ...]) -> int | None:
        """The first burst of master `i` that all the ports in `used` accept."""
        for burst in sorted(self.masters[i].bursts, reverse=self.bursts_first == "longest"):
            try:
                self._alone(i, used, burst, (), SCREEN_S)
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
                self._scenario(plain.having(name, value), SCREEN_S)

    def _check_burst(self, i: int, master: Master, burst: int) -> None:
        refused: list[AxiometerError] = []
        for port in usual_ports(self.platform):
            try:
                self._stream(i, (port,), port, burst, (), SCREEN_S)
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
        made = {o.candidate: o for o in self.outcomes([*without.values()], FINAL_S)}
        return [(what, made[c]) for what, c in without.items() if c in made]

    @cached_property
    def assignments(self) -> list[tuple[str, ...]]:
        """Assignments of the masters to ports, those that join the fewest masters first;
        AxiometerError if there are none."""
        ports = self.ports or tuple(usual_ports(self.platform))
        most = MAX_MASTERS if runs_freely(self.platform) else 1
        directions = Counter(m.direction for m in self.masters)
        found: list[tuple[str, ...]] = []
        if max(directions.values()) <= most * len(ports):
            least = sum(max(0, n - len(ports)) for n in directions.values())
            for shared in range(least, len(self.masters) if most > 1 else least + 1):
                room = MOST_ASSIGNMENTS - len(found)
                ways = list(islice(self._ways(ports, most, shared), room + 1))
                if found and len(ways) > room:
                    break
                found += ways[:room]
        if not found:
            raise AxiometerError(
                f"{len(self.masters)} masters do not fit the {len(ports)} ports of "
                f"{self.platform.name}: {', '.join(ports)}",
                remedy=f"a direction of a port serves {most}: use fewer, or join masters in the "
                "fabric and give them as one",
            )
        return found

    def _ways(
        self,
        ports: Sequence[str],
        most: int,
        shared: int,
        chosen: tuple[str, ...] = (),
    ) -> Iterator[tuple[str, ...]]:
        """All assignments that begin with `chosen` and in which `shared` masters join another on
        the same direction of a port, at most `most` on one."""
        if len(chosen) == len(self.masters):
            if shared == 0:
                yield chosen
            return
        ends = Counter((m.direction, p) for m, p in zip(self.masters, chosen, strict=False))
        for port in ports:
            there = ends[self.masters[len(chosen)].direction, port]
            left = shared - (there > 0)
            if there < most and left >= 0 and self._first_of_its_like((*chosen, port)):
                yield from self._ways(ports, most, left, (*chosen, port))

    def _first_of_its_like(self, chosen: tuple[str, ...]) -> bool:
        """Whether masters that differ only in name are in the order of ports: one of equal
        cases."""
        rank = self.platform.ports.index
        for i, port in enumerate(chosen):
            for j in range(i):
                same = replace(self.masters[j], name="") == replace(self.masters[i], name="")
                if same and rank(chosen[j]) > rank(port):
                    return False
        return True

    def _race(self, candidates: Sequence[Candidate], rounds: Rounds) -> list[Outcome]:
        """The best of `candidates` after `rounds` and `SEARCH_S`, the best first."""
        for duration_s, left in rounds:
            if len(candidates) > left:
                ranked = _ranked(self.outcomes(candidates, duration_s))
                candidates = [outcome.candidate for outcome in ranked[:left]]
        return _ranked(self.outcomes(candidates, SEARCH_S))

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
                ranked = _ranked(self.outcomes([*others], SCREEN_S))
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
        for outcome in self.outcomes([candidate], duration_s):
            return outcome
        raise self._failed[candidate, duration_s]

    def outcomes(self, candidates: Sequence[Candidate], duration_s: float) -> list[Outcome]:
        """Each of `candidates`, simulated for `duration_s`, side by side; those that cannot be
        simulated are left out."""
        new: dict[Candidate, tuple[Scenario, Sequence[int], Input]] = {}
        for candidate in candidates:
            at = candidate, duration_s
            if at in self._known or at in self._failed or candidate in new:
                continue
            try:
                scenario, order = self._scenario(*at)
            except AxiometerError as error:
                self._failed[at] = error
            else:
                new[candidate] = scenario, order, (repr(scenario.document()), duration_s)
        # The first of the candidates with the same input for the model.
        fresh = {given: of for of, _, given in reversed(new.values()) if given not in self._ran}
        self.tried += len(fresh)
        work = [(scenario, 0) for scenario in fresh.values()]
        for (given, scenario), record in zip(
            fresh.items(), side_by_side.records(work), strict=True
        ):
            if not isinstance(record, AxiometerError):
                point = Point(0, {}, scenario.values)
                laws.check(scenario.platform, point, [record], scenario.streams)
            self._ran[given] = record
        for candidate, (scenario, order, given) in new.items():
            record = self._ran[given]
            if isinstance(record, AxiometerError):
                self._failed[candidate, duration_s] = record
            else:
                self._known[candidate, duration_s] = self._outcome(
                    candidate, scenario, order, record
                )
        every = [(candidate, duration_s) for candidate in candidates]
        return [self._known[at] for at in every if at in self._known]

    def limit(self, candidate: Candidate) -> Verdict:
        """The limit of the candidate, at the length of shown results."""
        scenario, _ = self._scenario(candidate, FINAL_S)
        self.outcome(candidate, FINAL_S)
        record = self._ran[repr(scenario.document()), FINAL_S]
        assert not isinstance(record, AxiometerError)  # `outcome` would have raised it
        evidence = Evidence(
            stacks([record], "the first"), scenario.values, collect.facts(scenario.platform)
        )
        return judged(evidence, scenario, [record])

    def _scenario(self, candidate: Candidate, duration_s: float) -> tuple[Scenario, Sequence[int]]:
        """The scenario of a candidate, and the index of the master of each of its streams."""
        used = self._used(candidate.ports)
        each = enumerate(zip(candidate.ports, candidate.bursts, strict=True))
        parts = [
            self._stream(i, used, port, burst, candidate.settings, duration_s)
            for i, (port, burst) in each
        ]
        # Streams of one port are adjacent: one access starts them.
        order = sorted(range(len(parts)), key=lambda i: parts[i][0].port)
        behind: Counter[tuple[int, str]] = Counter()
        streams = []
        for stream, _ in (parts[i] for i in order):
            end = stream.port, stream.direction
            # Only masters that join another at a multiplexer have a number.
            streams.append(replace(stream, master=behind[end] or None))
            behind[end] += 1
        return parts[0][1].with_own_regions(streams), order

    def _used(self, ports: Sequence[str]) -> tuple[str, ...]:
        """The ports, each once, in the platform's order."""
        return tuple(sorted(set(ports), key=self.platform.ports.index))

    def _outcome(
        self,
        candidate: Candidate,
        scenario: Scenario,
        order: Sequence[int],
        record: Record,
    ) -> Outcome:
        rates = [0.0] * len(order)
        latencies: list[float | None] = [None] * len(order)
        for stream, i in zip(record["streams"], order, strict=True):
            rates[i] = stream["bytes"] / record["elapsed_s"] * 1e-6
            latency = stream["latency_cycles"]
            if latency:
                latencies[i] = latency["mean"] * 1e3 / scenario.values["pl_mhz"]
        return Outcome(candidate, tuple(rates), tuple(latencies), self._score(rates, latencies))

    def _stream(
        self,
        i: int,
        used: tuple[str, ...],
        port: str,
        burst: int,
        settings: Settings,
        duration_s: float,
    ) -> tuple[Stream, Scenario]:
        """Master `i` at `port` as a stream, with its scenario of `_alone`."""
        master = self.masters[i]
        scenario = self._alone(i, used, burst, settings, duration_s)
        stream = next(s for s in scenario.streams if s.name == port)
        if master.rate is not None:
            mhz = scenario.values["pl_mhz"]
            asks, least = master.rate * HEADROOM, pace.least(burst, mhz)
            if asks < least:
                raise AxiometerError(f"rate is {master.rate:g}", remedy=f"give at least {least:g}")
            stream = replace(stream, pace=pace.of(asks, burst, mhz))
        return stream, scenario

    def _alone(
        self, i: int, used: tuple[str, ...], burst: int, settings: Settings, duration_s: float
    ) -> Scenario:
        """The scenario of a point that has the ports `used`, and at each the direction, pattern
        and limits of master `i`. Masters that differ in their rates only share it."""
        master = self.masters[i]
        kind = master.direction, master.pattern, master.outstanding
        key = used, kind, burst, settings, duration_s
        if key in self._made:
            return self._made[key]
        platform, keys = laid_over(self.platform, settings)
        given = {
            "ports": "+".join(used),
            "mode": MODE_OF[master.direction],
            "burst_bytes": burst,
            "pattern": master.pattern,
            "duration": run_length.at_most(self.platform, f"{duration_s * 1e6:g}us"),
            **self.fixed,
            **keys,
        }
        if master.outstanding is not None:
            given[f"outstanding_{master.direction}"] = master.outstanding
        self._made[key] = Scenario.of(platform, single(platform, given).values)
        return self._made[key]

    def _score(
        self, rates: Sequence[float], latencies: Sequence[float | None]
    ) -> tuple[float, ...]:
        total = sum(rates)
        if self.objective == "total":
            return (total, min(rates))
        if self.objective == "minimum":
            return (min(rates), total)
        if self.objective == "latency":
            # Without a whole burst in the simulated time, it is longer than that.
            return (-max(math.inf if ns is None else ns for ns in latencies), total)
        wanted = [(r, m.rate) for r, m in zip(rates, self.masters, strict=True) if m.rate]
        return (min(r / want for r, want in wanted), total)


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


def usual_ports(platform: Platform) -> list[str]:
    """The ports on a path of the memory that advice may use: those with published rates, or all if
    there are none."""
    found = [port for port in platform.ports if kind(platform, port) == "hp"]
    never = platform.unvalidated(found)
    return [port for port in found if port not in never] or found


def usual_bursts(platform: Platform) -> tuple[int, ...]:
    """The assumed burst lengths of a master in bytes: powers of two from 64 up to the ports'
    limit."""
    most = 0
    for port in usual_ports(platform):
        beat = max(platform.wholes(f"port.{port}.widths")) // 8
        most = max(most, beat * platform.whole(f"port.{port}.burst_beats_max", MAX_BURST_BEATS))
    return tuple(2**n for n in range(6, 13) if 2**n <= most)


def usual_choices(platform: Platform) -> dict[str, list[object]]:
    """Settings that a designer may choose on `platform`: the mapping, and the class of traffic of
    each port and of all if the platform has such a setting (None: unchanged)."""
    default = platform.value("mapping.default")
    found: dict[str, list[object]] = {"mapping": [None, *(m for m in MAPPINGS if m != default)]}
    for port in platform.ports:
        if platform.has(f"qos.{port}.mode"):
            found["qos"] = [None, EVEN]
            found[f"qos.{port}.mode"] = [None, *keys_qos.CLASSES]
    return found
