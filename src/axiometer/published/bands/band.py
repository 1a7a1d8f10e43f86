"""The band of a rate: within which nine of ten measurements of such a point are expected."""

from __future__ import annotations

from dataclasses import dataclass, replace

SHARE = 0.9


@dataclass(frozen=True)
class Band:
    """`low` and `high` times the rate; measured `rows` and `sources` that it is made from;
    `extrapolated` names what none of the point's board has as the point (empty: its bench has
    such rows)."""

    low: float
    high: float
    rows: int
    sources: tuple[str, ...]
    extrapolated: tuple[str, ...] = ()

    def below(self, rate: float, ceiling: float | None) -> Band:
        """Cut off at what can be at most (`ceiling`, MB/s), or at the rate itself, which may be
        a burst or a rounding more than that."""
        if not ceiling or not rate:
            return self
        high = min(self.high, max(1.0, ceiling / rate))
        return replace(self, high=high, low=min(self.low, high))
