"""Converts the requested rate of a master to exact cycles from burst to burst, for the model.

Not for: idle cycles between bursts, which are whole (`gap_cycles`).
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log10

from axiometer.base import clocks

MOST_CYCLES = 2**20
"""The model's bound for a burst (docs/keys.md, `streams[].pace_cycles`)."""
_MOST_BURSTS = 2**20


def of(rate_mbs: float | Fraction, burst_bytes: int, mhz: float) -> Fraction:
    """Cycles of a clock of `mhz` from one burst to the next at `rate_mbs`, read as a decimal."""
    rate = rate_mbs if isinstance(rate_mbs, Fraction) else Fraction(str(rate_mbs))
    return (burst_bytes * clocks.exact(mhz) / rate).limit_denominator(_MOST_BURSTS)


def least(burst_bytes: int | Fraction, mhz: float) -> float:
    """The lowest possible requested rate of a master in MB/s, rounded up to three digits."""
    rate = float(burst_bytes) * mhz / (MOST_CYCLES - 1)
    digit = Fraction(10) ** (floor(log10(rate)) - 2)
    return float(ceil(Fraction(rate) / digit) * digit)


def document(cycles: Fraction) -> dict[str, int]:
    """The pace in the form that the model reads."""
    return {"pace_cycles": cycles.numerator, "pace_bursts": cycles.denominator}
