"""A change that a user can make, and its trial: what was simulated with it, and its one gain."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from axiometer.answer.analysis import accelerators, stats
from axiometer.base.record import Record, by_master
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published import anchors, bands, claims, measured
from axiometer.published.anchors import Anchored
from axiometer.published.bands import Band
from axiometer.published.claims import WORTH, Claim
from axiometer.published.measured import Measurement
from axiometer.simulate.scenario import Scenario

OBJECTIVES = ("total", "minimum")
"""What a change is to raise: the rate of all masters, or of the slowest."""


@dataclass(frozen=True)
class Change:
    """keys: of a point, of its masters (`master.NAME.KEY`), of a design (`NAME.KEY`), or figures of
    the platform, with their new values; none where no key states the change, such as other
    addresses of buffers. cause: the cause that it remedies, "" for no one cause. words: the change
    in the user's terms, "" where the keys say it. how: what sets it: a parameter of a core, a
    register."""

    keys: Mapping[str, object]
    cause: str = ""
    words: str = ""
    how: str = ""
    act: Callable[[Scenario], Scenario | None] | None = None

    @property
    def kind(self) -> tuple[str, ...]:
        """What it changes: of two changes of a kind one replaces the other."""
        return tuple(sorted(self.keys)) or (self.words,)


@dataclass(frozen=True)
class Outcome:
    """A simulated point. values: what states it on `platform`, None where nothing does; totals:
    MB/s of each start; records: one a start."""

    platform: Platform
    values: Values | None
    totals: tuple[float, ...]
    records: tuple[Record, ...] = ()

    @property
    def total(self) -> float:
        """MB/s of all masters, the mean over the starts."""
        return statistics.fmean(self.totals)

    @cached_property
    def rates(self) -> Mapping[str, float]:
        """MB/s of each master, of a point in keys of each port."""
        found: dict[str, list[float]] = {}
        for record in self.records:
            for name, of in by_master(record).items():
                found.setdefault(name, []).append(of["total_MBps"])
        return {name: statistics.fmean(each) for name, each in found.items()}

    @cached_property
    def work(self) -> Mapping[str, float | None]:
        """Figures of convolution accelerators; none without them."""
        if self.values is None or self.values["master"] != "convolution":
            return {}
        peak = accelerators.dram_peak(self.platform)
        return accelerators.figures(stats.summarise(list(self.records)), peak)

    def score(self, objective: str = "total") -> tuple[float, float]:
        """By the objective, larger is better."""
        least = min(self.rates.values(), default=self.total)
        return (self.total, least) if objective == "total" else (least, self.total)

    @cached_property
    def measured(self) -> Sequence[Measurement]:
        """The measurements of the point."""
        return [] if self.values is None else measured.of_point(self.platform, self.values)

    @property
    def band(self) -> Band | None:
        """The band of the total; None if no rows are like it."""
        if self.values is None:
            return None
        return bands.of_total(self.platform, self.values, self.total)

    @property
    def anchored(self) -> Anchored | None:
        """The total, corrected by measurements near it; None if there are none."""
        return None if self.values is None else anchors.of(self.platform, self.values, self.total)


@dataclass(frozen=True)
class Trial:
    """Changes that were simulated: the point without them and with them."""

    changes: tuple[Change, ...]
    before: Outcome
    after: Outcome
    objective: str = field(default="total")

    @cached_property
    def claim(self) -> Claim:
        """The claim that they raise the objective, with measurements of the point without and with
        them."""
        figure = claims.total if self.objective == "total" else claims.slowest
        now, then = (of.score(self.objective)[0] for of in (self.before, self.after))
        return claims.claim(now, then, self.before.measured, self.after.measured, figure)

    @property
    def gain(self) -> float:
        """The gain as a share, of which measurements leave this part."""
        return self.claim.gain

    @property
    def simulated(self) -> float:
        """The simulated gain alone, as a share."""
        now, then = (of.score(self.objective)[0] for of in (self.before, self.after))
        return then / max(now, 1e-9) - 1

    @property
    def helps(self) -> bool:
        """Whether it is worth its change, by all that is known."""
        return self.simulated > WORTH and self.gain > WORTH

    @property
    def is_sure(self) -> bool:
        """Whether a gain of the total exceeds the effect of random starts (two standard errors)."""
        error = math.hypot(*(_error(of.totals) for of in (self.before, self.after)))
        return self.objective != "total" or self.after.total - self.before.total > 2 * error

    @property
    def keys(self) -> dict[str, object]:
        """All that they set; empty where no key states one of them."""
        if not all(change.keys for change in self.changes):
            return {}
        return {name: value for change in self.changes for name, value in change.keys.items()}

    @property
    def cause(self) -> str:
        """The cause that they remedy."""
        return self.changes[0].cause


def _error(totals: Sequence[float]) -> float:
    return statistics.stdev(totals) / math.sqrt(len(totals)) if len(totals) > 1 else 0.0


def ranked(trials: Iterable[Trial]) -> tuple[Trial, ...]:
    """The best first."""
    return tuple(sorted(trials, key=lambda trial: -trial.gain))
