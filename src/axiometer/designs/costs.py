"""The cost of findings: the rate of all masters together, simulated with and without the mistake.

Where the platform lacks the port, the cost is the peak of the port's width. A short length register
costs time of software between transfers. Narrow beats cost beats of the port. A finding without
effect on the rate gets a reason instead of a cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

from axiometer.base.errors import AxiometerError
from axiometer.designs import changes
from axiometer.designs.checks.finding import Finding, Settings
from axiometer.designs.masters import coupled
from axiometer.designs.model import Clock, Design, Master, Port
from axiometer.designs.plan import planned
from axiometer.designs.simulation import Outcome, simulate
from axiometer.experiment.keys_shared import runs_freely
from axiometer.platform import Platform

# Random starts and the simulated time of each.
REPEATS, DURATION = 3, "1ms"
FREE_REPEATS, FREE_DURATION = 1, "0.6ms"
SAME = 0.005  # a smaller relative difference is within the spread of random starts
SOFTWARE_US = 10
_SHORT_LENGTH, _NO_UPSIZING = "short-length", "no-upsizing"


@dataclass(frozen=True)
class Cost:
    """`says` is the cost in a sentence. `now_MBps` and `mended_MBps` are the rates of all masters
    together with and without the mistake (None: not simulated)."""

    says: str
    now_MBps: float | None = None  # noqa: N815 - as records call it
    mended_MBps: float | None = None  # noqa: N815

    @property
    def is_loss(self) -> bool:
        """Whether the design is faster without the mistake."""
        now, mended = self.now_MBps, self.mended_MBps
        return now is not None and mended is not None and mended > now * (1 + SAME)


class Costs:
    """The costs of findings of `design` on `platform`. Equal designs are simulated once."""

    def __init__(self, design: Design, platform: Platform) -> None:
        self.design, self.platform = design, platform
        self._known: dict[Design, Outcome | str] = {}

    def of(self, finding: Finding) -> Cost:
        """The cost of a finding."""
        if finding.no_rate:
            return Cost(f"It has no cost as a rate: {finding.no_rate}.")
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
            return Cost("Its cost is unknown: no setting mends it.")
        outside = self._outside(finding, mended)
        return outside if outside is not None else self._between(now, mended)

    def _between(self, now: Design, mended: Design) -> Cost:
        before, after = self._outcome(now), self._outcome(mended)
        if isinstance(before, str) or isinstance(after, str):
            return Cost(before if isinstance(before, str) else str(after))
        a, b = before.rate(), after.rate()
        if abs(b - a) <= SAME * max(a, b):
            says = f"Costs nothing at the simulated load: {a:.0f} MB/s for all masters together."
        elif b > a:
            says = f"Costs {(1 - a / b) * 100:.0f} %: all masters together get {a:.0f} MB/s, "
            says += f"{b:.0f} without the mistake (simulated)."
        else:
            says = f"Without the mistake, all masters together get {b:.0f} MB/s instead of "
            says += f"{a:.0f} (simulated)."
        return Cost(says, a, b)

    def _outside(self, finding: Finding, mended: Design) -> Cost | None:
        """The cost at a port that the platform lacks; None at other ports."""
        master = _named(self.design, finding.where)
        if master is None or self.design.port(master.ports[0]).platform_port is not None:
            return None
        port, clock = self._way_in(master)
        bits = min(b for b in (port.width_bits, master.width_bits) if b)
        most = bits / 8 * clock.mhz if clock is not None else None
        there = f"at most {most:.0f} MB/s each way" if most else f"{bits // 8} bytes a clock"
        after = self._outcome(mended)
        if isinstance(after, str):
            return Cost(f"{port.interface} carries {there}. {after}")
        gets = after.rate(master=master.name)
        there_too = _named(mended, master.name) or master
        at = mended.port(there_too.ports[0])
        return Cost(
            f"{port.interface} carries {there} by its width, less where it shares a path (the "
            f"platform does not model it). At {at.interface}, {master.name} gets {gets:.0f} MB/s "
            "(simulated).",
            None,
            gets,
        )

    def _way_in(self, master: Master) -> tuple[Port, Clock | None]:
        """The first port of a master, and the clock of its beats (None: unknown)."""
        port = self.design.port(master.ports[0])
        return port, self.design.clock(port.clock) or self.design.clock(master.clock)

    def _of_length(self, finding: Finding) -> Cost:
        """The cost of a short length register: the time between transfers as a share of it all."""
        own = [m for m in self.design.masters if m.instance == finding.where and m.length_bits]
        outcome = self._outcome(self.design)
        if isinstance(outcome, str):
            return Cost(outcome)
        rates = [outcome.rate(master=m.name) for m in own]
        if not own or max(rates) <= 0:
            return Cost("Its cost is unknown: its rate is not simulated.")
        fastest = max(rates)
        size = (1 << (own[0].length_bits or 0)) - 1
        lasts = size / fastest
        share = SOFTWARE_US / (SOFTWARE_US + lasts) * 100
        return Cost(
            f"A transfer of {size} bytes takes {lasts:.0f} us at {fastest:.0f} MB/s (simulated): "
            f"if software needs {SOFTWARE_US} us to start the next, that costs {share:.0f} %.",
            None,
            fastest,
        )

    def _of_beats(self, finding: Finding) -> Cost:
        """The cost of narrow beats: the share of the port's beats at the master's rate."""
        master = _named(self.design, finding.where)
        outcome = self._outcome(self.design)
        if isinstance(outcome, str):
            return Cost(outcome)
        assert master is not None  # the finding is about this master
        port, clock = self._way_in(master)
        rate = max(outcome.rate(way, master.name) for way in master.directions)
        if clock is None or not port.width_bits or rate <= 0:
            return Cost("Its cost is unknown: its rate is not simulated, or it has no clock.")
        narrow, wide = (
            rate / (bits / 8 * clock.mhz) * 100 for bits in (master.width_bits, port.width_bits)
        )
        return Cost(
            f"At {rate:.0f} MB/s (simulated) its beats take {narrow:.0f} % of {port.interface}, "
            f"merged {wide:.0f} %: the masters that share the port lose the difference.",
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
            return "Its cost is not simulated: no master moves data through a simulated port."
        if coupled(self.platform, plan) < self._halves:
            return "Its cost is not simulated: the halves of a pair would have different bursts."
        free = runs_freely(self.platform)
        repeats, duration = (FREE_REPEATS, FREE_DURATION) if free else (REPEATS, DURATION)
        try:
            return simulate(self.platform, plan, repeats, duration)
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
    """The cost of each finding, in the order of `found`."""
    known = Costs(design, platform)
    return [known.of(finding) for finding in found]
