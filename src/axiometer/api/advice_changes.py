"""Advice on a design, or from the first point of an experiment: changes, each simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from axiometer.advice import of_design
from axiometer.advice.of_point import PointStart
from axiometer.advice.search import Search
from axiometer.answer.trials.runner import FINAL
from axiometer.answer.trials.trial import OBJECTIVES, Outcome, Trial
from axiometer.api import design_answers
from axiometer.api.advice import Advice, Choices, Say, objective_of
from axiometer.api.expectation import limit
from axiometer.api.sampling import sampled
from axiometer.base.errors import AxiometerError, BadValueError
from axiometer.designs import Design, possible
from axiometer.designs.plan import planned
from axiometer.designs.platform import Placed
from axiometer.experiment import Experiment
from axiometer.experiment.keys import KEYS, Given, checked
from axiometer.experiment.points import Point
from axiometer.experiment.values import having
from axiometer.platform import Platform
from axiometer.present import (
    anchored_text,
    band_text,
    bottleneck_text,
    design_limit,
    design_platform,
    measured_text,
    text,
    trial_text,
)

MOST_REFUTED = 3  # trials that measured rows contradict, of those that are said


@dataclass(frozen=True)
class _Subject:
    """What a search began with. named: as in JSON; where: a sentence on the board; left_out:
    sentences on masters without a rate; last: the experiment's own last point (None: there is
    none)."""

    name: str
    named: Mapping[str, object]
    where: str
    left_out: Sequence[str] = ()
    last: Outcome | None = None


class ChangesAdvice(Advice):
    """The changes of `search`: `trials`, single changes, the best first; `steps`, the best of them
    and what it is changed to further. `limit`: of the start, its cause, name and sentence;
    `without`: the last step without each of its changes."""

    def __init__(self, of: _Subject, search: Search, limit: tuple[str, str, str]) -> None:
        self.subject, self.search, self.limit = of, search, limit
        self.trials, self.steps = search.trials, search.steps
        self.without = search.without(self.steps[-1]) if self.steps else []

    @property
    def best(self) -> Trial | None:
        """The last step; None if nothing helps."""
        return self.steps[-1] if self.steps else None

    def rows(self) -> list[dict[str, object]]:
        """One mapping a step, 0 the start, with all of its changes as text."""
        every = [Trial((), self.search.before, self.search.before), *self.steps]
        return [
            {
                "step": step,
                "changes": trial_text.words(of),
                "how": "; ".join(change.how for change in of.changes if change.how),
                "total_MBps": of.after.total,
                "slowest_MBps": of.after.score("minimum")[0],
                "gain_pct": of.gain * 100,
            }
            for step, of in enumerate(every)
        ]

    @property
    def caption(self) -> str:
        name, best = self.subject.name, self.best
        if best is None:
            return f"None of the {self.search.tried} tried changes of {name} helps (simulated)"
        count = f"{len(best.changes)} change{'s' if len(best.changes) > 1 else ''}"
        return f"{name}: {_gain(best)} with {count} (simulated)"

    def lines(self) -> list[str]:
        search, best = self.search, self.best
        shown = best.after if best is not None else search.before
        out = [
            f"{self.caption}.",
            "",
            band_text.sentence(shown.band, shown.total),
            "",
            f"{self.subject.where}; objective {search.objective}; all masters at once, simulated.",
            "",
            f"As it is: {_words(search.before)}",
            f"     Limit: {self.limit[1]}. {self.limit[2]}",
        ]
        for number, trial in enumerate(self.trials, 1):
            out += ["", f"{number}. {_gain(trial)}: {trial_text.words(trial)}"]
            out += [f"     {change.how}" for change in trial.changes if change.how]
            out += _more(trial)
        if len(self.steps) > 1:
            out += ["", "Step by step:"]
            for before, after in zip(self.steps, self.steps[1:], strict=False):
                further = trial_text.further(before, after)
                out += [f"  then {further}: {_gain(after)}", *_more(after)]
        if self.without:
            out += ["", "All of these without one gives"]
            out += [f"  without {trial_text.change(c)}: {_words(t.after)}" for c, t in self.without]
        if self.subject.last is not None:
            out += ["", f"The experiment's own last point: {_words(self.subject.last)}"]
        if refuted := trial_text.not_advised(search.refuted[:MOST_REFUTED]):
            out += ["", *refuted]
        notes = [*self.subject.left_out, "no change was tried on a board"]
        return [*out, "", *(f"Note: {note}." for note in notes)]

    def to_dict(self) -> dict[str, object]:
        search, last = self.search, self.subject.last
        return {
            **self.subject.named,
            "simulated": True,
            "objective": search.objective,
            "tried": search.tried,
            "bottleneck": self.limit[0],
            "sentence": self.limit[2],
            "start": _document(search.before),
            "last_point": None if last is None else _document(last),
            "trials": [self._trial(of) for of in self.trials],
            "steps": [self._trial(of) for of in self.steps],
            "without": {trial_text.change(c): _document(t.after) for c, t in self.without},
            "refuted": trial_text.documents(search.refuted),
            "left_out": list(self.subject.left_out),
        }

    def _trial(self, of: Trial) -> dict[str, object]:
        now, then = (o.score(of.objective)[0] for o in (of.before, of.after))
        return {
            **trial_text.document(of),
            "objective_before_MBps": now,
            "objective_after_MBps": then,
            **_document(of.after),
        }


def of_a_design(design: Design, placed: Placed, objective: str | None, say: Say) -> ChangesAdvice:
    """Advice for the design; AxiometerError if no master moves data."""
    objective = objective_of(objective, OBJECTIVES, "total", ", of a design")
    plan = planned(design)
    if not plan.loads:
        raise AxiometerError(
            f"there is nothing to advise on {design.name}: no master moves data through a known "
            "port",
            file=design.file,
            remedy="list its masters and ports with: axiometer import design FILE",
        )
    if lacks := possible.words(design):
        open_ = text.listing(lacks)
        raise AxiometerError(
            f"there is no advice on {design.name} yet, as the file does not give {open_}",
            file=design.file,
            remedy=possible.stated(design),
        )
    search = Search(of_design.start(design, placed.platform), objective).run(say)
    named = {"design": design.name, "file": design.file, **design_platform.document(placed)}
    of = _Subject(design.name, named, f"On {placed.why}", plan.left_out)
    return ChangesAdvice(
        of, search, design_limit.limit(design, design_answers.together(design, placed))
    )


def from_first(
    experiment: Experiment, objective: str | None, choices: Choices, say: Say
) -> ChangesAdvice:
    """Advice from the first point; keys with one value are fixed, of several each is tried."""
    for name, values in choices.items():
        if "." in name and len(values) > 1:
            raise AxiometerError(
                f"{name} has several values", remedy="give one value for a figure of the board"
            )
    figures = [f"{name}={values[0]}" for name, values in choices.items() if "." in name]
    fixed = {name: v[0] for name, v in choices.items() if len(v) == 1 and "." not in name}
    experiment = experiment.laid_over(figures)
    objective = objective_of(objective, OBJECTIVES, "minimum", ", of an experiment")
    platform, (point, *others) = experiment.platform, experiment.points()
    point = changed_point(platform, point, fixed)
    several = {
        name: [dict(changed_point(platform, point, {name: v}).values)[name] for v in values]
        for name, values in choices.items()
        if len(values) > 1
    }
    start = PointStart(platform, point.values, several, list(fixed))
    search = Search(start, objective).run(say)
    last = Search(PointStart(platform, others[-1].values)).outcome((), FINAL) if others else None
    of = _Subject(
        experiment.name,
        {"experiment": experiment.name, "board": platform.name},
        f"{platform.title}, from the first point of {experiment.name}",
        last=last,
    )
    found = limit(platform, sampled(platform, point, "model")[0])
    words = bottleneck_text.name(found), bottleneck_text.said(found)
    return ChangesAdvice(of, search, (found.cause, *words))


def changed_point(platform: Platform, point: Point, settings: Mapping[str, object]) -> Point:
    """`point` with keys of an experiment, values as in a file; AxiometerError for bad values."""
    values = point.values
    for name, value in settings.items():
        given = checked(name, Given(value, f"--set {name}={value}"))
        if name not in values:
            raise given.error(f"{name} is not a property of a design", f"remove {name}")
        try:
            values = having(values, {name: KEYS[name].parse(given.value, platform, values)})
        except BadValueError as bad:
            raise given.error(bad.message, bad.remedy) from None
    return replace(point, values=values)


def _document(of: Outcome) -> dict[str, object]:
    return {
        "total_MBps": of.total,
        "by_master": dict(of.rates),
        "band": band_text.document(of.band, of.total),
        "anchored": anchored_text.document(of.anchored),
        "measured": measured_text.document(of.measured),
        **({"accelerators": dict(of.work)} if of.work else {}),
    }


def _gain(trial: Trial) -> str:
    """The gain of the objective: of all masters, or of the slowest."""
    now, then = (of.score(trial.objective)[0] for of in (trial.before, trial.after))
    least = "" if trial.objective == "total" else " for the slowest"
    return f"{now:.0f} to {then:.0f} MB/s{least} ({text.gain(trial.simulated, 1)})"


def _more(trial: Trial) -> list[str]:
    """The masters with the largest gain and loss, and measurements."""
    before, after = trial.before.rates, trial.after.rates
    moved = {name: (before[name], after[name]) for name in before if name in after}
    ranked = sorted(moved, key=lambda name: moved[name][1] - moved[name][0])
    ends = dict.fromkeys([*ranked[-1:], *ranked[:1]])
    each = ", ".join(f"{name} {moved[name][0]:.0f} to {moved[name][1]:.0f}" for name in ends)
    said = [each, *anchored_text.lines(trial.after.anchored), measured_text.claim(trial.claim)]
    return [f"     {line}" for line in said if line]


def _words(of: Outcome) -> str:
    each = ", ".join(f"{name} {rate:.0f}" for name, rate in of.rates.items())
    words = f"{of.total:.0f} MB/s ({each})"
    if of.work:
        words += (
            f", {of.work['convolutions_M']:.2f} MC/s, "
            f"{of.work['ddr_efficiency_pct']:.1f} % of the DRAM's peak"
        )
    uneven = text.unevenness([*of.rates.values()])
    return f"{words}, {'one gets nothing' if uneven is None else f'imbalance {uneven:.2f}'}"
