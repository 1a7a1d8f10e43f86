"""One requested point with its verdicts: the answer of `expect`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from axiometer.answer.analysis.results import MEASURED, Row
from axiometer.answer.analysis.stats import Described
from axiometer.answer.relax.gains import TIE, Gain
from axiometer.answer.relax.starved import StarvedBy
from axiometer.answer.trials.trial import Trial
from axiometer.answer.verdicts import started
from axiometer.answer.verdicts.before_port import BeforePort
from axiometer.answer.verdicts.remedy import Remedy
from axiometer.answer.verdicts.small import Small
from axiometer.answer.verdicts.verdict import Verdict
from axiometer.base.errors import AxiometerError
from axiometer.experiment.keys_processor import ONE_WAY
from axiometer.platform import Platform
from axiometer.published import claims
from axiometer.published.anchors import Anchored
from axiometer.published.bands import Band
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
class Answer:
    """A simulated point. `remedy`: the verdict's, with its best trial simulated as the point
    itself; `nearest_measured`: rows near the point, if the point itself has none; `more`: sentences
    about other masters or buffers; `sampling`: why so many starts, None where that is not known;
    `starved`: the masters that get almost nothing; `small`: the cost of a small transfer apart from
    its start; `before_port`: the blocks before the ports, where they cost rate; `assumed`: what the
    question left to defaults (`experiment/assumed.py`)."""

    platform: Platform
    row: Row
    verdict: Verdict
    remedy: Remedy
    nearest_measured: Sequence[Measurement]
    backend: str
    more: Sequence[str] = ()
    sampling: Sampling | None = None
    starved: Sequence[StarvedBy] = ()
    small: Small | None = None
    before_port: BeforePort | None = None
    assumed: Sequence[str] = ()

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
    def has_trials(self) -> bool:
        """Whether the point was simulated with changes, or without causes."""
        return self.verdict.found is not None or self.remedy is not self.verdict.remedy

    @property
    def best(self) -> Trial | None:
        """The trial of a change that gains most; None where none gains."""
        return self.remedy.trials[0] if self.remedy.trials else None

    @property
    def most(self) -> Gain | None:
        """Where no change gains: the relaxation that gains most, with the part of its gain that
        the measured rate of the point leaves; None where that is nothing."""
        found = self.verdict.found
        most = None if found is None or self.best else found.most()
        if most is None:
            return None
        rate = self.total["mean"]
        left = claims.claim(rate, rate * (1 + most.gain), self.measured).gain
        return replace(most, gain=left) if left > TIE else None

    @property
    def started(self) -> started.Started | None:
        """The program that starts the transfers; None for measured rates."""
        return None if self.backend == MEASURED else started.of(self.platform, self.row)

    @property
    def one_way(self) -> bool:
        """Whether the master moves one direction at a time and the user gave none."""
        return self.row.values["master"] in ONE_WAY and "mode" not in self.row.key
