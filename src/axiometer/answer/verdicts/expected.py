"""One requested point with its verdicts: the answer of `expect`."""

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
    """How a rate was sampled. starts: how many were simulated; half: half of the 95 % interval of
    their mean, and aim: its target, as shares of the rate (half is None where nothing moves); why
    it ended: "aim", "bytes", "starts" (as many as the point has), "asked" (all requested starts),
    or "told" (the caller stopped it)."""

    starts: int
    half: float | None
    aim: float
    why: str


@dataclass(frozen=True)
class Best:
    """The largest gain, as a share of the rate: of a choice without a key, such as other buffer
    addresses, of a simulated relaxation, or (both None) of the tried change."""

    gain: float
    relaxed: Gain | None = None
    by_hand: Gain | None = None


@dataclass(frozen=True)
class Answer:
    """A simulated point. `tried`: the point with the advised change, where it could be simulated;
    `nearest_measured`: rows near the point, if the point itself has none; `more`: sentences about
    other masters or buffers; `sampling`: why so many starts, None where that is not known;
    `starved`: the masters that get almost nothing; `small`: the cost of a small transfer apart from
    its start; `before_port`: the blocks before the ports, where they cost rate."""

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
        """The band of the total; None where it is unknown, and for measured rates."""
        return None if self.backend == MEASURED else self.row.band

    @property
    def anchored(self) -> Anchored | None:
        """The total, corrected by measurements near it; None for measured rates."""
        return None if self.backend == MEASURED else self.row.anchored

    @property
    def measured(self) -> Sequence[Measurement]:
        """The measured rows of this point."""
        return self.row.measured

    @property
    def claim(self) -> Claim | None:
        """The claim that the advised change gains; None where it was not tried."""
        if self.tried is None or self.tried.mean is None or not self.verdict.change:
            return None
        before, after = self.total["mean"], self.tried.mean
        return claims.claim(before, after, self.measured, self.tried.measured)

    @property
    def advised(self) -> Verdict:
        """The verdict, with the gain that the tried choice had."""
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
        """The part of a simulated gain of a relaxation that the measured rate of the point leaves,
        as a share of the rate."""
        rate = self.total["mean"]
        return claims.claim(rate, rate * (1 + gain), self.measured).gain

    @property
    def has_trials(self) -> bool:
        """Whether the point was simulated with changes, or without causes."""
        return self.verdict.found is not None or self.tried is not None

    @property
    def trial(self) -> float | None:
        """The gain of the advised change, as a share of the rate, limited by measurements; None
        where it was not tried."""
        return None if self.claim is None else self.claim.gain

    @property
    def trial_helps(self) -> bool:
        """Whether the advised change gains."""
        return (self.trial or 0.0) > 0

    @property
    def best(self) -> Best | None:
        """The tried change, or else the relaxed cause, with the largest gain; None where no gain
        exceeds `TIE`."""
        trial = self.trial or 0.0
        by_hand = [c for c in self.advised.remedy.choices if c.change is None]
        own = max(by_hand, key=lambda c: c.gain, default=None)
        if own is not None and own.gain > max(trial, TIE):
            return Best(own.gain, by_hand=own)
        if trial > TIE:
            return Best(trial)
        found = self.verdict.found
        most = None if found is None else found.most()
        relaxed = most if most is not None and self.left(most.gain) > TIE else None
        return None if relaxed is None else Best(self.left(relaxed.gain), relaxed)

    @property
    def started(self) -> started.Started | None:
        """The program that starts the transfers; None for measured rates."""
        return None if self.backend == MEASURED else started.of(self.platform, self.row)

    @property
    def one_way(self) -> bool:
        """Whether the master moves one direction at a time and the user gave none."""
        return self.row.values["master"] in ONE_WAY and "mode" not in self.row.key
