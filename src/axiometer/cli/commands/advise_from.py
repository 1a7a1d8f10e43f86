"""`axiometer advise --from EXPERIMENT`: improve the first point of an experiment step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from axiometer.base import standard_streams
from axiometer.cli.commands import console

if TYPE_CHECKING:
    from axiometer.advice.improve import Improvement, Outcome
    from axiometer.answer.verdicts.verdict import Verdict
    from axiometer.cli.commands.advise import Options
    from axiometer.experiment import Experiment

    Reasons = Sequence[tuple[str, Outcome]]


MOST_REFUTED = 3  # designs that measured rows contradict, of those that are said


def run(start: str, args: Options, given: Mapping[str, list[object]]) -> int:
    """Print the answer for the experiment `start`; `given`: the values of --set by key."""
    from axiometer.advice import improve
    from axiometer.api.expectation import limit
    from axiometer.api.sampling import sampled
    from axiometer.base.errors import AxiometerError, did_you_mean
    from axiometer.experiment import Experiment
    from axiometer.present.text import Style

    figures = [f"{name}={values[0]}" for name, values in given.items() if "." in name]
    fixed = {name: v[0] for name, v in given.items() if len(v) == 1 and "." not in name}
    several = {name: values for name, values in given.items() if len(values) > 1}
    for name in several:
        if "." in name:
            raise AxiometerError(
                f"--set {name} has several values",
                remedy="give one value for a figure of the board",
            )
    experiment = Experiment.load(start, figures)
    objective = args.objective or "minimum"
    if objective not in improve.OBJECTIVES:
        raise AxiometerError(
            f"--objective is {objective!r}, with --from",
            remedy=did_you_mean(objective, improve.OBJECTIVES, "objectives"),
        )
    platform, (point, *others) = experiment.platform, experiment.points()
    point = improve.changed_point(platform, point, fixed)
    several = {
        name: [dict(improve.changed_point(platform, point, {name: v}).values)[name] for v in values]
        for name, values in several.items()
    }
    search = improve.Improvement(experiment.platform, point, objective, several, list(fixed))
    say = (lambda _: None) if args.json else standard_streams.tell
    path = search.run(say)
    reasons = search.reasons(path[-1])
    last = improve.Improvement(experiment.platform, others[-1]).given() if others else None
    found = limit(platform, sampled(platform, point, "model")[0])
    if args.json:
        console.show_json(_document(experiment, search, path, reasons, last, found))
    else:
        lines = _lines(experiment, objective, search, path, reasons, last, found)
        console.show_lines(lines, Style.of_stdout(args.plain))
    return 0


def _words(outcome: Outcome) -> str:
    ports = ", ".join(f"{port} {rate:.0f}" for port, rate in outcome.by_port.items())
    words = f"{outcome.total:.0f} MB/s ({ports})"
    if outcome.work:
        words += (
            f", {outcome.work['convolutions_M']:.2f} MC/s, "
            f"{outcome.work['ddr_efficiency_pct']:.1f} % of the DRAM's peak"
        )
    rates = outcome.by_port.values()
    return f"{words}, imbalance {max(rates) / max(min(rates), 1e-9):.2f}"


def _lines(
    experiment: Experiment,
    objective: str,
    search: Improvement,
    path: Sequence[Outcome],
    reasons: Reasons,
    last: Outcome | None,
    found: Verdict,
) -> list[str]:
    from axiometer.advice.improve import Design, changed
    from axiometer.present import band_text, bottleneck_text, measured_text

    lines = [
        f"{experiment.platform.title}: from the first point of {experiment.name}, objective "
        f"{objective} (simulated; {search.tried} designs)",
        "",
        f"first: {_words(path[0])}",
        *_measured(search, path[0]),
        f"     {bottleneck_text.limit(found)}",
    ]
    for number, (before, after) in enumerate(zip(path, path[1:], strict=False), 1):
        lines += [f"{number}. {changed(after.design, before.design)}", f"     {_words(after)}"]
        lines += _measured(search, after)
    if len(path) == 1:
        lines.append("No single change helps.")
    best = path[-1]
    lines += ["", band_text.sentence(search.band(best), best.total)]
    if last is not None:
        lines += ["", f"The experiment's own last point: {_words(last)}"]
    if reasons:
        lines += ["", "The last design without one of its changes gives"]
        lines += [f"  without {name}: {_words(outcome)}" for name, outcome in reasons]
    for design, claim in [*search.refuted.items()][:MOST_REFUTED]:
        name = changed(design, Design())
        lines.append(f"Not advised: {name}. {measured_text.claim(claim)}")
    return lines


def _measured(search: Improvement, outcome: Outcome) -> list[str]:
    from axiometer.present import anchored_text, measured_text

    near = [f"     {said}" for said in anchored_text.lines(search.anchored(outcome))]
    rows = search.measured(outcome.design)
    return near + [
        f"     measured: {measured_text.rate(of)} ({measured_text.source(of)})" for of in rows
    ]


def _document(
    experiment: Experiment,
    search: Improvement,
    path: Sequence[Outcome],
    reasons: Reasons,
    last: Outcome | None,
    found: Verdict,
) -> dict[str, object]:
    from axiometer.present import anchored_text, band_text, bottleneck_text, measured_text

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
        **bottleneck_text.document(found),
        "last_point": one(last) if last is not None else None,
        "steps": [one(outcome) for outcome in path],
        "without": {name: one(outcome) for name, outcome in reasons},
        "refuted": [
            {"changes": dict(design.changes), **measured_text.claim_document(claim)}
            for design, claim in search.refuted.items()
        ],
    }
