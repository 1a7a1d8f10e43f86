"""Whether the needed rates are carried, in words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.answer.verdicts.needs import ALL, Met
from axiometer.base.units import short_rate
from axiometer.present.text import Style, times

_COLOURS = {"YES": "green", "PROBABLY": "yellow", "NO": "red"}


def lines(found: Sequence[Met], style: Style) -> list[str]:
    """Yes or no first, then each need with its margin; nothing where nothing is needed."""
    if not found:
        return []
    first = verdict(found)
    painted = style.paint(first, "bold", _COLOURS[first.partition(":")[0]])
    return [painted, *map(line, found), *room(found)]


def verdict(found: Sequence[Met]) -> str:
    """Yes, probably or no, in a sentence."""
    if short := [of for of in found if not of.is_met]:
        return f"NO: {_names(short)} too slow."
    if unsure := [of for of in found if not of.is_sure]:
        return f"PROBABLY: {_names(unsure)} may be too slow."
    return "YES: it fits."


def document(found: Sequence[Met]) -> list[dict[str, object]]:
    """Each need as JSON. MB/s; margin: the spare rate as a share of the need."""
    return [
        {
            "name": of.need.name,
            "direction": of.need.way,
            "needed_MBps": of.need.MBps,
            "carried_MBps": of.carried,
            "low_MBps": of.low,
            "measured": of.is_measured,
            "margin": of.margin,
            "scale": of.scale,
            "met": of.is_met,
            "sure": of.is_sure,
        }
        for of in found
    ]


def line(of: Met) -> str:
    """One need: its rate, the needed one, and the margin."""
    spare = of.carried / of.need.MBps - 1
    margin = times(spare) or f"{abs(spare) * 100:.0f} % {'spare' if of.is_met else 'short'}"
    end = "lowest measurement" if of.is_measured else "low end of the band"
    low = f"; {end}: {short_rate(of.low)}" if of.low is not None else ""
    came = "measured" if of.is_measured else "simulated"
    carried = f"{short_rate(of.carried)} MB/s ({came})"
    if of.scale is not None and of.is_met:  # it is carried, and no more is asked for
        return f"  {_name(of)}: {carried} for {short_rate(of.need.MBps)} needed{low}"
    return f"  {_name(of)}: {carried} for {short_rate(of.need.MBps)} needed, {margin}{low}"


def room(found: Sequence[Met]) -> list[str]:
    """How far all needs together can be scaled, in a sentence; nothing where that is unknown."""
    scales = [of.scale for of in found if of.scale is not None]
    if not scales:
        return []
    scale = min(scales)
    if scale == 0.0:
        return ["Not even a part of all needs together fits (simulated). At full speed:"]
    most = f"{scale:.0f} times" if scale >= 10 else f"{scale * 100:.0f} % of"
    return [f"All needs together fit up to {most} these rates (simulated). At full speed:"]


def _names(found: Sequence[Met]) -> str:
    return ", ".join(map(_name, found))


def _name(of: Met) -> str:
    name = "all together" if of.need.name == ALL else of.need.name
    return f"{name} ({of.need.way})" if of.need.way else name
