"""Assignment of masters to ports, with bursts and settings: a search by simulation.

All assignments are simulated; the best few are then improved one choice at a time (a burst, a
mapping, a setting of the platform) until nothing helps. A direction of a port serves one master, or
up to four through a multiplexer in the fabric if the model has one (Zynq UltraScale+). With too
many assignments, those that join the fewest masters come first.

Many candidates race: each runs for a short time, and the best of them run longer (successive
halving: Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013).
Further rounds of an improvement try only choices from the better half of the last round. Candidates
with the same input for the model run once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from axiometer.advice import beside
from axiometer.advice.candidates import Candidate, Outcome
from axiometer.advice.wanted_masters import Master
from axiometer.answer.analysis import collect
from axiometer.answer.analysis.time_classes import stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.verdicts.verdict import Verdict, judged
from axiometer.base import pace
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.experiment import run_length
from axiometer.experiment.keys import MAX_BURST_BEATS
from axiometer.experiment.keys_processor import kind
from axiometer.experiment.keys_shared import MAX_MASTERS, runs_freely
from axiometer.experiment.points import Point, single
from axiometer.platform import MAPPINGS, Platform
from axiometer.published.anchors import Anchored
from axiometer.published.claims import Claim
from axiometer.published.measured import Measurement
from axiometer.records import laws
from axiometer.simulate import side_by_side
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream

OBJECTIVES = ("total", "minimum", "guarantee", "latency")
SCREEN_S = 0.00015  # simulated time of a candidate in the first round of a race
SEARCH_S, FINAL_S = 0.0006, 0.002  # in the later round, and of shown candidates
RACED, LEFT = 32, 4  # assignments, and neighbours in a round of improvement, that run longer
HEADROOM = 1.25  # a master with a rate may reach this multiple of it, to show a margin
IMPROVED = 4  # assignments to improve
MOST_ASSIGNMENTS = 300  # beyond it only unavoidable sharing of multiplexers
MODES = {"read": "ps_to_pl", "write": "pl_to_ps"}


Change = Callable[[Candidate], Candidate]


@dataclass
class Search:
    """A search on `platform` for `masters`. `choices`: the values to try for each further setting,
    by name. `fixed`: keys of an experiment for all candidates. `tried`: the number of runs. `same`:
    for the ports of each result of `run`, other ports with the same result. `refuted`: candidates
    that measured rows contradict, with the compared choice and the claim."""

    platform: Platform
    masters: Sequence[Master]
    objective: str
    choices: Mapping[str, Sequence[object]] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    tried: int = 0
    same: dict[tuple[str, ...], list[tuple[str, ...]]] = field(default_factory=dict)
    refuted: list[tuple[Candidate, str, Claim]] = field(default_factory=list)
    _known: dict[tuple[Candidate, float], Outcome] = field(default_factory=dict)
    _ran: dict[str, Record] = field(default_factory=dict)

    def run(self, say: Callable[[str], None] = lambda _: None) -> list[Outcome]:
        """The best candidates with differing results, the best first. Leaving out any choice of the
        first loses something."""
        self._check(self.plain())
        longest = self.plain().bursts
        every = [Candidate(ports, longest) for ports in self.assignments()]
        say(f"{len(every)} assignments of masters to ports")
        found = self._apart(self._race(every, RACED))
        better = [self._improve(o) for o in found[:IMPROVED]]
        say(f"{self.tried} candidates simulated")
        return self._settled([self.outcome(o.candidate, FINAL_S) for o in better])

    def plain(self) -> Candidate:
        """The first assignment of ports, with the longest bursts and the platform's settings:
        choices are compared with it."""
        return Candidate(self.assignments()[0], tuple(max(m.bursts) for m in self.masters))

    def _apart(self, ranked: Sequence[Outcome]) -> list[Outcome]:
        """The first of each set of alike outcomes; `same` has the others."""
        found: list[Outcome] = []
        for outcome in ranked:
            ports = outcome.candidate.ports
            first = next((o for o in found if o.alike(outcome)), None)
            if first is None:
                found.append(outcome)
                continue
            also = [*self.same.pop(ports, []), ports]
            known = self.same.setdefault(first.candidate.ports, [])
            known += [p for p in also if p not in known and p != first.candidate.ports]
        return found

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
            # Each step is nearer to `plain`, so the loop ends.
            alike = plainer[0].alike(best)
            final = [plainer[0], *(ranked if alike else ranked[1:])]

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

    def _check(self, candidate: Candidate) -> None:
        """AxiometerError with the master's name if its bursts are not possible on its port."""
        for i, master in enumerate(self.masters):
            for burst in master.bursts:
                one = _with_burst(i, burst, candidate)
                try:
                    self._stream(self.platform, sorted(set(one.ports)), i, one, {}, SEARCH_S)
                except AxiometerError as error:
                    raise AxiometerError(
                        f"master {master.name}: {error.message}", remedy=error.remedy
                    ) from None

    def reasons(self, winner: Outcome) -> list[tuple[str, Outcome]]:
        """The gain of each choice of the winner: the winner without it, with the choice of
        `plain`."""
        found = []
        best, first = winner.candidate, self.plain()
        if best.ports != first.ports:
            without = replace(best, ports=first.ports)
            found.append(("the ports of the first assignment", self.outcome(without, FINAL_S)))
        if best.bursts != first.bursts:
            without = replace(best, bursts=first.bursts)
            found.append(("the longest bursts", self.outcome(without, FINAL_S)))
        for name, _ in best.settings:
            without = best.having(name, first.given(name))
            found.append((f"{name} as the platform has it", self.outcome(without, FINAL_S)))
        return found

    def assignments(self) -> list[tuple[str, ...]]:
        """Assignments of the masters to ports, those that join the fewest masters first;
        AxiometerError if there are none."""
        ports = usual_ports(self.platform)
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
                f"{self.platform.name}",
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

    def _race(self, candidates: Sequence[Candidate], left: int) -> list[Outcome]:
        """The best of `candidates` after `SEARCH_S`, the best first; of more than `left`, only the
        best after `SCREEN_S` run so long."""
        if len(candidates) > left:
            ranked = _ranked(self.outcomes(candidates, SCREEN_S))
            candidates = [outcome.candidate for outcome in ranked[:left]]
        return _ranked(self.outcomes(candidates, SEARCH_S))

    def _improve(self, best: Outcome) -> Outcome:
        """The best outcome of single changes, one after the other."""
        changes = self._changes()
        while True:
            others = {change(best.candidate): change for change in changes}
            others.pop(best.candidate, None)
            if not others:
                return best
            first = max(self._race([*others], LEFT), key=lambda o: o.score)
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
        """The candidate, simulated for `duration_s`."""
        return self.outcomes([candidate], duration_s)[0]

    def outcomes(self, candidates: Sequence[Candidate], duration_s: float) -> list[Outcome]:
        """Each of `candidates`, simulated for `duration_s`, side by side."""
        new = [c for c in dict.fromkeys(candidates) if (c, duration_s) not in self._known]
        made = [self._scenario(candidate, duration_s) for candidate in new]
        inputs = [repr(scenario.document()) for scenario, _ in made]
        # The first of the candidates with the same input for the model.
        fresh = {text: n for n, text in reversed([*enumerate(inputs)]) if text not in self._ran}
        numbers = sorted(fresh.values())
        self.tried += len(numbers)
        work = [(made[n][0], 0) for n in numbers]
        for n, record in zip(numbers, side_by_side.records(work), strict=True):
            if isinstance(record, AxiometerError):
                raise record
            values, streams = made[n][0].values, made[n][0].streams
            laws.check(made[n][0].platform, Point(0, {}, values), [record], streams)
            self._ran[inputs[n]] = record
        for candidate, (scenario, order), text in zip(new, made, inputs, strict=True):
            outcome = self._outcome(candidate, scenario, order, self._ran[text])
            self._known[candidate, duration_s] = outcome
        return [self._known[candidate, duration_s] for candidate in candidates]

    def limit(self, candidate: Candidate) -> Verdict:
        """The limit of the candidate, at the length of shown results."""
        scenario, _ = self._scenario(candidate, FINAL_S)
        self.outcome(candidate, FINAL_S)
        record = self._ran[repr(scenario.document())]
        evidence = Evidence(
            stacks([record], "the first"), scenario.values, collect.facts(scenario.platform)
        )
        return judged(evidence, scenario, [record])

    def _scenario(self, candidate: Candidate, duration_s: float) -> tuple[Scenario, Sequence[int]]:
        """The scenario of a candidate, and the index of the master of each of its streams."""
        overrides = {k: v for k, v in candidate.settings if "." in k}
        keys = {k: v for k, v in candidate.settings if "." not in k}
        platform = self.platform.with_overrides(overrides)
        used = sorted(set(candidate.ports), key=platform.ports.index)
        parts = [
            self._stream(platform, used, i, candidate, keys, duration_s)
            for i in range(len(self.masters))
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

    def _outcome(
        self,
        candidate: Candidate,
        scenario: Scenario,
        order: Sequence[int],
        record: Record,
    ) -> Outcome:
        rates, latencies = [0.0] * len(order), [0.0] * len(order)
        for stream, i in zip(record["streams"], order, strict=True):
            rates[i] = stream["bytes"] / record["elapsed_s"] * 1e-6
            latency = stream["latency_cycles"]
            cycle_ns = 1e3 / scenario.values["pl_mhz"]
            latencies[i] = latency["mean"] * cycle_ns if latency else math.inf
        return Outcome(candidate, tuple(rates), tuple(latencies), self._score(rates, latencies))

    def _stream(
        self,
        platform: Platform,
        used: Sequence[str],
        i: int,
        candidate: Candidate,
        keys: Mapping[str, object],
        duration_s: float,
    ) -> tuple[Stream, Scenario]:
        """Master `i` as a stream, with the scenario of a point that has all of the candidate's
        ports and this master's direction and burst."""
        master, burst = self.masters[i], candidate.bursts[i]
        given = {
            "ports": "+".join(used),
            "mode": MODES[master.direction],
            "burst_bytes": burst,
            "pattern": master.pattern,
            "duration": run_length.at_most(platform, f"{duration_s * 1e6:g}us"),
            **self.fixed,
            **keys,
        }
        if master.outstanding is not None:
            given[f"outstanding_{master.direction}"] = master.outstanding
        values = single(platform, given).values
        scenario = Scenario.of(platform, values)
        stream = next(s for s in scenario.streams if s.name == candidate.ports[i])
        if master.rate is not None:
            asks, least = master.rate * HEADROOM, pace.least(burst, values["pl_mhz"])
            if asks < least:
                raise AxiometerError(f"rate is {master.rate:g}", remedy=f"give at least {least:g}")
            stream = replace(stream, pace=pace.of(asks, burst, values["pl_mhz"]))
        return stream, scenario

    def _score(self, rates: Sequence[float], latencies: Sequence[float]) -> tuple[float, ...]:
        total = sum(rates)
        if self.objective == "total":
            return (total, min(rates))
        if self.objective == "minimum":
            return (min(rates), total)
        if self.objective == "latency":
            return (-max(latencies), total)
        wanted = [(r, m.rate) for r, m in zip(rates, self.masters, strict=True) if m.rate]
        return (min(r / want for r, want in wanted), total)


def _ranked(found: Sequence[Outcome]) -> list[Outcome]:
    return sorted(found, key=lambda o: o.score, reverse=True)


def _with_burst(i: int, burst: int, c: Candidate) -> Candidate:
    return replace(c, bursts=(*c.bursts[:i], burst, *c.bursts[i + 1 :]))


def _with_setting(name: str, value: object, c: Candidate) -> Candidate:
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
    """Settings that a designer may choose on `platform`: the mapping, and the class of each port's
    traffic if the platform has such a setting (None: unchanged)."""
    default = platform.value("mapping.default")
    found: dict[str, list[object]] = {"mapping": [None, *(m for m in MAPPINGS if m != default)]}
    for port in platform.ports:
        if platform.has(f"qos.{port}.mode"):
            found[f"qos.{port}.mode"] = [None, "best_effort", "video", "low_latency"]
    return found
