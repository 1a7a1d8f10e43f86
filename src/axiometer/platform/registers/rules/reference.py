"""The crystal's rate, which no register has: given, or the usual one that fits the refresh."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING

from axiometer.base.errors import AxiometerError
from axiometer.platform.registers.results import Number, number

if TYPE_CHECKING:
    from axiometer.platform.registers.derived_figures import Sheet


class NotKnown(Exception):  # noqa: N818 - not an error, but an answer
    """The reason why a figure is missing, in words that follow "is left out: "."""


# Average refresh intervals of JEDEC's DRAMs, in us: up to 85 degrees, and above or of LPDDR4.
_INTERVALS_US = (Fraction("7.8"), Fraction("3.9"))
_FARTHEST = 0.10  # of the interval; manufacturers round it down to whole units of 32 clocks


def reference_mhz(sheet: Sheet, multiple_of: Callable[[], Number]) -> Fraction:
    """The reference clock in MHz, as an exact fraction; the sheet records its source.

    The chip's registers.toml lists the usual rates. multiple_of: returns the DRAM's clock over the
    reference; called only if the rate is not given.
    AxiometerError for a bad given rate, or if no usual rate gives the DRAM a refresh interval of
    JEDEC.
    """
    if "reference_mhz" in sheet.given:
        return _given(sheet)
    usual = sheet.contents.chip.about["reference_mhz"]
    multiple = multiple_of()
    clocks = number(sheet.figure("dram.timing.tREFI"))
    if clocks <= 0 or multiple <= 0:
        raise NotKnown("the registers have a refresh interval, or a clock, of 0")
    best, rate, interval = min(
        (abs(log(clocks / (Fraction(text) * multiple) / interval)), Fraction(text), interval)
        for text in usual
        for interval in _INTERVALS_US
    )
    if best > _FARTHEST:
        raise AxiometerError(
            f"no usual crystal ({', '.join(usual)} MHz) makes {clocks} DRAM clocks "
            "a refresh interval of JEDEC",
            remedy="give the crystal's rate: given={'reference_mhz': ...}",
        )
    sheet.note(
        f"the reference clock is taken to be {float(rate):.6g} MHz: of those that boards have, "
        f"the one at which the refresh interval is about {float(interval)} us"
    )
    sheet.cite(f"reference {_shown(rate)} MHz (no register: it fits the refresh interval)")
    return rate


def _given(sheet: Sheet) -> Fraction:
    given = sheet.given["reference_mhz"]
    try:
        rate = Fraction(0) if isinstance(given, list) else Fraction(given)
    except (ValueError, TypeError, ZeroDivisionError):
        rate = Fraction(0)
    if not 1 <= rate <= 200:
        raise AxiometerError(
            f"the reference clock is {given!r}",
            remedy="give a rate in MHz from 1 to 200, as a number or as a text such as '100/3'",
        )
    sheet.cite(f"reference {_shown(rate)} MHz (given)")
    return rate


def _shown(rate: Fraction) -> str:
    return str(rate) if rate.denominator == 1 else f"{rate} ({float(rate):.6g})"
