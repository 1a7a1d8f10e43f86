"""Latency over bursts, from the model's bins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from axiometer.base import latency_bins
from axiometer.base.record import Latency
from axiometer.simulate.outcome import StreamOutcome


def latency(outcomes: Iterable[StreamOutcome], with_histogram: bool = False) -> Latency | None:
    """Latency over bursts in cycles of their port, or PL clocks if it has no own clock. Exact below
    512; above, `min` is the least latency of its bin, `max` and the percentiles the greatest
    (`latency_bins.py`): no burst took longer than `max`, and p99 is not below a mean of its bin."""
    counts: Counter[int] = Counter()
    total: float = 0
    number = 0
    for outcome in outcomes:
        counts.update(dict(outcome["latency"]))
        total += outcome["latency_sum"]
        number += outcome["bursts"]
    if not number:
        return None
    ends = latency_bins.percentiles(counts)
    summary: Latency = {
        "mean": total / number,
        "min": min(counts),
        "max": latency_bins.last(max(counts)),
        "p50": ends["p50"],
        "p99": ends["p99"],
        "n": number,
    }
    if with_histogram:
        summary["hist"] = {str(latency): counts[latency] for latency in sorted(counts)}
    return summary
