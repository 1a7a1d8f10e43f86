"""Advice for a user's design: changes, each simulated with all masters at once."""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.advice.design import OBJECTIVES, Proposal, Search, score
from axiometer.answer.verdicts.verdict import Verdict
from axiometer.api import design_answers
from axiometer.api.advice import Advice, Say, objective_of
from axiometer.base.errors import AxiometerError
from axiometer.designs import Design
from axiometer.designs.plan import planned
from axiometer.designs.platform import Placed
from axiometer.present import (
    anchored_text,
    band_text,
    bottleneck_text,
    design_platform,
    measured_text,
    text,
)
from axiometer.published import anchors, bands
from axiometer.published.anchors import Anchored
from axiometer.published.bands import Band


class DesignAdvice(Advice):
    """The `proposals` of a search: single changes of the design, the best first, and the best of
    them together if that gives more. `limit`: of the design as it is."""

    def __init__(
        self, placed: Placed, search: Search, proposals: Sequence[Proposal], limit: Verdict
    ) -> None:
        self.placed, self.search, self.proposals, self.limit = placed, search, proposals, limit

    @property
    def best(self) -> Proposal | None:
        """Changes together, else the best change; None if nothing helps."""
        if not self.proposals:
            return None
        together = self.proposals[-1]
        return together if len(together.changes) > 1 else self.proposals[0]

    def rows(self) -> list[dict[str, object]]:
        """One mapping a proposal."""
        return [
            {
                "changes": "; ".join(change.words for change in proposal.changes),
                "how": "; ".join(change.how for change in proposal.changes),
                "before_MBps": proposal.before.rate(),
                "after_MBps": proposal.after.rate(),
                "gain_pct": _gain_pct(proposal),
            }
            for proposal in self.proposals
        ]

    @property
    def _headline(self) -> str:
        design, best = self.search.design, self.best
        if best is None:
            return f"None of the {self.search.tried} tried changes of {design.name} helps."
        count = f"{len(best.changes)} change{'s' if len(best.changes) > 1 else ''}"
        return f"{design.name}: {_gain(best)} with {count}."

    @property
    def caption(self) -> str:
        return f"{self._headline.removesuffix('.')} (simulated)"

    def lines(self) -> list[str]:
        design, search, placed, best = self.search.design, self.search, self.placed, self.best
        out = [self._headline, ""]
        if best is not None:
            out += [band_text.sentence(_band(best), best.after.rate()), ""]
        why = f"On {placed.why}; objective {search.objective}; all masters at once, simulated."
        out += [why, "", f"As it is: {bottleneck_text.limit(self.limit)}"]
        for number, proposal in enumerate(self.proposals, 1):
            out.append("")
            together = len(proposal.changes) > 1
            head = f"{number}. {'together, ' if together else ''}"
            words = "; ".join(change.words for change in proposal.changes)
            out.append(f"{head}{_gain(proposal)}: {words}")
            if not together:
                out.append(f"     {proposal.changes[0].how}")
            out.append(f"     {_masters(design, proposal)}")
            out += [f"     {said}" for said in anchored_text.lines(_anchored(proposal))]
            if said := measured_text.claim(proposal.claim):
                out.append(f"     {said}")
        for proposal in search.refuted:
            words = "; ".join(change.words for change in proposal.changes)
            out += ["", f"Not advised: {words}. {measured_text.claim(proposal.claim)}"]
        notes = [*planned(design).left_out, "no change was tried on a board"]
        return [*out, "", *(f"Note: {n}." for n in notes)]

    def to_dict(self) -> dict[str, object]:
        design, search, placed = self.search.design, self.search, self.placed
        return {
            "design": design.name,
            "file": design.file,
            **design_platform.document(placed),
            "simulated": True,
            "objective": search.objective,
            "tried": search.tried,
            **bottleneck_text.document(self.limit),
            "proposals": [
                {
                    "changes": [{"change": c.words, "how": c.how} for c in p.changes],
                    "before_MBps": p.before.rate(),
                    "after_MBps": p.after.rate(),
                    "band": band_text.document(_band(p), p.after.rate()),
                    "anchored": anchored_text.document(_anchored(p)),
                    "objective_before_MBps": score(p.before, p.objective),
                    "objective_after_MBps": score(p.after, p.objective),
                    **measured_text.claim_document(p.claim),
                    "gain_MBps": p.after.rate() - p.before.rate(),
                    "gain_pct": _gain_pct(p),
                    "masters": {
                        name: {
                            "before_MBps": p.before.rate(master=name),
                            "after_MBps": p.after.rate(master=name),
                        }
                        for name in dict.fromkeys(s.load.master for s in p.before.shares)
                    },
                }
                for p in self.proposals
            ],
            "refuted": [
                {
                    "changes": [{"change": c.words, "how": c.how} for c in p.changes],
                    **measured_text.claim_document(p.claim),
                }
                for p in search.refuted
            ],
            "left_out": planned(design).left_out,
        }


def of_design(design: Design, placed: Placed, objective: str | None, say: Say) -> DesignAdvice:
    """Advice for the design; AxiometerError if no master moves data."""
    objective = objective_of(objective, OBJECTIVES, "total", ", of a design")
    if not planned(design).loads:
        raise AxiometerError(
            f"there is nothing to advise on {design.name}: no master moves data through a known "
            "port",
            file=design.file,
            remedy="list its masters and ports with: axiometer import design FILE",
        )
    search = Search(design, placed.platform, objective)
    return DesignAdvice(placed, search, search.run(say), design_answers.limit(design, placed))


def _band(proposal: Proposal) -> Band | None:
    """The band of all masters together with the changes."""
    after = proposal.after
    return bands.of_total(after.platform, after.values, after.rate())


def _anchored(proposal: Proposal) -> Anchored | None:
    """The rate of all masters together with the changes, corrected by measurements near it."""
    after = proposal.after
    return anchors.of(after.platform, after.values, after.rate())


def _gain(proposal: Proposal) -> str:
    """The gain of the objective: of all masters, or of the slowest."""
    of = proposal.objective
    before, after = score(proposal.before, of), score(proposal.after, of)
    least = "" if of == "total" else " for the slowest"
    return f"{before:.0f} to {after:.0f} MB/s{least} ({text.gain(proposal.gain, 1)})"


def _gain_pct(proposal: Proposal) -> float | None:
    """The gain of the total; None where nothing moved without the changes."""
    before, after = proposal.before.rate(), proposal.after.rate()
    return (after / before - 1) * 100 if before else None


def _masters(design: Design, proposal: Proposal) -> str:
    """The masters with the largest gains and losses."""
    names = planned(design).names()
    moved = {
        name: (proposal.before.rate(master=name), proposal.after.rate(master=name))
        for name in dict.fromkeys(share.load.master for share in proposal.before.shares)
    }
    ranked = sorted(moved, key=lambda name: moved[name][1] - moved[name][0])
    shown = dict.fromkeys([ranked[-1], ranked[0]])
    return ", ".join(f"{names[n]} {moved[n][0]:.0f} to {moved[n][1]:.0f}" for n in shown)
