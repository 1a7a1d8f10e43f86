"""The answer of `explain` in the terminal: what limits, and where the time goes.

Not for: the same as JSON (`explanation.py`), or pictures of it (`pictures.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.answer.analysis.results import View
from axiometer.answer.verdicts.explained import Explained
from axiometer.present import bottleneck_text, emphasis, tables, text, time_stacks
from axiometer.present.text import Style, number, percent

_MOST_CAUSES = 4
_LEAST_SHARE = 0.1
"""A smaller share of the time is not worth a word."""
_LEAST_CELLS, _MOST_CELLS = 8, 60


def short(view: View, found: Sequence[Explained], style: Style) -> list[str]:
    """The limit of one point, or each cause with how many points it limits."""
    title = tables.title(view, style, short=True)
    if len(found) == 1:
        (item,) = found
        hint = "-v: the time of each port and master, and what is not advised."
        return [*title, *_head(item, style), *_words(item, style), style.paint(hint, "dim")]
    groups = by_cause(found)
    out = [*title, *(_counted(same, found, style, _gains(same)) for same in groups[:_MOST_CAUSES])]
    left = groups[_MOST_CAUSES:]
    if left:
        out.append(f"{sum(map(len, left))} of {len(found)} points: {len(left)} other limits")
    hint = "-v: each point. --brief: a sentence a limit. One point: axiometer explain RUN POINT."
    return [*out, style.paint(hint, "dim")]


def brief(found: Sequence[Explained], style: Style) -> list[str]:
    """Each cause once, with how many points it limits, and its sentence."""
    return [
        line
        for same in by_cause(found)
        for line in (_counted(same, found, style), f"    {_said(same, same[0].label, style)}")
    ]


def whole(view: View, found: Sequence[Explained], style: Style) -> list[str]:
    """Every point with a bar of its time, below the cause that limits it."""
    out = [*tables.title(view, style), ""]
    width = max(len(_numbered(item)) for item in found)
    cells = max(_LEAST_CELLS, min(_MOST_CELLS, style.columns - width - 20))
    for same in by_cause(found):
        out.append(_counted(same, found, style))
        for item in same:
            bar = time_stacks.bar(item.stacks.dram, cells, style)
            out.append(f"{_numbered(item):<{width}}  {bar}  {number(item.row.mean):>9} MB/s")
        out += [f"    {_said(same, str(same[0].row.index), style)}", ""]
    out += time_stacks.letters(found[0].stacks.dram.classes, style)
    return [*out, f"Bars: time of {_whose(found[0])}. One point: axiometer explain RUN POINT"]


def full(view: View, found: Sequence[Explained], style: Style) -> list[str]:
    """Every point with its limit, and the time of the DRAM bus and of each stream."""
    out = tables.title(view, style)
    for item in found:
        out += ["", *_head(item, style), *_words(item, style)]
        out += [*bottleneck_text.refuted(item.verdict), ""]
        out += time_stacks.terminal(item.stacks, style)
    return out


def by_cause(found: Sequence[Explained]) -> list[list[Explained]]:
    """Points by their limit, the cause of most points first."""
    groups: dict[str, list[Explained]] = {}
    for item in found:
        groups.setdefault(bottleneck_text.called(item.verdict), []).append(item)
    return sorted(groups.values(), key=len, reverse=True)


def _numbered(item: Explained) -> str:
    return f"{item.row.index}: {item.label}"


def _head(item: Explained, style: Style) -> list[str]:
    """The rate of a point with its limit, and the largest shares of the time."""
    limit = bottleneck_text.called(item.verdict)
    rate = style.paint(f"{number(item.row.mean)} MB/s", "bold")
    line = f"{_numbered(item)}  {rate}. Limit: {emphasis.name(limit, style)}."
    return [line, f"Time of {_whose(item)}: {_shares(item)}."]


def _shares(item: Explained) -> str:
    """The classes of time that have a share worth a word, the largest first."""
    stack = item.stacks.dram
    found = [(stack.share(c.key), c.label) for c in time_stacks.shown(stack.classes)]
    large = sorted((of for of in found if of[0] >= _LEAST_SHARE), reverse=True)
    return ", ".join(f"{label} {percent(share)}" for share, label in large)


def _whose(item: Explained) -> str:
    return "the transfer" if item.stacks.of_processor else "the DRAM bus"


def _counted(
    same: Sequence[Explained], found: Sequence[Explained], style: Style, gains: str = ""
) -> str:
    name = emphasis.name(bottleneck_text.called(same[0].verdict), style)
    return emphasis.notes(f"{len(same)} of {len(found)} points: {name}{gains}", style)


def _gains(same: Sequence[Explained]) -> str:
    """What points of one cause gain without it; nothing where that was not simulated."""
    gains = [
        gain
        for item in same
        if (of := item.verdict.found) is not None
        for gain in of.gains
        if gain.cause == item.verdict.cause
    ]
    if not gains:
        return ""
    best = max(gains, key=lambda gain: gain.gain)
    least = text.gain(min(gain.gain for gain in gains))
    most = text.gain(best.gain)
    span = most if least == most else f"{least.removesuffix(' %')} to {most}"
    return f". {best.name[:1].upper()}{best.name[1:]}: {span} (simulated)"


def _said(same: Sequence[Explained], called: str, style: Style) -> str:
    """The sentence of points with one cause; where theirs differ, that of the first, which is
    `called` so."""
    first, *others = (bottleneck_text.said(item.verdict) for item in same)
    one = all(other == first for other in others)
    return emphasis.notes(first if one else f"{called}: {first}", style)


def _words(item: Explained, style: Style) -> list[str]:
    """What limits, and what to change."""
    of = item.verdict
    said = (bottleneck_text.said(of), f"→ {bottleneck_text.advice(of)}")
    return [emphasis.notes(line, style) for line in said]
