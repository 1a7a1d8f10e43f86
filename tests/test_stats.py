import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiometer import stats

_rates = st.lists(st.floats(0, 1e5), min_size=1, max_size=40)


@given(_rates)
def test_describe_agrees_with_the_definitions(numbers):
    found = stats.describe(numbers)
    assert found["n"] == len(numbers)
    assert found["min"] == min(numbers) <= found["mean"] <= found["max"] == max(numbers)
    assert found["mean"] == pytest.approx(statistics.fmean(numbers))
    deviation = statistics.stdev(numbers) if len(numbers) > 1 else 0.0
    assert found["std"] == pytest.approx(deviation, abs=1e-9)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=200), st.sampled_from([0.5, 0.99, 1.0]))
def test_a_percentile_covers_its_share_and_no_smaller_value_does(values, share):
    counts = {value: values.count(value) for value in values}
    found = stats.percentile(counts, share)
    assert sum(v <= found for v in values) >= share * len(values)
    assert sum(v < found for v in values) < share * len(values)


@given(st.lists(st.lists(st.integers(1, 99), min_size=1, max_size=20), min_size=1, max_size=8))
def test_percentiles_of_merged_histograms_are_those_of_all_values(parts):
    latencies = [
        {
            "mean": statistics.fmean(part), "min": min(part), "max": max(part), "n": len(part),
            "p50": 0, "p99": 0, "hist": {str(v): part.count(v) for v in part},
        }
        for part in parts
    ]  # fmt: skip
    together = [value for part in parts for value in part]
    found = stats.latency(latencies)
    assert found["mean"] == pytest.approx(statistics.fmean(together))
    assert (found["min"], found["max"]) == (min(together), max(together))
    counts = {value: together.count(value) for value in together}
    assert found["p99"] == stats.percentile(counts, 0.99)


def test_without_histograms_percentiles_are_averaged():
    part = {"mean": 10.0, "min": 5, "max": 20, "n": 4, "p50": 9, "p99": 20}
    other = part | {"n": 0}
    assert stats.latency([part, part | {"p50": 11}, other, None])["p50"] == 10
    assert stats.latency([other]) is None


def test_a_point_without_records_has_no_statistics():
    with pytest.raises(ValueError):
        stats.summarise([])


def test_summary_keeps_the_ports_apart():
    def record(a, b):
        rates = {
            port: {"read_MBps": x, "write_MBps": 0.0, "total_MBps": x}
            for port, x in (("P0", a), ("P1", b))
        }
        return {
            "total_MBps": a + b, "read_MBps": a + b, "write_MBps": 0.0, "by_port": rates,
            "latency_cycles": None,
        }  # fmt: skip

    found = stats.summarise([record(1.0, 10.0), record(3.0, 30.0)])
    assert found["by_port"]["P0"]["read_MBps"]["mean"] == 2.0
    assert found["by_port"]["P1"]["total_MBps"]["max"] == 30.0
    assert found["total_MBps"]["mean"] == 22.0
    assert found["write_MBps"]["std"] == 0.0
    assert found["latency_cycles"] is None
