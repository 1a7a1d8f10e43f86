"""Possible clocks of the fabric: rates that the PLL of the processor system makes with its
dividers.

The PLL makes a requested rate exactly, or the rates below and above it. The figures are the
platform's: `clocks.pl_pll_mhz`, `clocks.pl_dividers`, `clocks.pl_divider_max`. Not for: the
simulated clock (streams run at the requested clock, the processor's side at the PLL's:
`simulate/transfer.py`), or the clocks of a user's design (`designs/clock_rates.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from axiometer.base import clocks

if TYPE_CHECKING:
    from axiometer.platform.platform import Platform

SAME = Fraction(1, 10**5)
"""Rates that differ by less than this share are equal: a crystal is no better, and 142.857 MHz
means 1000 / 7."""


@dataclass(frozen=True)
class Made:
    """A rate in MHz that the PLL makes, and the divider of its output."""

    mhz: Fraction
    by: int


@dataclass(frozen=True)
class PlClock:
    """Rates of a PLL of `pll` MHz near `asked` MHz. `made`: the requested rate, None if the PLL
    does not make it; `below` and `above`: the next rates; None if there is none, above also if it
    exceeds the fabric's limit."""

    asked: Fraction
    pll: Fraction
    made: Made | None
    below: Made | None
    above: Made | None

    @property
    def nearest(self) -> Made | None:
        """The rate that a tool chooses: the nearest (PYNQ's base overlay requests 142 MHz from a
        PLL of 1000 MHz and gets 142.857, not 125); the lower of two equally near rates."""
        either = [rate for rate in (self.below, self.above) if rate is not None]
        if self.made is not None or not either:
            return self.made
        return min(either, key=lambda rate: (abs(rate.mhz - self.asked), rate.mhz))


def comes_from_the_fabric(platform: Platform) -> bool:
    """Whether the fabric makes its clocks itself, at the requested rate."""
    return platform.whole("clocks.pl_dividers", None) == 0


def limits(platform: Platform) -> tuple[Fraction, Fraction]:
    """The lowest and the highest MHz of the fabric, exact: 333.333333 of a file is 1000 / 3."""
    leaf = platform.leaf("clocks.pl_mhz")
    assert leaf.min is not None and leaf.max is not None  # `checks.py` ensures both
    return clocks.meant(leaf.min), clocks.meant(leaf.max)


def of(platform: Platform, asked: float, pll: str = "clocks.pl_pll_mhz") -> PlClock | None:
    """Rates of the PLL with the figure `pll` near `asked` MHz; None if the platform has no such
    figure."""
    if not platform.has(pll) or comes_from_the_fabric(platform):
        return None
    rate = clocks.meant(platform.number(pll))
    number = platform.whole("clocks.pl_dividers", 1)
    most = platform.whole("clocks.pl_divider_max", 2**31)
    _, highest = limits(platform)
    return makes(rate, number, most, clocks.exact(asked), highest * (1 + SAME))


def makes(pll: Fraction, dividers: int, most: int, asked: Fraction, highest: Fraction) -> PlClock:
    """Rates of a PLL with `dividers` (1 or 2) dividers in a row, each 1 to `most`; all in MHz."""
    by = round(pll / asked)
    made = None
    if _divides(by, dividers, most) and abs(pll / by - asked) <= asked * SAME:
        made = Made(pll / by, by)
    middle = pll / asked if made is None else Fraction(by)
    slower = _next(int(middle) + 1, most**dividers + 1, 1, dividers, most)
    faster = _next(-(-middle // 1) - 1, 0, -1, dividers, most)
    below, above = (None if by is None else Made(pll / by, by) for by in (slower, faster))
    if above is not None and above.mhz > highest:
        above = None
    return PlClock(asked, pll, made, below, above)


def _next(first: int, end: int, step: int, dividers: int, most: int) -> int | None:
    """The first possible divider from `first`, before `end`."""
    return next((by for by in range(int(first), end, step) if _divides(by, dividers, most)), None)


def _divides(by: int, dividers: int, most: int) -> bool:
    """Whether `dividers` dividers of 1 to `most` can together divide by `by`."""
    if by < 1 or by <= most:
        return by >= 1
    return dividers > 1 and any(by % one == 0 and by // one <= most for one in range(2, most + 1))
