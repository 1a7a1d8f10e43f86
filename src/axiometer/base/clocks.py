"""Clock rates as exact fractions of a MHz.

A rate is given as a decimal: typed, from a file, or from arithmetic with its noise. A PLL and
dividers make a clock, so it is a fraction of small numbers: 33.333333333333336 MHz is 100/3.
`meant` finds the fraction once, where a rate enters; `exact` returns the fraction of a result of
`meant`; `ratio` gives clock periods for the models. Not for: the rates that a chip's PLL can make
(`simulate/transfer.py` has those of the processor's side).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, lcm

TOLERANCE = Fraction(1, 10**6)
"""Largest relative difference between a clock and the given rate, 1 ppm."""

# A smaller relative difference is noise of arithmetic.
_NOISE = Fraction(12, 10**10)
# Largest denominators of a fraction of a MHz: of a PLL's rate, a typed rate (100 Hz), other rates.
_PLL = 200
_TYPED = 10_000
_HZ = 1_000_000


@lru_cache(maxsize=4096)  # the points of an experiment have few clocks
def meant(mhz: float | str) -> Fraction:
    """The exact rate in MHz for `mhz`, within 1 ppm of it.

    Apart from noise, fractions with a denominator up to 200 and whole multiples of 100 Hz are
    unchanged. Another rate becomes the nearest such fraction if that is within 1 ppm, else a whole
    number of Hz. `meant` of the result as a number is the result. mhz: at least 1 Hz and finite, or
    a text such as "2000/3".
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
    """The nearest fraction with a denominator up to 200 if it is within 1 ppm of `rate`, else
    `rate`. For rates from files with few digits: their periods then have a coarse common unit."""
    near = rate.limit_denominator(_PLL)
    return near if abs(near - rate) <= rate * TOLERANCE else rate


def exact(mhz: float) -> Fraction:
    """The fraction of `mhz`, which is a result of `meant` converted to a number."""
    return Fraction(mhz).limit_denominator(_HZ)


def number(rate: Fraction) -> int | float:
    """A rate in MHz as an int if it is whole, else as a float."""
    return int(rate) if rate.denominator == 1 else float(rate)


def ratio(ddr_mhz: float, pl_mhz: float) -> dict[str, int]:
    """The periods of the DRAM's and the PL's clock in the largest unit of which both are whole.

    ddr_mhz: from a platform; pl_mhz: of a point, a result of `meant`.
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
    """The clocks of `mhz` that `beats` clocks of `of_mhz` take, rounded up; rates from a platform.
    Rounding errors of decimal rates add no clock."""
    clocks = beats * meant(mhz) / meant(of_mhz)
    return ceil(clocks * (1 - 2 * TOLERANCE))


def said(asked: float, got: float) -> str | None:
    """A sentence if the clock `got` differs from the requested rate `asked` by more than noise,
    else None; both in MHz."""
    if abs(Fraction(got) - Fraction(str(asked))) <= _NOISE * Fraction(got):
        return None
    fraction = exact(got)
    written = f"{got:.10g} MHz"
    if fraction.denominator > 1 and _TYPED % fraction.denominator:
        written += f" ({fraction})"
    return f"The PL clock is {written}, the nearest simulated rate to the requested {asked!r} MHz."
