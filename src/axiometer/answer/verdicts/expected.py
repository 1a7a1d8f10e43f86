"""One point that was asked for, with all that is judged of it: what `expect` answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from axiometer.answer.analysis.results import MEASURED, Row
from axiometer.answer.analysis.stats import Described
from axiometer.answer.relax.gains import TIE, Gain
from axiometer.answer.relax.starved import StarvedBy
from axiometer.answer.verdicts import refuted, started
from axiometer.answer.verdicts.before_port import BeforePort
from axiometer.answer.verdicts.small import Small
from axiometer.answer.verdicts.verdict import Verdict
from axiometer.base.errors import AxiometerError
from axiometer.experiment.keys_processor import ONE_WAY
from axiometer.platform import Platform
from axiometer.published import claims
from axiometer.published.anchors import Anchored
from axiometer.published.bands import Band
from axiometer.published.claims import Claim
from axiometer.published.measured import Measurement


@dataclass(frozen=True)
class Sampling:
    """How a rate was sampled. starts: how many were simulated; half: of the 95 % interval of their
    mean, and aim: with which it may end, as shares of the rate (half is None where nothing moves);
    why: "aim", "bytes", "starts" (as many as the point has), "asked" (all that were), or
    "told" (it was enough for who asked)."""

    starts: int
    half: float | None
    aim: float
    why: str


@dataclass(frozen=True)
class Best:
    """What gives most, as a share of the rate: a choice that no key makes, such as where buffers
    are, a cause whose relaxation was simulated, or (both None) the change that was tried."""

    gain: float
    relaxed: Gain | None = None
    by_hand: Gain | None = None


@dataclass(frozen=True)
class Answer:
    """A simulated point. `tried` is the point with the advice followed, where it could be;
    `nearest_measured`: rows near the point where none is of it; `more`: sentences about other
    masters or buffers; `sampling`: why so many starts, None where that is not known; `starved`: the
    masters that get as good as nothing; `small`: what it costs beside its start, where that is the
    larger part; `before_port`: what stands before the ports, where it costs something."""

    platform: Platform
    row: Row
    verdict: Verdict
    tried: Row | None
    nearest_measured: Sequence[Measurement]
    backend: str
    more: Sequence[str] = ()
    sampling: Sampling | None = None
    starved: Sequence[StarvedBy] = ()
    small: Small | None = None
    before_port: BeforePort | None = None

    @property
    def total(self) -> Described:
        """Statistics of the total rate. AxiometerError where there is none."""
        if self.row.total is None:
            raise AxiometerError("the backend gave no record")
        return self.row.total

    @property
    def band(self) -> Band | None:
        """Of the total; None where nothing is known, and for what was measured."""
        return None if self.backend == MEASURED else self.row.band

    @property
    def anchored(self) -> Anchored | None:
        """The total, corrected by what was measured near it; None of what was measured itself."""
        return None if self.backend == MEASURED else self.row.anchored

    @property
    def measured(self) -> Sequence[Measurement]:
        """The rows that were measured at this point."""
        return self.row.measured

    @property
    def claim(self) -> Claim | None:
        """That following the advice gives more; None where it was not tried."""
        if self.tried is None or self.tried.mean is None or not self.verdict.change:
            return None
        before, after = self.total["mean"], self.tried.mean
        return claims.claim(before, after, self.measured, self.tried.measured)

    @property
    def advised(self) -> Verdict:
        """The verdict, and of the choice that was tried what that gave."""
        remedy, claim = self.verdict.remedy, self.claim
        if claim is None or not remedy.choices:
            return self.verdict
        choices = tuple(
            refuted.by(replace(gain, gain=claim.gain), claim)
            if gain.change == remedy.change
            else gain
            for gain in remedy.choices
        )
        return replace(self.verdict, remedy=replace(remedy, choices=choices))

    def left(self, gain: float) -> float:
        """What the measured rate of the point leaves of a gain that relaxing a cause was simulated
        to give, as shares."""
        rate = self.total["mean"]
        return claims.claim(rate, rate * (1 + gain), self.measured).gain

    @property
    def trial(self) -> float | None:
        """What following the advice gives, as a share of the rate, by what was measured where that
        is known; None where it was not tried."""
        return None if self.claim is None else self.claim.gain

    @property
    def trial_helps(self) -> bool:
        """Whether following the advice gives more."""
        return (self.trial or 0.0) > 0

    @property
    def best(self) -> Best | None:
        """What gives most: a change that was tried, or else the cause whose relaxation was; None
        where nothing gives more than `TIE`."""
        trial = self.trial or 0.0
        by_hand = [c for c in self.advised.remedy.choices if c.change is None]
        own = max(by_hand, key=lambda c: c.gain, default=None)
        if own is not None and own.gain > max(trial, TIE):
            return Best(own.gain, by_hand=own)
        if trial > TIE:
            return Best(trial)
        found = self.verdict.found
        gains = () if found is None else found.gains
        most = max((g for g in gains if g.gain > TIE), key=lambda g: g.gain, default=None)
        relaxed = most if most is not None and self.left(most.gain) > TIE else None
        return None if relaxed is None else Best(self.left(relaxed.gain), relaxed)

    @property
    def started(self) -> started.Started | None:
        """The program that starts it; None of what was measured, whose program is its own."""
        return None if self.backend == MEASURED else started.of(self.platform, self.row)

    @property
    def one_way(self) -> bool:
        """Whether it is of one direction of a master that has one at a time, and nobody chose."""
        return self.row.values["master"] in ONE_WAY and "mode" not in self.row.key
