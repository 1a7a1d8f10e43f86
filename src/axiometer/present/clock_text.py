"""A clock of the fabric in words, and as a document: the requested rate, the simulated rate and
the next rates. Not for: finding the clocks (`analysis/pl_clocks.py`, `platform/pl_clock.py`)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from axiometer.answer.analysis.pl_clocks import Clock
from axiometer.base import clocks
from axiometer.platform.pl_clock import Made, PlClock
from axiometer.present.text import listing


def line(clock: Clock) -> str:
    """The clock in a sentence, as requested or not."""
    other = note(clock)
    makes = clock.makes
    if other or makes is None or makes.made is None:
        how = ", made in the fabric" if clock.in_fabric else ""
        return other or f"PL clock: {_mhz(clock.simulated)} MHz, as asked for{how}."
    return (
        f"PL clock: {_mhz(clock.simulated)} MHz, as asked for: the PLL of {_mhz(makes.pll)} MHz "
        f"over {makes.made.by}{_next(makes)}."
    )


def note(clock: Clock) -> str | None:
    """A sentence where the clock is not what was typed, or none that the PLL makes; else None."""
    typed = clocks.said(clock.typed, clock.asked) if clock.typed is not None else None
    makes = clock.makes
    if makes is None or makes.made is not None:
        return typed
    if clock.by_pll:
        return (
            f"PL clock: {clock.asked:.10g} MHz were asked for, {_mhz(clock.simulated)} are "
            f"simulated: the nearest that the PLL of {_mhz(makes.pll)} MHz makes{_next(makes)}."
        )
    either = [rate for rate in (makes.below, makes.above) if rate is not None]
    rates = " or ".join(f"{_mhz(rate.mhz)} (over {rate.by})" for rate in either)
    off_pll = (
        f"PL clock: {clock.asked:.10g} MHz, simulated as asked for, is none that the PLL of "
        f"{_mhz(makes.pll)} MHz makes as it is set for this board: {rates or 'none near it'}. "
        "A design may set that PLL to another rate, or make its clock in the fabric."
    )
    return f"{typed} {off_pll}" if typed else off_pll


def notes(found: Iterable[Clock]) -> list[str]:
    """The notes on several clocks, each once."""
    return list(dict.fromkeys(text for text in map(note, found) if text))


def document(clock: Clock) -> dict[str, object]:
    """All in MHz. `made`: the PLL's rate nearest to the requested one, `below` and `above` its
    next rates; null where no PLL is known or it makes no such rate."""
    makes = clock.makes
    nearest = makes and makes.nearest
    return {
        "typed_mhz": clock.typed,
        "asked_mhz": clock.asked,
        "simulated_mhz": float(clock.simulated),
        "made_in_fabric": clock.in_fabric,
        "pll_mhz": makes and float(makes.pll),
        "made_mhz": nearest and float(nearest.mhz),
        "made_by_dividing_by": nearest and nearest.by,
        "below_mhz": _rate(None if makes is None else makes.below),
        "above_mhz": _rate(None if makes is None else makes.above),
        "note": note(clock),
    }


def _rate(made: Made | None) -> float | None:
    return None if made is None else float(made.mhz)


def _next(makes: PlClock) -> str:
    nearest = makes.nearest
    either = [m for m in (makes.below, makes.above) if m is not None and m != nearest]
    if not either:
        return ""
    return f"; the next: {listing([_mhz(rate.mhz) for rate in either])}"


def _mhz(rate: Fraction | float) -> str:
    return f"{float(rate):.7g}"
