"""The bins of latencies: `Histogram` of the model's `stats.hpp`.

Exact below 512 cycles; above, each octave has 64 bins, so that a bin is at most 1/64 of its values
wide. The least latency of a bin is its name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypedDict, TypeVar

EXACT = 512
PER_OCTAVE = 64
Cycles = TypeVar("Cycles", int, float)


def last(least: int) -> int:
    """The greatest latency of the bin whose least is `least`, both in cycles."""
    if least < EXACT:
        return least
    octave = 1 << (least.bit_length() - 1)
    return least + octave // PER_OCTAVE - 1


def percentile(counts: Mapping[Cycles, int], share: float) -> Cycles:
    """The least value that at least the share `share` (0 to 1) of all values do not exceed.
    ValueError without values."""
    needed = math.ceil(share * sum(counts.values()))
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= needed:
            return value
    raise ValueError("there are no counts")


class Percentiles(TypedDict):
    """Percentiles in cycles: the upper ends of their bins."""

    p50: int
    p99: int


def percentiles(counts: Mapping[int, int]) -> Percentiles:
    """`p50` and `p99` of binned latencies."""
    return {"p50": last(percentile(counts, 0.50)), "p99": last(percentile(counts, 0.99))}
