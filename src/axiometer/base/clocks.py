"""Clock rates as the fractions of a MHz that were meant.

A rate comes as a decimal: typed, out of a file, or out of arithmetic, with its noise. A clock is
made by a PLL and dividers, so it is a fraction of small numbers: 33.333333333333336 MHz is 100/3.
`meant` finds it, once, where a rate enters; `exact` gives the fraction of a rate that has been
through `meant`; `ratio` is what the models are told. Not for: which rates a chip's PLL can make
(`simulate/transfer.py` knows that of the processor's side).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, lcm

TOLERANCE = Fraction(1, 10**6)
"""A clock differs from what was asked by at most this share, 1 ppm."""

# What is nearer than this share is the noise of arithmetic.
_NOISE = Fraction(12, 10**10)
# Largest denominators of a PLL's fraction of a MHz, of what is typed (100 Hz), and of the rest.
_PLL = 200
_TYPED = 10_000
_HZ = 1_000_000


@lru_cache(maxsize=4096)  # the points of an experiment have few clocks
def meant(mhz: float | str) -> Fraction:
    """The rate in MHz that `mhz` stands for, within 1 ppm of it.

    But for noise, a fraction of a denominator up to 200 and a whole number of 100 Hz are taken as
    they stand. Anything else becomes the nearest such fraction, if that is within 1 ppm, or a
    whole number of Hz. The result, made a number, stands for itself. mhz: at least 1 Hz and
    finite, or a text such as "2000/3".
    """
    asked = Fraction(str(mhz))
    near = asked.limit_denominator(_PLL)
    typed = Fraction(round(asked * _TYPED), _TYPED)
    for rate in (near, typed):
        if rate and abs(rate - asked) <= asked * _NOISE:
            return rate
    if near and abs(near - asked) <= asked * TOLERANCE:
        return near
    return Fraction(round(asked * _HZ), _HZ)


def plain(rate: Fraction) -> Fraction:
    """The nearest fraction of a denominator up to 200 where it is within 1 ppm of `rate`, which a
    file gave with few digits; else `rate`. Periods of such rates have a coarse common unit."""
    near = rate.limit_denominator(_PLL)
    return near if abs(near - rate) <= rate * TOLERANCE else rate


def exact(mhz: float) -> Fraction:
    """The fraction whose nearest number is `mhz`, a result of `meant` that was made a number."""
    return Fraction(mhz).limit_denominator(_HZ)


def number(rate: Fraction) -> int | float:
    """A rate in MHz as a number: whole where it is."""
    return int(rate) if rate.denominator == 1 else float(rate)


def ratio(ddr_mhz: float, pl_mhz: float) -> dict[str, int]:
    """The periods of the DRAM's and the PL's clock in the largest unit of which both are whole.

    ddr_mhz: as a platform has it; pl_mhz: of a point, which has been through `meant`.
    """
    ddr, (pl,) = periods(ddr_mhz, [pl_mhz])
    return {"ddr": ddr, "pl": pl}


def periods(ddr_mhz: float, mhz: Sequence[float]) -> tuple[int, list[int]]:
    """The period of the DRAM's clock and those of others, in the largest unit of which all are
    whole; rates as in `ratio`."""
    rates = [meant(ddr_mhz), *map(exact, mhz)]
    scale = lcm(*(rate.denominator for rate in rates))
    whole = [int(rate * scale) for rate in rates]
    unit = lcm(*whole)
    ddr, *others = (unit // rate for rate in whole)
    return ddr, others


def ceil_clocks(beats: Fraction | int, mhz: float, of_mhz: float) -> int:
    """Clocks of `mhz` that `beats` clocks of `of_mhz` take, rounded up; rates as a platform has
    them. That two rates are decimals makes no clock more."""
    clocks = beats * meant(mhz) / meant(of_mhz)
    return ceil(clocks * (1 - 2 * TOLERANCE))


def said(asked: float, got: float) -> str | None:
    """A sentence where the clock `got` is not what was `asked`, beyond noise; both in MHz."""
    if abs(Fraction(got) - Fraction(str(asked))) <= _NOISE * Fraction(got):
        return None
    fraction = exact(got)
    written = f"{got:.10g} MHz"
    if fraction.denominator > 1 and _TYPED % fraction.denominator:
        written += f" ({fraction})"
    return (
        f"The PL clock is {written}, the nearest that is simulated to the {asked!r} MHz asked for."
    )
