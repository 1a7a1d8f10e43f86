"""Which master on which port, with which bursts and settings: a search by simulation.

All ways to put the masters on ports are simulated; the best few are then improved one choice at a
time (a burst, a mapping, a setting of the platform) until nothing helps any more. A direction of a
port carries one master, or up to four through a multiplexer in the fabric where the model has one
(Zynq UltraScale+). Where the ways are too many, those that join the fewest masters come first.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from axiometer import laws
from axiometer.advise.masters import Master
from axiometer.errors import AxiometerError
from axiometer.experiment.keys import MAX_BURST_BEATS
from axiometer.experiment.keys_processor import kind
from axiometer.experiment.keys_usp import MAX_MASTERS, runs_freely
from axiometer.experiment.points import Point, single
from axiometer.platform import MAPPINGS, Platform
from axiometer.simulate import run
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream

OBJECTIVES = ("total", "minimum", "guarantee", "latency")
SEARCH_S, FINAL_S = 0.0006, 0.002  # simulated time of a candidate, and of those that are shown
HEADROOM = 1.25  # a master with a rate may take this much of it, so that a margin can show
IMPROVED = 4  # assignments that are improved
MOST_ASSIGNMENTS = 300  # beyond it no more masters share a multiplexer than must
MODES = {"read": "ps_to_pl", "write": "pl_to_ps"}


@dataclass(frozen=True)
class Candidate:
    """A way to do it: for each master its port and burst, and other settings by their names: keys
    of an experiment ("mapping", "pl_mhz") or paths of the platform ("qos.HP0.mode")."""

    ports: tuple[str, ...]
    bursts: tuple[int, ...]
    settings: tuple[tuple[str, Any], ...] = ()

    def given(self, name: str) -> Any:
        """The value of a setting; None if it is as the platform has it."""
        return dict(self.settings).get(name)

    def having(self, name: str, value: Any) -> Candidate:
        """This one with another value of a setting (None: as the platform has it)."""
        rest = [(k, v) for k, v in self.settings if k != name]
        return replace(
            self, settings=tuple(sorted([*rest, (name, value)] if value is not None else rest))
        )


@dataclass(frozen=True)
class Outcome:
    """What a candidate gives, simulated. `rates`: MB/s of each master; `latency_ns`: mean of
    each; `score`: by the objective, larger is better."""

    candidate: Candidate
    rates: tuple[float, ...]
    latency_ns: tuple[float, ...]
    score: tuple[float, ...]

    @property
    def total(self) -> float:
        """MB/s of all masters."""
        return sum(self.rates)


@dataclass
class Search:
    """A search on `platform` for `masters`. `choices`: for each further setting the values to try,
    by name. `fixed`: keys of an experiment that all candidates have."""

    platform: Platform
    masters: Sequence[Master]
    objective: str
    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    tried: int = 0
    _known: dict[tuple[Candidate, float], Outcome] = field(default_factory=dict)

    def run(self, say: Callable[[str], None] = lambda _: None) -> list[Outcome]:
        """The best candidates, each with another assignment of ports, the best first."""
        longest = tuple(max(m.bursts) for m in self.masters)
        every = [Candidate(ports, longest) for ports in self.assignments()]
        say(f"{len(every)} assignments of masters to ports")
        found = sorted((self.outcome(c) for c in every), key=lambda o: o.score, reverse=True)
        better = [self._improve(o) for o in found[:IMPROVED]]
        say(f"{self.tried} candidates simulated")
        final = [self.outcome(o.candidate, FINAL_S) for o in better]
        return sorted(final, key=lambda o: o.score, reverse=True)

    def reasons(self, winner: Outcome, first: Candidate) -> list[tuple[str, Outcome]]:
        """What each choice of the winner is worth: the winner without it, as in `first`."""
        found = []
        best = winner.candidate
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
        """Ways to put the masters on ports, those that join the fewest masters first;
        AxiometerError if there is none."""
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
                remedy=f"a direction of a port carries {most}: name fewer, or join masters in the "
                "fabric and name them as one",
            )
        return found

    def _ways(
        self,
        ports: Sequence[str],
        most: int,
        shared: int,
        chosen: tuple[str, ...] = (),
    ) -> Iterator[tuple[str, ...]]:
        """All assignments that begin as `chosen` and in which `shared` masters join one that is
        on the same direction of a port already, at most `most` on one."""
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
        """Masters that differ in name only are put on ports in order: one way of several."""
        rank = self.platform.ports.index
        for i, port in enumerate(chosen):
            for j in range(i):
                same = replace(self.masters[j], name="") == replace(self.masters[i], name="")
                if same and rank(chosen[j]) > rank(port):
                    return False
        return True

    def _improve(self, best: Outcome) -> Outcome:
        while True:
            start = best
            for other in self._neighbours(best.candidate):
                best = max(best, self.outcome(other), key=lambda o: o.score)
            if best is start:
                return best

    def _neighbours(self, c: Candidate) -> list[Candidate]:
        found = []
        for i, master in enumerate(self.masters):
            for burst in master.bursts:
                found.append(replace(c, bursts=(*c.bursts[:i], burst, *c.bursts[i + 1 :])))
        for name, values in self.choices.items():
            found += [c.having(name, value) for value in values]
        return [other for other in found if other != c]

    def outcome(self, candidate: Candidate, duration_s: float = SEARCH_S) -> Outcome:
        """The candidate, simulated for `duration_s`."""
        known = self._known.get((candidate, duration_s))
        if known is None:
            self.tried += 1
            known = self._known[candidate, duration_s] = self._simulate(candidate, duration_s)
        return known

    def _simulate(self, candidate: Candidate, duration_s: float) -> Outcome:
        overrides = {k: v for k, v in candidate.settings if "." in k}
        keys = {k: v for k, v in candidate.settings if "." not in k}
        platform = self.platform.with_overrides(overrides)
        used = sorted(set(candidate.ports), key=platform.ports.index)
        parts = [
            self._stream(platform, used, i, candidate, keys, duration_s)
            for i in range(len(self.masters))
        ]
        # Streams of one port side by side: they are started by one access.
        order = sorted(range(len(parts)), key=lambda i: parts[i][0].port)
        behind: Counter[tuple[int, str]] = Counter()
        streams = []
        for stream, _ in (parts[i] for i in order):
            end = stream.port, stream.direction
            # Only those behind another one's multiplexer have a number.
            streams.append(replace(stream, master=behind[end] or None))
            behind[end] += 1
        scenario = parts[0][1].with_own_regions(streams)
        values = scenario.values
        record = run.repeat(scenario, 0, 0)
        laws.check(platform, Point(0, {}, values), [record], scenario.streams)
        rates, latencies = [0.0] * len(order), [0.0] * len(order)
        for stream, i in zip(record["streams"], order, strict=True):
            rates[i] = stream["bytes"] / record["elapsed_s"] * 1e-6
            latency = stream["latency_cycles"]
            latencies[i] = latency["mean"] * 1e3 / values["pl_mhz"] if latency else math.inf
        return Outcome(candidate, tuple(rates), tuple(latencies), self._score(rates, latencies))

    def _stream(
        self,
        platform: Platform,
        used: Sequence[str],
        i: int,
        candidate: Candidate,
        keys: Mapping[str, Any],
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
            "duration": f"{duration_s * 1e6:g}us",
            **self.fixed,
            **keys,
        }
        if master.outstanding is not None:
            given[f"outstanding_{master.direction}"] = master.outstanding
        values = single(platform, given).values
        scenario = Scenario.of(platform, values)
        stream = next(s for s in scenario.streams if s.name == candidate.ports[i])
        if master.rate is not None:
            beats = math.ceil(burst * 8 / values["width_bits"])
            cycles = burst / (master.rate * HEADROOM) * values["pl_mhz"]
            stream = replace(stream, gap_cycles=max(0, math.floor(cycles) - beats))
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


def usual_ports(platform: Platform) -> list[str]:
    """The ports on a path of the memory that advice may name: those of which somebody published
    rates, or where there are none, all."""
    found = [port for port in platform.ports if kind(platform, port) == "hp"]
    never = platform.unvalidated(found)
    return [port for port in found if port not in never] or found


def usual_bursts(platform: Platform) -> tuple[int, ...]:
    """Lengths in bytes that a master is assumed to be able to do: powers of two from 64 on, as far
    as the ports allow."""
    most = 0
    for port in usual_ports(platform):
        beat = max(platform.value(f"port.{port}.widths")) // 8
        most = max(most, beat * platform.value(f"port.{port}.burst_beats_max", MAX_BURST_BEATS))
    return tuple(2**n for n in range(6, 13) if 2**n <= most)


def usual_choices(platform: Platform) -> dict[str, list[Any]]:
    """Settings that a designer may choose on `platform`: the mapping, and the class of each
    port's traffic where the platform has such a setting (None: as it is)."""
    default = platform.value("mapping.default")
    found: dict[str, list[Any]] = {"mapping": [None, *(m for m in MAPPINGS if m != default)]}
    for port in platform.ports:
        if platform.has(f"qos.{port}.mode"):
            found[f"qos.{port}.mode"] = [None, "best_effort", "video", "low_latency"]
    return found
