"""docs/explain.md from what `validate.explain` measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from axiometer.answer.relax.gains import TIE
from axiometer.answer.relax.table import RELAXATIONS
from axiometer.answer.verdicts.explained import MOST_RELAXED
from validate import made_by
from validate.explain import Judged, best_causes, confused, table

PAGE = Path(__file__).parents[1] / "docs" / "explain.md"
Part = tuple[int, Sequence[Judged]]

_HEAD = """# Whether `explain` names the right cause
For whoever wants to know how far to trust what `explain`, `expect` and reports say limits a point.

A cause is right if nothing else, relaxed, gives more. Each possible cause has a relaxation, which
is a change of what is simulated ([relax/table.py](../src/axiometer/answer/relax/table.py)):

| cause | relaxed |
|---|---|
"""

_HOW = f"""
`expect` and `explain` of one point race them
([relax/race.py](../src/axiometer/answer/relax/race.py)) and
name the best: all for a short time, but those that the wires rule out, and the best for longer
where that is not like the whole run; gains
within {TIE:.0%} of the rate are equal, and then what a user chooses is named before what the chip
has. Then what a user can change is tried as it stands
([relax/choices.py](../src/axiometer/answer/relax/choices.py)), first what is against the cause,
and where that does not help, or the cause is the chip's own, all else: bursts, bursts in flight,
gaps, width and clock of ports, where buffers are, other ports and more of them, larger transfers,
traffic classes, the order of addresses, registers of the controller, reads before writes. Advice
is the best of these with what they gave; `python -m validate.causes` holds it to its word and
compares the names that `expect`, `explain`, the report and `advise` give to random points.

`explain` of a run and its report do the same for each of up to {MOST_RELAXED} points, so that a
page and the command beside a point agree. Of more, those are named by time classes alone where
streams are at their own pace and the memory has time to spare (*sure*); {MOST_RELAXED} others are
simulated (here all of them), and the rest says *likely*. So does the report of a board.

Here random points of all chips (`validate/explain_points.py`) are judged by simulation of their
whole time from other starts than the answers take. A name is *right* if its relaxation gives as
much as the best, within {TIE:.0%} of the rate; it is a *contradiction* if its relaxation gives
less than {TIE:.0%} and another more. Judge and answers are one model: the page says how well a
name sums up what the model does, not how well the model is like a chip
([accuracy.md](accuracy.md)). Transfers of the processor's side that are no masters at the
memory are named by the largest class of their time and are not in here. By chip: the share that
is right.
"""


def page(parts: Sequence[tuple[str, Sequence[Judged]]]) -> str:
    """The page; each part has a heading."""
    rows = "\n".join(
        f"| {r.cause} | {' '.join((r.act.__doc__ or f'Traffic: {r.name}.').split())} |"
        for r in RELAXATIONS
    )
    text = [_HEAD + rows, _HOW]
    for heading, found in parts:
        text += [f"## {heading}", *table(found), "", f"Best causes: {best_causes(found)}.", ""]
        text += ["Names that were wrong:", "", *confused(found), ""]
    text.append(made_by("python -m validate.explain --and 3 --write"))
    return "\n".join(text)


def write(parts: Sequence[Part]) -> None:
    """Write docs/explain.md. The rules were decided with points of the first seed in sight."""
    told = [
        (f"Seed {seed}, {'looked at' if n == 0 else 'not looked at'}: {len(found)} points", found)
        for n, (seed, found) in enumerate(parts)
    ]
    PAGE.write_text(page(told), encoding="utf-8")
