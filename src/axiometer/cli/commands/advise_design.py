"""`axiometer advise DESIGN`: changes of a design with their simulated gains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from axiometer.advice.design import OBJECTIVES, Proposal, Search, score
from axiometer.api import design_answers
from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.cli.commands import console

if TYPE_CHECKING:
    from axiometer.cli.commands.advise import Options
from axiometer.answer.verdicts.verdict import Verdict
from axiometer.designs import Design
from axiometer.designs.plan import planned
from axiometer.designs.platform import Placed
from axiometer.present import (
    anchored_text,
    band_text,
    bottleneck_text,
    design_platform,
    measured_text,
)
from axiometer.present.text import Style
from axiometer.published import anchors, bands
from axiometer.published.anchors import Anchored
from axiometer.published.bands import Band


def run(file: str, args: Options) -> int:
    """Print the answer for the design in `file`; return the exit status."""
    objective = args.objective or "total"
    if objective not in OBJECTIVES:
        raise AxiometerError(
            f"--objective is {objective!r}, with a design",
            remedy=did_you_mean(objective, OBJECTIVES, "objectives"),
        )
    design, placed = design_answers.opened(file, args.board, args.set)
    if not planned(design).loads:
        raise AxiometerError(
            f"there is nothing to advise on {design.name}: no master moves data through a known "
            "port",
            file=design.file,
            remedy="list its masters and ports with: axiometer import design FILE",
        )
    search = Search(design, placed.platform, objective)
    found = search.run((lambda _: None) if args.json else standard_streams.tell)
    limit = design_answers.limit(design, placed)
    if args.json:
        console.show_json(_document(design, placed, search, found, limit))
    else:
        style = Style.of_stdout(args.plain)
        console.show_lines(_lines(design, placed, search, found, limit), style)
    return 0


def _lines(
    design: Design, placed: Placed, search: Search, found: Sequence[Proposal], limit: Verdict
) -> list[str]:
    if found:
        best = found[-1] if len(found[-1].changes) > 1 else found[0]
        first = (
            f"{design.name}: {_gain(best)} with {len(best.changes)} "
            f"change{'s' if len(best.changes) > 1 else ''}."
        )
    else:
        first = f"None of the {search.tried} tried changes of {design.name} helps."
    out = [first, ""]
    if found:
        out += [band_text.sentence(_band(best), best.after.rate()), ""]
    why = f"On {placed.why}; objective {search.objective}; all masters at once, simulated."
    out += [why, "", f"As it is: {bottleneck_text.limit(limit)}"]
    for number, proposal in enumerate(found, 1):
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
    return f"{before:.0f} to {after:.0f} MB/s{least} ({proposal.gain * 100:+.1f} %)"


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


def _document(
    design: Design, placed: Placed, search: Search, found: Sequence[Proposal], limit: Verdict
) -> dict[str, object]:
    return {
        "design": design.name,
        "file": design.file,
        **design_platform.document(placed),
        "simulated": True,
        "objective": search.objective,
        "tried": search.tried,
        **bottleneck_text.document(limit),
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
                "gain_pct": (p.after.rate() / p.before.rate() - 1) * 100,
                "masters": {
                    name: {
                        "before_MBps": p.before.rate(master=name),
                        "after_MBps": p.after.rate(master=name),
                    }
                    for name in dict.fromkeys(s.load.master for s in p.before.shares)
                },
            }
            for p in found
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
