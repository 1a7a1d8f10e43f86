"""Advice from the first point of an experiment, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.advice import improve
from axiometer.advice.improve import Design, Improvement, Outcome, changed
from axiometer.answer.verdicts.verdict import Verdict
from axiometer.api.advice import Advice, Choices, Say, objective_of
from axiometer.api.expectation import limit
from axiometer.api.sampling import sampled
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.present import anchored_text, band_text, bottleneck_text, measured_text, text

MOST_REFUTED = 3  # designs that measured rows contradict, of those that are said


class StepsAdvice(Advice):
    """The path from the first point of `experiment`: the point, then the design after each step.
    `without`: the last design without each of its changes; `last`: the experiment's own last point
    (None: it has one point); `limit`: of the first point."""

    def __init__(
        self,
        experiment: Experiment,
        search: Improvement,
        path: Sequence[Outcome],
        without: Sequence[tuple[str, Outcome]],
        last: Outcome | None,
        limit: Verdict,
    ) -> None:
        self.experiment, self.search, self.path = experiment, search, path
        self.without, self.last, self.limit = without, last, limit

    def rows(self) -> list[dict[str, object]]:
        """One mapping a step, 0 the first point, with all of its changes as text."""
        return [
            {
                "step": step,
                "changes": changed(outcome.design, Design()),
                "total_MBps": outcome.total,
                "slowest_MBps": min(outcome.by_port.values()),
            }
            for step, outcome in enumerate(self.path)
        ]

    @property
    def caption(self) -> str:
        rates = f"{self.path[0].total:.0f} to {self.path[-1].total:.0f} MB/s (simulated)"
        steps = len(self.path) - 1
        return f"{self.experiment.name}: {rates} in {steps} step{'' if steps == 1 else 's'}"

    def lines(self) -> list[str]:
        experiment, search, path = self.experiment, self.search, self.path
        lines = [
            f"{experiment.platform.title}: from the first point of {experiment.name}, objective "
            f"{search.objective} (simulated; {search.tried} designs)",
            "",
            f"first: {_words(path[0])}",
            *_measured(search, path[0]),
            f"     {bottleneck_text.limit(self.limit)}",
        ]
        for number, (before, after) in enumerate(zip(path, path[1:], strict=False), 1):
            lines += [f"{number}. {changed(after.design, before.design)}", f"     {_words(after)}"]
            lines += _measured(search, after)
        if len(path) == 1:
            lines.append("No single change helps.")
        best = path[-1]
        lines += ["", band_text.sentence(search.band(best), best.total)]
        if self.last is not None:
            lines += ["", f"The experiment's own last point: {_words(self.last)}"]
        if self.without:
            lines += ["", "The last design without one of its changes gives"]
            lines += [f"  without {name}: {_words(outcome)}" for name, outcome in self.without]
        for design, claim in [*search.refuted.items()][:MOST_REFUTED]:
            name = changed(design, Design())
            lines.append(f"Not advised: {name}. {measured_text.claim(claim)}")
        return lines

    def to_dict(self) -> dict[str, object]:
        experiment, search = self.experiment, self.search

        def one(outcome: Outcome) -> dict[str, object]:
            return {
                "changes": dict(outcome.design.changes),
                "total_MBps": outcome.total,
                "band": band_text.document(search.band(outcome), outcome.total),
                "anchored": anchored_text.document(search.anchored(outcome)),
                "by_port": dict(outcome.by_port),
                "measured": measured_text.document(search.measured(outcome.design)),
                **({"accelerators": dict(outcome.work)} if outcome.work else {}),
            }

        return {
            "experiment": experiment.name,
            "platform": experiment.platform.name,
            "simulated": True,
            "objective": search.objective,
            **bottleneck_text.document(self.limit),
            "last_point": one(self.last) if self.last is not None else None,
            "steps": [one(outcome) for outcome in self.path],
            "without": {name: one(outcome) for name, outcome in self.without},
            "refuted": [
                {"changes": dict(design.changes), **measured_text.claim_document(claim)}
                for design, claim in search.refuted.items()
            ],
        }


def from_first(
    experiment: Experiment, objective: str | None, choices: Choices, say: Say
) -> StepsAdvice:
    """Advice from the first point; keys with one value are fixed, of several each is tried."""
    for name, values in choices.items():
        if "." in name and len(values) > 1:
            raise AxiometerError(
                f"{name} has several values", remedy="give one value for a figure of the board"
            )
    figures = [f"{name}={values[0]}" for name, values in choices.items() if "." in name]
    fixed = {name: v[0] for name, v in choices.items() if len(v) == 1 and "." not in name}
    experiment = experiment.laid_over(figures)
    objective = objective_of(objective, improve.OBJECTIVES, "minimum", ", of an experiment")
    platform, (point, *others) = experiment.platform, experiment.points()
    point = improve.changed_point(platform, point, fixed)
    several = {
        name: [dict(improve.changed_point(platform, point, {name: v}).values)[name] for v in values]
        for name, values in choices.items()
        if len(values) > 1
    }
    search = Improvement(platform, point, objective, several, list(fixed))
    path = search.run(say)
    last = Improvement(platform, others[-1]).given() if others else None
    found = limit(platform, sampled(platform, point, "model")[0])
    return StepsAdvice(experiment, search, path, search.reasons(path[-1]), last, found)


def _words(outcome: Outcome) -> str:
    ports = ", ".join(f"{port} {rate:.0f}" for port, rate in outcome.by_port.items())
    words = f"{outcome.total:.0f} MB/s ({ports})"
    if outcome.work:
        words += (
            f", {outcome.work['convolutions_M']:.2f} MC/s, "
            f"{outcome.work['ddr_efficiency_pct']:.1f} % of the DRAM's peak"
        )
    rates = outcome.by_port.values()
    uneven = text.unevenness(list(rates))
    return f"{words}, {'one gets nothing' if uneven is None else f'imbalance {uneven:.2f}'}"


def _measured(search: Improvement, outcome: Outcome) -> list[str]:
    near = [f"     {said}" for said in anchored_text.lines(search.anchored(outcome))]
    rows = search.measured(outcome.design)
    return near + [
        f"     measured: {measured_text.rate(of)} ({measured_text.source(of)})" for of in rows
    ]
