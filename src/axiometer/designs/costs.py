"""What findings cost: all masters at once, simulated with the mistake and without it.

A port that platforms have not is told with what its width carries. A length register costs what
software takes to start the next transfer: the time of one transfer is told. Beats that nothing
merges cost beats of the port. What changes no rate says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

from axiometer.base.errors import AxiometerError
from axiometer.designs import changes
from axiometer.designs.as_masters import coupled
from axiometer.designs.checks.finding import Finding, Settings
from axiometer.designs.model import Clock, Design, Master, Port
from axiometer.designs.plan import planned
from axiometer.designs.simulation import Outcome, simulate
from axiometer.experiment.keys_shared import runs_freely
from axiometer.platform import Platform

# Random starts and simulated time of each.
REPEATS, DURATION = 3, "1ms"
FREE_REPEATS, FREE_DURATION = 1, "0.6ms"
SAME = 0.005  # a smaller difference is that of random starts
SOFTWARE_US = 10
_SHORT_LENGTH, _NO_UPSIZING = "short-length", "no-upsizing"


@dataclass(frozen=True)
class Cost:
    """`says` is the cost in a sentence; MB/s of all masters at once with the mistake and without,
    where both were simulated."""

    says: str
    now_MBps: float | None = None  # noqa: N815 - as records call it
    mended_MBps: float | None = None  # noqa: N815


class Costs:
    """The costs of findings of `design` on `platform`; designs that are the same are simulated
    once."""

    def __init__(self, design: Design, platform: Platform) -> None:
        self.design, self.platform = design, platform
        self._known: dict[Design, Outcome | str] = {}

    def of(self, finding: Finding) -> Cost:
        """What a finding costs."""
        if finding.no_rate:
            return Cost(f"No rate tells it: {finding.no_rate}.")
        try:
            if finding.code == _SHORT_LENGTH:
                return self._of_length(finding)
            if finding.code == _NO_UPSIZING:
                return self._of_beats(finding)
            now = _with(self.design, finding.as_is)
            mended = _with(self.design, finding.mend)
        except (AxiometerError, KeyError) as error:
            return _not_simulated(error)
        if not finding.mend and not finding.as_is:
            return Cost("Its cost is not known: nothing tells what would mend it.")
        outside = self._outside(finding, mended)
        return outside if outside is not None else self._between(now, mended)

    def _between(self, now: Design, mended: Design) -> Cost:
        before, after = self._outcome(now), self._outcome(mended)
        if isinstance(before, str) or isinstance(after, str):
            return Cost(before if isinstance(before, str) else str(after))
        a, b = before.rate(), after.rate()
        if abs(b - a) <= SAME * max(a, b):
            says = f"Costs nothing at the simulated load: {a:.0f} MB/s of all masters at once."
        elif b > a:
            says = f"Costs {(1 - a / b) * 100:.0f} %: all masters at once get {a:.0f} MB/s, "
            says += f"mended {b:.0f} (simulated)."
        else:
            says = f"Mended, all masters at once get {b:.0f} MB/s instead of {a:.0f} (simulated)."
        return Cost(says, a, b)

    def _outside(self, finding: Finding, mended: Design) -> Cost | None:
        """The cost at a port that the platform has not; None at others."""
        master = _named(self.design, finding.where)
        if master is None or self.design.port(master.ports[0]).platform_port is not None:
            return None
        port, clock = self._way_in(master)
        bits = min(b for b in (port.width_bits, master.width_bits) if b)
        most = bits / 8 * clock.mhz if clock is not None else None
        there = f"at most {most:.0f} MB/s each way" if most else f"{bits // 8} bytes a clock"
        after = self._outcome(mended)
        if isinstance(after, str):
            return Cost(f"{port.interface} carries {there} by its width. {after}")
        gets = after.rate(master=master.name)
        there_too = _named(mended, master.name) or master
        at = mended.port(there_too.ports[0])
        return Cost(
            f"{port.interface} carries {there} by its width, less what it shares (the platform "
            f"does not have it); at {at.interface} {master.name} gets {gets:.0f} MB/s (simulated).",
            None,
            gets,
        )

    def _way_in(self, master: Master) -> tuple[Port, Clock | None]:
        """The first port of a master, and the clock that its beats move with (None: not told)."""
        port = self.design.port(master.ports[0])
        return port, self.design.clock(port.clock) or self.design.clock(master.clock)

    def _of_length(self, finding: Finding) -> Cost:
        """By the time that one transfer takes."""
        own = [m for m in self.design.masters if m.instance == finding.where and m.length_bits]
        outcome = self._outcome(self.design)
        if isinstance(outcome, str):
            return Cost(outcome)
        rates = [outcome.rate(master=m.name) for m in own]
        if not own or max(rates) <= 0:
            return Cost("Its cost is not known: no rate of it is simulated.")
        fastest = max(rates)
        size = (1 << (own[0].length_bits or 0)) - 1
        lasts = size / fastest
        share = SOFTWARE_US / (SOFTWARE_US + lasts) * 100
        return Cost(
            f"{size} bytes last {lasts:.0f} us at the {fastest:.0f} MB/s that it gets (simulated); "
            f"each {SOFTWARE_US} us that software takes to start the next cost {share:.0f} %.",
            None,
            fastest,
        )

    def _of_beats(self, finding: Finding) -> Cost:
        """By the beats of its port that a master takes, at the rate that it gets."""
        master = _named(self.design, finding.where)
        outcome = self._outcome(self.design)
        if isinstance(outcome, str):
            return Cost(outcome)
        assert master is not None  # that the finding is about
        port, clock = self._way_in(master)
        rate = max(outcome.rate(way, master.name) for way in master.directions)
        if clock is None or not port.width_bits or rate <= 0:
            return Cost("Its cost is not known: no rate of it is simulated, or its clock not told.")
        narrow, wide = (
            rate / (bits / 8 * clock.mhz) * 100 for bits in (master.width_bits, port.width_bits)
        )
        return Cost(
            f"At the {rate:.0f} MB/s that it gets (simulated) its beats take {narrow:.0f} % of "
            f"{port.interface}, merged {wide:.0f} %: the difference is lost to all that share it.",
            rate,
            rate,
        )

    @cached_property
    def _halves(self) -> int:
        return coupled(self.platform, planned(self.design))

    def _outcome(self, design: Design) -> Outcome | str:
        if design not in self._known:
            self._known[design] = self._simulated(design)
        return self._known[design]

    def _simulated(self, design: Design) -> Outcome | str:
        plan = planned(design)
        if not plan.loads:
            return "Its cost is not simulated: no master moves data through a port of the platform."
        if coupled(self.platform, plan) < self._halves:
            return "Its cost is not simulated: halves of a pair would have bursts of two sizes."
        free = runs_freely(self.platform)
        repeats, duration = (FREE_REPEATS, FREE_DURATION) if free else (REPEATS, DURATION)
        try:
            return simulate(self.platform, plan, repeats, False, 0, duration)
        except AxiometerError as error:
            return _not_simulated(error).says


def _with(design: Design, settings: Settings) -> Design:
    return reduce(lambda at, pair: changes.changed(at, *pair), settings, design)


def _named(design: Design, name: str) -> Master | None:
    return next((m for m in design.masters if m.name == name), None)


def _not_simulated(error: Exception) -> Cost:
    words = error.message if isinstance(error, AxiometerError) else str(error)
    return Cost(f"Its cost is not simulated: {words}.")


def costs(design: Design, platform: Platform, found: Sequence[Finding]) -> list[Cost]:
    """The cost of each finding, in their order."""
    known = Costs(design, platform)
    return [known.of(finding) for finding in found]
