"""The band of a rate: the range that holds nine of ten measurements of such a point."""

from __future__ import annotations

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
