"""Candidates (masters on ports, with bursts and settings), simulated and scored."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from axiometer.advice.candidates import Candidate, Outcome, Settings, laid_over
from axiometer.advice.wanted_masters import Master
from axiometer.answer.trials.runner import Effort, Runner
from axiometer.base import pace
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.experiment import run_length
from axiometer.experiment.directions import MODE_OF
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.stream import Stream

HEADROOM = 1.25  # a master with a rate may reach this multiple of it, to show a margin
AS_IT_IS = Effort(lambda scenario: scenario, 1)
"""A candidate's scenario has its simulated time itself."""


@dataclass
class Scoring:
    """The candidates for `masters` on `platform`, by `objective`. `fixed`: keys of an experiment
    for all candidates."""

    platform: Platform
    masters: Sequence[Master]
    objective: str
    fixed: Mapping[str, object] = field(default_factory=dict)
    runner: Runner = field(default_factory=Runner)
    known: dict[tuple[Candidate, float], Outcome] = field(default_factory=dict)
    _failed: dict[tuple[Candidate, float], AxiometerError] = field(default_factory=dict)
    _made: dict[Hashable, Scenario] = field(default_factory=dict)

    def outcome(self, candidate: Candidate, duration_s: float) -> Outcome:
        """The candidate, simulated for `duration_s`. AxiometerError if that is not possible."""
        for outcome in self.outcomes([candidate], duration_s):
            return outcome
        raise self._failed[candidate, duration_s]

    def outcomes(self, candidates: Sequence[Candidate], duration_s: float) -> list[Outcome]:
        """Each of `candidates`, simulated for `duration_s`, side by side; those that cannot be
        simulated are left out."""
        new: dict[Candidate, tuple[Scenario, Sequence[int]]] = {}
        for candidate in candidates:
            at = candidate, duration_s
            if at in self.known or at in self._failed or candidate in new:
                continue
            try:
                new[candidate] = self.scenario(*at)
            except AxiometerError as error:
                self._failed[at] = error
        done = self.runner.records([scenario for scenario, _ in new.values()], AS_IT_IS)
        for (candidate, (scenario, order)), records in zip(new.items(), done, strict=True):
            at = candidate, duration_s
            if isinstance(records, AxiometerError):
                self._failed[at] = records
            else:
                self.known[at] = self._outcome(candidate, scenario, order, records[0])
        every = [(candidate, duration_s) for candidate in candidates]
        return [self.known[at] for at in every if at in self.known]

    def scenario(self, candidate: Candidate, duration_s: float) -> tuple[Scenario, Sequence[int]]:
        """The scenario of a candidate, and the index of the master of each of its streams."""
        used = self.used(candidate.ports)
        each = enumerate(zip(candidate.ports, candidate.bursts, strict=True))
        parts = [
            self.stream(i, used, port, burst, candidate.settings, duration_s)
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

    def used(self, ports: Sequence[str]) -> tuple[str, ...]:
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

    def stream(
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
        scenario = self.alone(i, used, burst, settings, duration_s)
        stream = next(s for s in scenario.streams if s.name == port)
        if master.rate is not None:
            mhz = scenario.values["pl_mhz"]
            asks, least = master.rate * HEADROOM, pace.least(burst, mhz)
            if asks < least:
                raise AxiometerError(f"rate is {master.rate:g}", remedy=f"give at least {least:g}")
            stream = replace(stream, pace=pace.of(asks, burst, mhz))
        return stream, scenario

    def alone(
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
