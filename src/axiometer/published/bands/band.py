"""The band of a rate: the range that holds nine of ten measurements of such a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

SHARE = 0.9


@dataclass(frozen=True)
class Band:
    """`low` and `high`: the ends as multiples of the rate. `rows`, `sources`: the measurements that
    it uses. `extrapolated`: the features of the point that no row of its board has (empty: its
    bench has such rows)."""

    low: float
    high: float
    rows: int
    sources: tuple[str, ...]
    extrapolated: tuple[str, ...] = ()

    def below(self, rate: float, ceiling: float | None) -> Band:
        """The band limited to `ceiling` (MB/s), or to the rate itself, which may exceed the ceiling
        by a burst or by rounding."""
        if not ceiling or not rate:
            return self
        high = min(self.high, max(1.0, ceiling / rate))
        return replace(self, high=high, low=min(self.low, high))


def over(rate: float, found: Sequence[tuple[float, Band | None]], lacks: Sequence[str]) -> Band:
    """The band of `rate` MB/s that holds those of all rates in `found`, of which the first is that
    of `rate`; lacks: what is unknown, so that it may be any of them."""
    first = found[0][1]
    ends = [(r * b.low, r * b.high) if b is not None else (r, r) for r, b in found]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    if first is None or not rate:
        raise ValueError("the rate has no band")
    extrapolated = (*lacks, *first.extrapolated)
    return replace(first, low=low / rate, high=high / rate, extrapolated=extrapolated)
