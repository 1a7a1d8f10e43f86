"""Statistics of the records of one point. Rates in MB/s (1e6 bytes a second).

Standard deviations are those of a sample (n - 1); one repeat has a deviation of 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from axiometer.base import latency_bins

LONG_S = 0.2
"""Of a free run that nobody need make longer."""

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


def spread(of: Mapping[str, float]) -> float:
    """The standard deviation of what was described, as a share of its mean; 0 of one."""
    return of["std"] / of["mean"] if of["n"] > 1 and of["mean"] else 0.0


def error_pct(own: float | None, published: float | None) -> float | None:
    """How far `own` is from `published`, in percent of it; None without either, or if it is 0."""
    return None if own is None or not published else (own / published - 1) * 100


def mean_absolute(errors: Sequence[float]) -> float | None:
    """Mean of the absolute values; None of none."""
    return math.fsum(map(abs, errors)) / len(errors) if errors else None


def ninetieth(numbers: Sequence[float]) -> float:
    """The 90th percentile of at least one number, by rank."""
    ranked = sorted(numbers)
    return ranked[min(len(ranked) - 1, int(0.9 * len(ranked)))]


def summarise(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of one point over its repeats.

    `total_MBps`, `read_MBps`, `write_MBps`: see `describe`; `by_port`: the same three for each
    port, and where several masters share a port `by_master`: for each master; `background`: for
    each of the chip's own masters that had traffic; `latency_cycles`: mean, min, max, p50, p99 in
    PL clocks, None where no burst finished; `steady`, of free runs only: see `steady`. ValueError
    without records.
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
        **_of_masters(records),
        "latency_cycles": latency([record["latency_cycles"] for record in records]),
        **({"steady": steady(records)} if "steady" in records[0] else {}),
    }


def _of_masters(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of points with `[[master]]` tables: the latency of each master's bursts in ns, as `latency`
    gives it; None where none is complete."""
    named = records[0].get("by_master") or {}
    if not any("latency_ns" in of for of in named.values()):
        return {}
    return {
        "latency_ns": {
            name: latency([record["by_master"][name]["latency_ns"] for record in records])
            for name in named
        }
    }


def steady(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How sure the mean of the total rate of free runs is, as the rate of a run without an end.

    `settled`: whether the rate of every repeat had settled; `unsettled`: how many had not;
    `may_drift`: whether one had that a long run may leave, as nothing holds its streams where they
    are in the banks (False of records of older stores, which do not know).
    `half_width_MBps`: of the 95 % interval of the mean, the wider of what the repeats say of
    themselves and what their spread says; None where a repeat was too short to tell.
    `simulated_s`, `start_up_s`: seconds of all repeats, and of these what was left out as start-up.
    """
    of = [record["steady"] for record in records]
    own = [part["half_width_MBps"] for part in of]
    n = len(own)
    half = None
    if None not in own:
        half = math.sqrt(math.fsum(width * width for width in own)) / n
        if n > 1:
            spread = describe([record["total_MBps"] for record in records])["std"]
            half = max(half, student95(n - 1) * spread / math.sqrt(n))
    return {
        "settled": all(part["settled"] for part in of),
        "unsettled": sum(not part["settled"] for part in of),
        "may_drift": any(part.get("may_drift", False) for part in of),
        "half_width_MBps": half,
        "simulated_s": math.fsum(part["simulated_s"] for part in of),
        "start_up_s": math.fsum(part["start_up_s"] for part in of),
    }


def is_long(simulated_s: float) -> bool:
    """Whether nobody need make a free run of so many seconds longer."""
    return simulated_s >= LONG_S


def student95(freedom: int) -> float:
    """Two-sided 95 % point of Student's t; exact for 1 and 2 degrees of freedom, else within
    0.5 % (Abramowitz and Stegun, 26.7.5)."""
    if freedom == 1:
        return 12.7062
    if freedom == 2:
        return 4.3027
    z, v = 1.959964, freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / v**power for power, term in enumerate(terms, 1))


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
        return merged | latency_bins.percentiles(counts)
    return merged | {
        name: math.fsum(part[name] for part in parts) / len(parts) for name in ("p50", "p99")
    }
