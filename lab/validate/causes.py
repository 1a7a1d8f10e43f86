"""Whether all commands name the same cause of a point, and whether advice gives its promised gain,
on random points of all chips.

Each point (`explain_points.py`) goes to `expect` (as many starts as an answer needs), to `explain`
and the report of a run (as many repeats as it has), and to `advise`. Their simulations differ, the
name must not. Advice promises a gain; `expect` then simulates the changed point from other starts.
The change must help, and give no less than promised within `SHORT` of the rate and two standard
deviations of the starts. A thousand points take some ten minutes of one core.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from axiometer.answer.analysis import collect
from axiometer.answer.analysis.results import View
from axiometer.answer.relax.gains import TIE, simulated
from axiometer.answer.verdicts.explained import explained
from axiometer.api.expectation import Expectation, limit
from axiometer.api.sampling import sampled
from axiometer.experiment.points import Point
from axiometer.experiment.values import having
from axiometer.present import bottleneck_text, explanation
from axiometer.simulate.scenario import Scenario
from validate.compared import Outcome
from validate.explain_points import Drawn, over

REPEATS = 2
SHORT = 0.05
"""Share of the rate by which a change may give less than promised."""
BAR = 0.99


@dataclass(frozen=True)
class Asked:
    """A point with the name that each command gives its cause, and of the best change: what it is,
    what it is said to give, and what it gives (None where there is none). apart: two deviations of
    that, by start."""

    drawn: Drawn
    names: dict[str, str]
    change: dict[str, object] | None = None
    said: float | None = None
    gives: float | None = None
    apart: float = 0.0

    @property
    def agree(self) -> bool:
        """Whether all name one cause."""
        return len(set(self.names.values())) == 1

    @property
    def kept(self) -> bool:
        """Whether the change gives its promised gain."""
        if self.said is None or self.gives is None:
            return True
        least = (1 + self.said) * (1 - SHORT) - self.apart
        return self.gives > TIE / 2 and 1 + self.gives >= least


def view(drawn: Drawn, repeats: int = REPEATS) -> View:
    """The point as its own run."""
    platform, point = drawn.platform, drawn.point
    records = simulated(Scenario.of(platform, point.values), point.values["seed"], repeats)
    facts = collect.facts(platform)
    row = collect.row(facts, 0, point.key, point.values, records, None, platform)
    return View(
        run_id="random",
        name="random",
        title="A random point",
        backend="model",
        facts=facts,
        rows=[row],
        scenario=partial(collect.scenario, platform),
    )


def asked(drawn: Drawn) -> Asked:
    """The point's cause by each command."""
    platform, values = drawn.platform, having(drawn.point.values, {"repeats": 20})
    free = {key: value for key, value in drawn.point.key.items() if key != "repeats"}
    point = Point(0, free, values)
    answer = Expectation(platform, point).answer
    run = view(drawn)
    (item,) = explained(run, run.done, explanation.label)
    advised = limit(platform, sampled(platform, drawn.point, "model")[0])
    names = {
        "expect": bottleneck_text.name(answer.verdict),
        "explain": str(explanation.document(run, [item])["points"][0]["bottleneck"]),  # type: ignore[index]
        "report": bottleneck_text.called(item.verdict),
        "advise": bottleneck_text.name(advised),
    }
    names["explain"] = bottleneck_text.name(replace(item.verdict, cause=names["explain"]))
    said = next((trial for trial in answer.verdict.remedy.trials if trial.keys), None)
    if said is None:
        return Asked(drawn, names)
    gives = next((trial for trial in answer.remedy.trials if trial.keys == said.keys), None)
    if gives is None:  # simulated as the point itself, it lost
        return Asked(drawn, names, said.keys, said.gain, 0.0)
    apart = 2 * math.hypot(*(statistics.pstdev(of.totals) for of in (gives.before, gives.after)))
    apart /= answer.total["mean"] or 1.0
    return Asked(drawn, names, said.keys, said.gain, gives.gain, apart)


def lines(found: Sequence[Asked]) -> list[str]:
    """How many agree and keep their word, and those that do not."""
    advised = [one for one in found if one.said is not None and one.gives is not None]
    apart = [one for one in found if not one.agree]
    broken = [one for one in advised if not one.kept]
    strict = sum(replace(one, apart=0.0).kept for one in advised)
    helped = sum((one.gives or 0.0) > 0 for one in advised)
    return [
        f"{len(found) - len(apart)} of {len(found)} points: one name by all",
        f"{len(advised)} points with a change to try: {strict} give the promised gain within "
        f"{SHORT:.0%}, {len(advised) - len(broken)} within that and what starts differ by; "
        f"{helped} give more than without",
        *(f"  {one.drawn.number} {one.drawn.board}: {one.names}" for one in apart),
        *(
            f"  {one.drawn.number} {one.drawn.board}: {one.change} said {one.said:+.1%}, "
            f"gives {one.gives:+.1%}"
            for one in broken
        ),
    ]


def run(jobs: int, points: int, seed: int) -> Outcome:
    """How many agree and keep their word."""
    found = list(over(asked, seed, points, jobs))
    agree, kept = sum(one.agree for one in found), sum(one.kept for one in found)
    passed = min(agree, kept) >= BAR * len(found)
    said = lines(found)
    return Outcome(f"{said[0]}; {kept} give what is said", passed, said)
