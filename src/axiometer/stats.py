"""Statistics of the records of one point. Rates in MB/s (1e6 bytes a second).

Standard deviations are those of a sample (n - 1); one repeat has a deviation of 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

RATES = ("total_MBps", "read_MBps", "write_MBps")


def describe(numbers: Sequence[float]) -> dict[str, float]:
    """`mean`, `min`, `max`, `std` and `n` of at least one number."""
    n = len(numbers)
    mean = math.fsum(numbers) / n
    # A mean outside of the range by one rounding would contradict the range beside it.
    mean = min(max(mean, min(numbers)), max(numbers))
    variance = math.fsum((x - mean) ** 2 for x in numbers) / (n - 1) if n > 1 else 0.0
    return {
        "mean": mean,
        "min": min(numbers),
        "max": max(numbers),
        "std": math.sqrt(variance),
        "n": n,
    }


def summarise(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of one point over its repeats.

    `total_MBps`, `read_MBps`, `write_MBps`: see `describe`; `by_port`: the same three for each
    port, and where several masters share a port `by_master`: for each master; `background`: for
    each of the chip's own masters that had traffic; `latency_cycles`: mean, min, max, p50, p99 in
    PL clocks, None where no burst finished. ValueError without records.
    """
    if not records:
        raise ValueError("a point without records has no statistics")
    return {
        **{rate: describe([record[rate] for record in records]) for rate in RATES},
        **{
            group: {
                name: {
                    rate: describe([record[group][name][rate] for record in records])
                    for rate in RATES
                }
                for name in records[0][group]
            }
            for group in ("by_port", "by_master", "background")
            if group in records[0]
        },
        "latency_cycles": latency([record["latency_cycles"] for record in records]),
    }


def latency(parts: Sequence[Mapping[str, Any] | None]) -> dict[str, float] | None:
    """Latencies of several records together, each of them counted by its number of bursts `n`.

    With a histogram in each part (`hist`: PL clocks -> bursts) the percentiles are exact;
    without, p50 and p99 are the means of the parts' own percentiles.
    """
    parts = [part for part in parts if part and part["n"]]
    if not parts:
        return None
    bursts = sum(part["n"] for part in parts)
    merged = {
        "mean": math.fsum(part["mean"] * part["n"] for part in parts) / bursts,
        "min": min(part["min"] for part in parts),
        "max": max(part["max"] for part in parts),
    }
    if all(part.get("hist") for part in parts):
        counts: dict[int, int] = {}
        for part in parts:
            for cycles, count in part["hist"].items():
                counts[int(cycles)] = counts.get(int(cycles), 0) + count
        return merged | {"p50": percentile(counts, 0.50), "p99": percentile(counts, 0.99)}
    return merged | {
        name: math.fsum(part[name] for part in parts) / len(parts) for name in ("p50", "p99")
    }


def percentile(counts: Mapping[int, int], share: float) -> int:
    """The least value that at least `share` (0 to 1) of all counted values do not exceed."""
    needed = math.ceil(share * sum(counts.values()))
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= needed:
            return value
    raise ValueError("nothing was counted")
