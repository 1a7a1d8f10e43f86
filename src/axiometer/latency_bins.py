"""The bins in which latencies are counted: `Histogram` of the model's `stats.hpp`.

Exact below 512 cycles; above, each octave has 64 bins, so that a bin is at most 1/64 of its values
wide. A bin is named by the least latency in it.
"""

from __future__ import annotations

EXACT = 512
PER_OCTAVE = 64


def last(least: int) -> int:
    """The greatest latency of the bin whose least is `least`, both in cycles."""
    if least < EXACT:
        return least
    octave = 1 << (least.bit_length() - 1)
    return least + octave // PER_OCTAVE - 1
