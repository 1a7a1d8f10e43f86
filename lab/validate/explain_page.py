"""The section of docs/how-sure.md from what `validate.explain` measured."""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.answer.relax.gains import TIE
from axiometer.answer.relax.table import RELAXATIONS
from axiometer.answer.verdicts.explained import MOST_RELAXED
from validate import marks
from validate.explain import Judged, best_causes, confused, table

COMMAND = "python -m validate.explain --and 3 --write"
Part = tuple[int, Sequence[Judged]]

_HEAD = "| cause | relaxed |\n|---|---|\n"
_HOW = f"""
Gains within {TIE:.0%} of the rate are equal. A name is *right* if its relaxation gives as much as
the best, within {TIE:.0%} of the rate; it is a *contradiction* if its relaxation gives less than
{TIE:.0%} and another more. `explain` of a run simulates up to {MOST_RELAXED} points. The columns of
chips have the share that is right.
"""


def page(parts: Sequence[tuple[str, Sequence[Judged]]]) -> str:
    """The section; each part has a heading."""
    rows = "\n".join(
        f"| {r.cause} | {' '.join((r.act.__doc__ or f'Traffic: {r.name}.').split())} |"
        for r in RELAXATIONS
    )
    text = [_HEAD + rows, _HOW]
    for heading, found in parts:
        text += [f"### {heading}", *table(found), "", f"Best causes: {best_causes(found)}.", ""]
        text += ["Names that were wrong:", "", *confused(found), ""]
    return "\n".join(text).rstrip("\n")


def write(parts: Sequence[Part]) -> None:
    """Write the section. The rules were decided with points of the first seed in sight."""
    judged = [
        (f"Seed {seed}, {'looked at' if n == 0 else 'not looked at'}: {len(found)} points", found)
        for n, (seed, found) in enumerate(parts)
    ]
    marks.write(marks.DOCS / "how-sure.md", COMMAND, page(judged))
