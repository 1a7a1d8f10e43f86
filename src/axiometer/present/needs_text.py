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
    return [style.paint(first, "bold", _COLOURS[first.partition(":")[0]]), *map(line, found)]


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
            "met": of.is_met,
            "sure": of.is_sure,
        }
        for of in found
    ]


def line(of: Met) -> str:
    """One need: its rate, the needed one, and the margin."""
    of_need = f"{abs(of.margin) * 100:.0f} % {'spare' if of.is_met else 'short'}"
    margin = times(of.margin) or of_need
    end = "lowest measurement" if of.is_measured else "low end of the band"
    low = f"; {end}: {short_rate(of.low)}" if of.low is not None else ""
    came = "measured" if of.is_measured else "simulated"
    carried = f"{short_rate(of.carried)} MB/s ({came})"
    return f"  {_name(of)}: {carried} for {short_rate(of.need.MBps)} needed, {margin}{low}"


def _names(found: Sequence[Met]) -> str:
    return ", ".join(map(_name, found))


def _name(of: Met) -> str:
    name = "all together" if of.need.name == ALL else of.need.name
    return f"{name} ({of.need.way})" if of.need.way else name
