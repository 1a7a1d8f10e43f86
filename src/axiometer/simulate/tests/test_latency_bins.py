"""latency_bins.py has the bins of the model's histogram."""

import random

import pytest

from axiometer.base import latency_bins
from axiometer.simulate.latencies import latency


def test_bins_follow_each_other_and_are_narrow():
    least = 0
    while least < 1 << 24:
        last = latency_bins.last(least)
        assert least <= last
        assert last == least if least < latency_bins.EXACT else 64 * (last - least) < least
        least = last + 1
    # An octave begins with its own bin, so that no bin was skipped.
    assert least == 1 << 24


def outcome(values):
    """As the model counts them."""
    counts, starts, least = {}, [], 0
    while least <= max(values):
        starts.append(least)
        least = latency_bins.last(least) + 1
    for value in values:
        start = max(s for s in starts if s <= value)
        counts[start] = counts.get(start, 0) + 1
    return {"latency": list(counts.items()), "latency_sum": sum(values), "bursts": len(values)}


@pytest.mark.parametrize("seed", range(20))
def test_no_percentile_is_below_what_it_covers(seed):
    rng = random.Random(seed)
    values = [rng.randint(480, 3000) for _ in range(rng.randint(1, 300))]
    found = latency([outcome(values)])
    values.sort()
    for name, share in (("p50", 0.5), ("p99", 0.99)):
        true = values[-(-int(share * 100) * len(values) // 100) - 1]
        assert true <= found[name] <= true * 65 / 64
    assert max(values) <= found["max"]


def test_p99_of_one_long_latency_is_not_below_its_mean():
    found = latency([outcome([543] * 10)])
    assert found["min"] <= found["mean"] <= found["p99"] <= found["max"]
