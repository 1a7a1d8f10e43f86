"""Statistics of the records of one point. Rates in MB/s (1e6 bytes a second).

Standard deviations are those of a sample (n - 1); one repeat has a deviation of 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypedDict

from axiometer.base import latency_bins
from axiometer.base.record import Latency, Rates, Record

LONG_S = 0.2
"""Seconds of a free run that is long enough."""


class Described(TypedDict):
    """Statistics of some numbers; `std`: of a sample."""

    mean: float
    min: float
    max: float
    std: float
    n: int


class RateStats(TypedDict):
    """The rates of a port, a master, or all. MB/s."""

    total_MBps: Described
    read_MBps: Described
    write_MBps: Described


class LatencyStats(TypedDict):
    """Latency of the bursts of several records together."""

    mean: float
    min: float
    max: float
    p50: float
    p99: float


class Steady(TypedDict):
    """How sure the mean of the total rate of free runs is, as the rate of a run without an end.

    `settled`: whether the rate of every repeat had settled; `unsettled`: how many had not;
    `may_drift`: whether a repeat's rate may change in a long run, as nothing holds its streams
    apart in the banks (False for records of older stores, which lack it).
    `half_width_MBps`: half of the 95 % interval of the mean, the wider of the repeats' own
    intervals and their spread; None where a repeat was too short for an interval.
    `simulated_s`, `start_up_s`: seconds of all repeats, and the start-up left out of them.
    """

    settled: bool
    unsettled: int
    may_drift: bool
    half_width_MBps: float | None
    simulated_s: float
    start_up_s: float


class _Groups(TypedDict, total=False):
    """by_master: where several masters share a port, or have tables of their own; background: the
    chip's own masters that had traffic; latency_ns: of the bursts of each master with a table."""

    by_master: dict[str, RateStats]
    background: dict[str, RateStats]
    latency_ns: dict[str, LatencyStats | None]


class _Steady(TypedDict, total=False):
    steady: Steady


class Stats(RateStats, _Groups, _Steady):
    """The figures of one point over its repeats. latency_cycles: in PL clocks, None where no burst
    finished."""

    by_port: dict[str, RateStats]
    latency_cycles: LatencyStats | None


def rate_of(rates: RateStats, way: str) -> Described:
    """The rates "read", "write" or "total"."""
    if way == "total":
        return rates["total_MBps"]
    return rates["read_MBps"] if way == "read" else rates["write_MBps"]


def describe(numbers: Sequence[float]) -> Described:
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


def error_pct(own: float | None, published: float | None) -> float | None:
    """The error of `own` in percent of `published`; None without either, or if `published` is 0."""
    return None if own is None or not published else (own / published - 1) * 100


def mean_absolute(errors: Sequence[float]) -> float | None:
    """Mean of the absolute values; None of none."""
    return math.fsum(map(abs, errors)) / len(errors) if errors else None


def ninetieth(numbers: Sequence[float]) -> float:
    """The 90th percentile of at least one number, by rank."""
    ranked = sorted(numbers)
    return ranked[min(len(ranked) - 1, int(0.9 * len(ranked)))]


def summarise(records: Sequence[Record]) -> Stats:
    """The figures of one point over its repeats. ValueError without records."""
    if not records:
        raise ValueError("a point without records has no statistics")
    sure: _Steady = {"steady": steady(records)} if "steady" in records[0] else {}
    return {
        **_rates(records),
        "by_port": _each([record["by_port"] for record in records]),
        **_groups(records),
        "latency_cycles": latency([record["latency_cycles"] for record in records]),
        **sure,
    }


def _rates(of: Sequence[Rates]) -> RateStats:
    return {
        "total_MBps": describe([rates["total_MBps"] for rates in of]),
        "read_MBps": describe([rates["read_MBps"] for rates in of]),
        "write_MBps": describe([rates["write_MBps"] for rates in of]),
    }


def _each(of: Sequence[Mapping[str, Rates]]) -> dict[str, RateStats]:
    return {name: _rates([rates[name] for rates in of]) for name in of[0]}


def _groups(records: Sequence[Record]) -> _Groups:
    found: _Groups = {}
    if "by_master" in records[0]:
        masters = [record["by_master"] for record in records]
        found["by_master"] = _each(masters)
    if "background" in records[0]:
        found["background"] = _each([record["background"] for record in records])
    if "by_master" in records[0] and any("latency_ns" in of for of in masters[0].values()):
        found["latency_ns"] = {
            name: latency([of[name]["latency_ns"] for of in masters]) for name in masters[0]
        }
    return found


def steady(records: Sequence[Record]) -> Steady:
    """How sure the mean of the total rate of these free runs is."""
    of = [record["steady"] for record in records]
    own = [part["half_width_MBps"] for part in of]
    n = len(own)
    half = None
    widths = [width for width in own if width is not None]
    if len(widths) == n:
        half = math.sqrt(math.fsum(width * width for width in widths)) / n
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
    """Whether a free run of so many seconds is long enough."""
    return simulated_s >= LONG_S


def by_master(stats: Stats) -> Mapping[str, RateStats]:
    """The rates of each master by its name."""
    return stats["by_master"] if "by_master" in stats else stats["by_port"]


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
    return z + sum(term / float(v) ** power for power, term in enumerate(terms, 1))


def latency(parts: Sequence[Latency | None]) -> LatencyStats | None:
    """Latencies of several records together, each of them counted by its number of bursts `n`.

    With a histogram in each part (`hist`: PL clocks -> bursts) the percentiles are exact;
    without, p50 and p99 are the means of the parts' own percentiles.
    """
    known = [part for part in parts if part and part["n"]]
    if not known:
        return None
    bursts = sum(part["n"] for part in known)
    merged: LatencyStats = {
        "mean": math.fsum(part["mean"] * part["n"] for part in known) / bursts,
        "min": min(part["min"] for part in known),
        "max": max(part["max"] for part in known),
        "p50": math.fsum(part["p50"] for part in known) / len(known),
        "p99": math.fsum(part["p99"] for part in known) / len(known),
    }
    hists = [part["hist"] for part in known if part.get("hist")]
    if len(hists) == len(known):
        counts: dict[int, int] = {}
        for hist in hists:
            for cycles, count in hist.items():
                counts[int(cycles)] = counts.get(int(cycles), 0) + count
        exact = latency_bins.percentiles(counts)
        merged["p50"], merged["p99"] = exact["p50"], exact["p99"]
    return merged
