"""The bins in which latencies are counted: `Histogram` of the model's `stats.hpp`.

Exact below 512 cycles; above, each octave has 64 bins, so that a bin is at most 1/64 of its values
wide. A bin is named by the least latency in it.
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
    """The least value that at least `share` (0 to 1) of all counted values do not exceed."""
    needed = math.ceil(share * sum(counts.values()))
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= needed:
            return value
    raise ValueError("nothing was counted")


class Percentiles(TypedDict):
    """In cycles: the ends of the bins that they are in."""

    p50: int
    p99: int


def percentiles(counts: Mapping[int, int]) -> Percentiles:
    """`p50` and `p99` of latencies in bins."""
    return {"p50": last(percentile(counts, 0.50)), "p99": last(percentile(counts, 0.99))}
