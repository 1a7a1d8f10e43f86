"""Changes that improve a design: each change alone, simulated with all masters together.

Changes are in the user's power: a master at another port, its bursts, its width, a port's width, a
faster clock that the design already has, buffers in other banks, and registers of the controller
(`knobs.toml`). A change must beat the spread over random starts. The best are simulated longer, and
then combined one after another while each adds a gain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from axiometer.advice.design_changes import Change, fabric_changes
from axiometer.advice.design_settings import settings_changes
from axiometer.answer.analysis.stats import describe
from axiometer.base.errors import AxiometerError
from axiometer.designs.as_masters import coupled
from axiometer.designs.model import Design
from axiometer.designs.plan import planned
from axiometer.designs.simulation import Outcome, simulate
from axiometer.experiment.keys_shared import runs_freely
from axiometer.platform import Platform
from axiometer.published import claims, measured
from axiometer.published.claims import Claim

# Random starts and simulated time of a change in the search, and of a shown change. Engines that
# run for a time differ little by start, and settle by themselves.
SEARCH, FINAL = (3, "1ms"), (8, "4ms")
FREE_SEARCH, FREE_FINAL = (1, "0.6ms"), (2, "2ms")
SHOWN = 5  # changes that are simulated longer and shown
MOST_TOGETHER = 4
WORTH = 0.01  # least gain of the objective, as a share
OBJECTIVES = ("total", "minimum")
Effort = tuple[int, str]


@dataclass(frozen=True)
class Proposal:
    """Changes with their outcomes: `before` and `after` have all masters together."""

    changes: tuple[Change, ...]
    before: Outcome
    after: Outcome
    objective: str

    @property
    def gain(self) -> float:
        """The gain of the objective, as a share of its value without the changes."""
        return score(self.after, self.objective) / max(score(self.before, self.objective), 1e-9) - 1

    @property
    def claim(self) -> Claim:
        """The gain as a claim, with measurements of the design as a point without and with
        changes."""
        now, then = (measured.of_point(of.platform, of.values) for of in (self.before, self.after))
        figure = claims.total if self.objective == "total" else claims.slowest
        rates = score(self.before, self.objective), score(self.after, self.objective)
        return claims.claim(*rates, now, then, figure)


def score(outcome: Outcome, objective: str) -> float:
    """MB/s of all loads, or of the slowest."""
    if objective == "total":
        return outcome.rate()
    return min(share.MBps for share in outcome.shares)


@dataclass
class Search:
    """The changes of `design` on `platform` that improve `objective`; `refuted`: changes that
    measured rows contradict."""

    design: Design
    platform: Platform
    objective: str = "total"
    tried: int = 0
    refuted: Sequence[Proposal] = ()

    def run(self, say: Callable[[str], None] = lambda _: None) -> list[Proposal]:
        """Single changes, the best first, then the best of them together if that gives more.
        AxiometerError if the design cannot be simulated."""
        start = Change("", "", self.design, self.platform)
        every = [*fabric_changes(start), *settings_changes(start)]
        say(f"{len(every)} changes to try")
        search, final = (FREE_SEARCH, FREE_FINAL) if runs_freely(self.platform) else (SEARCH, FINAL)
        now = self._outcome(start, search)
        before = self._outcome(start, final)
        assert now is not None and before is not None  # an unchanged design raises its error
        best: dict[str, tuple[float, Change]] = {}
        for change in every:
            after = self._outcome(change, search)
            if after is not None and _gain(now, after, self.objective) > WORTH:
                reached = score(after, self.objective)
                if change.kind not in best or reached > best[change.kind][0]:
                    best[change.kind] = (reached, change)
        ranked = sorted(best.values(), key=lambda pair: pair[0], reverse=True)
        shown = [self._proposal((change,), before, final) for _, change in ranked[:SHOWN]]
        sure = [p for p in shown if p is not None and _is_sure(p)]
        self.refuted = [p for p in sure if p.claim.is_refuted]
        proposals = [p for p in sure if not p.claim.is_refuted]
        proposals.sort(key=lambda p: p.gain, reverse=True)
        together = self._together(proposals, before, final)
        say(f"{self.tried} designs simulated")
        return [*proposals, *([together] if together else [])]

    def _together(
        self, proposals: Sequence[Proposal], before: Outcome, final: Effort
    ) -> Proposal | None:
        if not proposals:
            return None
        best = proposals[0]
        for proposal in proposals[1:MOST_TOGETHER]:
            (change,) = proposal.changes
            chosen = (*best.changes, change)
            more = self._proposal(chosen, before, final)
            better = more is not None and more.gain > best.gain + WORTH
            if more is not None and better and not more.claim.is_refuted:
                best = more
        return best if len(best.changes) > 1 else None

    def _proposal(
        self, chosen: tuple[Change, ...], before: Outcome, final: Effort
    ) -> Proposal | None:
        at = Change("", "", self.design, self.platform)
        for change in chosen:
            try:
                at = change.applied(at)
            except (AxiometerError, KeyError):
                return None
        after = self._outcome(at, final)
        return None if after is None else Proposal(chosen, before, after, self.objective)

    @cached_property
    def _halves(self) -> int:
        return coupled(self.platform, planned(self.design))

    def _outcome(self, change: Change, effort: Effort) -> Outcome | None:
        """All masters together with a change; None if the platform cannot run it."""
        self.tried += 1
        repeats, duration = effort
        plan = planned(change.design)
        if coupled(change.platform, plan) < self._halves:
            return None
        try:
            return simulate(change.platform, plan, repeats, False, change.apart_rows, duration)
        except AxiometerError:
            if change.words or change.apply:
                return None
            raise


def _gain(before: Outcome, after: Outcome, objective: str) -> float:
    return score(after, objective) / max(score(before, objective), 1e-9) - 1


def _is_sure(proposal: Proposal) -> bool:
    """Whether the gain exceeds the effect of random starts (two standard errors)."""
    one, other = describe(proposal.before.totals), describe(proposal.after.totals)
    error = math.sqrt(one["std"] ** 2 / one["n"] + other["std"] ** 2 / other["n"])
    certain = proposal.objective != "total" or other["mean"] - one["mean"] > 2 * error
    return proposal.gain > WORTH and certain
