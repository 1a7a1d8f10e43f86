"""Whether `explain` names the cause whose relaxation helps most, on random points of all chips.

Each point (`explain_points.py`) is judged by simulation of its whole time from other starts than
those of `explain`: which cause, relaxed, gives most. That is compared with the cause named

- by time classes alone (`analysis/bottlenecks.py`), of all points and of those where they are sure,
- by `explain` of one point and by `expect`, which simulate a short run of each relaxation,
- by `explain` of many points, which simulates only where time classes are not sure.

A name is right if its relaxation gives as much as the best, within `TIE` of the rate. It
contradicts the simulation if its relaxation gives less than `TIE` and another more. A thousand
points take some ten minutes of one core.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from axiometer.answer.analysis import bottlenecks, collect
from axiometer.answer.analysis.bottlenecks import NOTHING
from axiometer.answer.analysis.ports_and_paths import Facts
from axiometer.answer.analysis.time_classes import stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.gains import TIE, Found, gains, simulated
from axiometer.answer.relax.race import limits
from axiometer.answer.relax.table import RELAXATIONS
from axiometer.answer.verdicts.explained import MOST_RELAXED
from axiometer.simulate.scenario import Scenario
from validate import compared
from validate.compared import Outcome
from validate.explain_points import Drawn, board, over

JUDGE_SEED, JUDGE_REPEATS, RECORDS = 1, 2, 2
BAR = 0.95
WAYS = ("time classes", "time classes, sure", "explain POINT, expect", "explain RUN")


@dataclass(frozen=True)
class Judged:
    """A point with the cause that each of `WAYS` names (those without are left out) and what the
    relaxations give."""

    drawn: Drawn
    named: dict[str, str]
    judge: Found

    def right(self, way: str) -> bool:
        """Whether the cause that is named is as good as the best."""
        return self.judge.of(self.named[way]) >= self.judge.best - TIE

    def contradicts(self, way: str) -> bool:
        """Whether what is named gives nothing, and another cause more."""
        return not self.right(way) and self.judge.of(self.named[way]) < TIE


def judged(drawn: Drawn) -> Judged:
    """The point, named and judged."""
    scenario = Scenario.of(drawn.platform, drawn.point.values)
    judge = gains(scenario, JUDGE_SEED, JUDGE_REPEATS)
    records = simulated(scenario, 0, RECORDS)
    evidence = Evidence(stacks(records, "the point"), drawn.point.values, _facts(drawn.board))
    guess, sure = bottlenecks.strongest(evidence)[0], bottlenecks.sure(evidence)
    found = limits(scenario, records[0]["total_MBps"])
    relaxed = guess if found is None else found.named(guess if sure else NOTHING)
    named = dict.fromkeys(WAYS, relaxed) | {WAYS[0]: guess, WAYS[3]: guess if sure else relaxed}
    if sure:
        named[WAYS[1]] = guess
    else:
        del named[WAYS[1]]
    return Judged(drawn, named, judge)


@cache
def _facts(name: str) -> Facts:
    return collect.facts(board(name))


def share(found: Iterable[Judged], way: str) -> tuple[int, int, int]:
    """Points that `way` names right, that it names at all, and that it contradicts."""
    said = [j for j in found if way in j.named]
    return (
        sum(j.right(way) for j in said),
        len(said),
        sum(j.contradicts(way) for j in said),
    )


def confusions(found: Iterable[Judged], way: str) -> Counter[tuple[str, str]]:
    """(named, best) of the points that `way` names wrongly."""
    return Counter(
        (j.named[way], j.judge.gains[0].cause if j.judge.gains else NOTHING)
        for j in found
        if way in j.named and not j.right(way)
    )


def _percent(part: int, whole: int) -> str:
    return f"{part / whole * 100:.1f} %" if whole else "–"


def table(found: Sequence[Judged]) -> list[str]:
    """How often each way is right, for all chips and for each, in Markdown."""
    chips = sorted({j.drawn.chip for j in found})
    heads = ["named by", "points", "right", "contradictions", *chips]
    body = []
    for way in WAYS:
        right, whole, against = share(found, way)
        each = [share([j for j in found if j.drawn.chip == chip], way)[:2] for chip in chips]
        cells = [way, whole, _percent(right, whole), against]
        body.append([*cells, *(_percent(*of) for of in each)])
    return compared.table(heads, body, "|---|--:|--:|--:|" + "--:|" * len(chips))


def confused(found: Sequence[Judged]) -> list[str]:
    """The wrong names by kind, in Markdown."""
    body = [
        (way, named, best, count)
        for way in (WAYS[2], WAYS[3], WAYS[0])
        for (named, best), count in confusions(found, way).most_common(12)
    ]
    return compared.table(("way", "named", "best", "points"), body, "|---|---|---|--:|")


def best_causes(found: Sequence[Judged]) -> str:
    """How often each cause is the best, in a sentence."""
    count = Counter(
        j.judge.gains[0].cause if j.judge.best > TIE else NOTHING for j in found if j.judge.gains
    )
    return ", ".join(f"{cause} {n}" for cause, n in count.most_common())


def run(jobs: int, points: int, seeds: Sequence[int]) -> Outcome:
    """The page's section. The rules were decided with points of the first seed in sight."""
    parts, shares = [], []
    for n, seed in enumerate(seeds):
        found = list(over(judged, seed, points, jobs))
        looked = "looked at" if n == 0 else "not looked at"
        parts.append((f"Seed {seed}, {looked}: {len(found)} points", found))
        shares += [share(found, way)[0] / len(found) for way in WAYS[2:]]
    text = page(parts)
    figure = f"{100 * min(shares):.1f} % of names are right at least"
    return Outcome(figure, min(shares) >= BAR, [text], {"": text})


_HOW = f"""
Gains within {TIE:.0%} of the rate are equal. A name is *right* if its relaxation gives as much as
the best, within {TIE:.0%} of the rate; it is a *contradiction* if its relaxation gives less than
{TIE:.0%} and another more. `explain` of a run simulates up to {MOST_RELAXED} points. The columns of
chips have the share that is right.
"""


def page(parts: Sequence[tuple[str, Sequence[Judged]]]) -> str:
    """The section; each part has a heading."""
    body = [
        (r.cause, " ".join((r.act.__doc__ or f"Traffic: {r.name}.").split())) for r in RELAXATIONS
    ]
    text = [*compared.table(("cause", "relaxed"), body), _HOW]
    for heading, found in parts:
        text += [f"### {heading}", *table(found), "", f"Best causes: {best_causes(found)}.", ""]
        text += ["Names that were wrong:", "", *confused(found), ""]
    return "\n".join(text).rstrip("\n")
