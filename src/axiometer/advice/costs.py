"""The cost of findings: the trial of what mends each, with all masters together.

Where the platform lacks the port, the cost is the peak of the port's width. A short length register
costs time of software between transfers. Narrow beats cost beats of the port. A finding without
effect on the rate gets a reason instead of a cost.
"""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.advice import of_design
from axiometer.advice.search import Search
from axiometer.answer.trials.runner import SEARCH
from axiometer.answer.trials.trial import Change, Outcome, Trial
from axiometer.answer.verdicts.cost import Cost
from axiometer.base.errors import AxiometerError
from axiometer.designs import possible
from axiometer.designs.checks.finding import Finding, Settings
from axiometer.designs.model import Clock, Design, Master, Port
from axiometer.platform import Platform
from axiometer.published.claims import WORTH

SOFTWARE_US = 10
_SHORT_LENGTH, _NO_UPSIZING = "short-length", "no-upsizing"


class Costs:
    """The costs of findings of `design` on `platform`. total: MB/s of all masters, as `expect`
    answers it (None: as the trials have it): trials are shorter, so that their rates are given as
    shares of it."""

    def __init__(self, design: Design, platform: Platform, total: float | None = None) -> None:
        self.design, self.total = design, total
        self.start = of_design.start(design, platform)
        self.search = Search(self.start)

    def of(self, finding: Finding) -> Cost:
        """The cost of a finding."""
        if finding.no_rate:
            return Cost(f"It has no cost as a rate: {finding.no_rate}.")
        if lacks := possible.words(self.design):
            return Cost(f"Its cost is unknown: the file does not give {', '.join(lacks)}.")
        try:
            if finding.code == _SHORT_LENGTH:
                return self._of_length(finding)
            if finding.code == _NO_UPSIZING:
                return self._of_beats(finding)
            if not finding.mend and not finding.as_is:
                return Cost("Its cost is unknown: no setting mends it.")
            outside = self._outside(finding)
            return outside if outside is not None else self._between(self._trial(finding))
        except AxiometerError as error:
            return Cost(f"Its cost is not simulated: {error.message}.")

    def _trial(self, finding: Finding) -> Trial:
        change = Change(dict(finding.mend), words=finding.change)
        return Trial((change,), self._outcome(finding.as_is), self._outcome(finding.mend))

    def _between(self, trial: Trial) -> Cost:
        of = self._outcome().total
        whole = 1.0 if self.total is None or not of else self.total / of
        a, b = trial.before.total * whole, trial.after.total * whole
        if abs(trial.simulated) <= WORTH:
            says = f"Costs nothing at the simulated load: {a:.0f} MB/s for all masters together."
        elif b > a:
            says = f"Costs {(1 - a / b) * 100:.0f} %: all masters together get {a:.0f} MB/s, "
            says += f"{b:.0f} without the mistake (simulated)."
        else:
            says = f"Without the mistake, all masters together get {b:.0f} MB/s instead of "
            says += f"{a:.0f} (simulated)."
        return Cost(says, a, b)

    def _outcome(self, settings: Settings = ()) -> Outcome:
        return self.search.outcome((Change(dict(settings)),) if settings else (), SEARCH)

    def _rate(self, master: str, settings: Settings = ()) -> float:
        """MB/s of a master, with these settings."""
        rates = self.start.having(dict(settings)).rates(self._outcome(settings).records)
        return sum(rate for (name, _), rate in rates.items() if name == master)

    def _outside(self, finding: Finding) -> Cost | None:
        """The cost at a port that the platform lacks; None at other ports."""
        master = _named(self.design, finding.where)
        if master is None or self.design.port(master.ports[0]).platform_port is not None:
            return None
        port, clock = self._way_in(master)
        bits = min(b for b in (port.width_bits, master.width_bits) if b)
        most = bits / 8 * clock.mhz if clock is not None else None
        there = f"at most {most:.0f} MB/s each way" if most else f"{bits // 8} bytes a clock"
        try:
            gets = self._rate(master.name, finding.mend)
        except AxiometerError as error:
            return Cost(
                f"{port.interface} carries {there}. Its cost is not simulated: {error.message}."
            )
        mended = self.start.having(dict(finding.mend)).design
        at = mended.port((_named(mended, master.name) or master).ports[0])
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
        fastest = max((self._rate(m.name) for m in own), default=0.0)
        if fastest <= 0:
            return Cost("Its cost is unknown: its rate is not simulated.")
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
        assert master is not None  # the finding is about this master
        port, clock = self._way_in(master)
        rates = self.start.rates(self._outcome().records)
        rate = max((rate for (name, _), rate in rates.items() if name == master.name), default=0.0)
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


def _named(design: Design, name: str) -> Master | None:
    return next((m for m in design.masters if m.name == name), None)


def costs(design: Design, platform: Platform, found: Sequence[Finding], total: float) -> list[Cost]:
    """The cost of each finding, in the order of `found`; `total`: MB/s of all masters."""
    known = Costs(design, platform, total)
    return [known.of(finding) for finding in found]
