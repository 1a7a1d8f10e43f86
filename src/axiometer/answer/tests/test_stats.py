import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiometer.answer.analysis import stats
from axiometer.base import latency_bins

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
    found = latency_bins.percentile(counts, share)
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
    assert found["p99"] == latency_bins.percentile(counts, 0.99)


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


def _free(rate, half, settled=True):
    of = {"settled": settled, "half_width_MBps": half, "start_up_s": 0.001, "simulated_s": 0.003}
    rates = dict.fromkeys(("total_MBps", "read_MBps", "write_MBps"), rate)
    return {**rates, "by_port": {}, "latency_cycles": None, "steady": of}


def test_free_runs_say_how_sure_their_mean_is():
    one = stats.summarise([_free(100.0, 3.0)])["steady"]
    assert one == {
        **{"settled": True, "unsettled": 0, "may_drift": False, "half_width_MBps": 3.0},
        **{"simulated_s": 0.003, "start_up_s": 0.001},
    }
    # Repeats that agree: each tells a part of the whole.
    four = stats.summarise([_free(100.0, 4.0)] * 4)["steady"]
    assert four["half_width_MBps"] == pytest.approx(2.0)
    # Repeats that do not: their spread tells more. t of 2 degrees of freedom is 4.303.
    apart = stats.summarise([_free(rate, 0.1) for rate in (90.0, 100.0, 110.0)])["steady"]
    assert apart["half_width_MBps"] == pytest.approx(4.303 * 10 / math.sqrt(3), rel=1e-3)
    mixed = stats.summarise([_free(1.0, None), _free(1.0, 0.1, settled=False)])["steady"]
    assert mixed["half_width_MBps"] is None
    assert not mixed["settled"] and mixed["unsettled"] == 1
    assert "steady" not in stats.summarise(
        [{k: v for k, v in _free(1, 1).items() if k != "steady"}]
    )


@pytest.mark.parametrize(("freedom", "point"), [
    (1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (19, 2.093), (30, 2.042),
    (120, 1.980), (10**6, 1.960),
])  # fmt: skip
def test_students_points_are_those_of_the_tables(freedom, point):
    assert stats.student95(freedom) == pytest.approx(point, rel=5e-3)


@pytest.mark.parametrize(("freedom", "point", "error"), [
    (1, 12.7062047, 1e-5), (2, 4.3026527, 1e-4), (3, 3.1824463, 0.016), (10, 2.2281389, 1e-5),
    (20, 2.0859634473, 3e-7), (30, 2.0422724563, 5e-8),
])  # fmt: skip
def test_points_of_students_t_are_those_of_the_tables(freedom, point, error):
    """The error of the series falls as the fifth power, which a wrong coefficient does not."""
    assert stats.student95(freedom) == pytest.approx(point, abs=error)


def test_an_error_is_in_percent_of_what_is_published():
    assert stats.error_pct(110.0, 100.0) == pytest.approx(10)
    assert stats.error_pct(90.0, 100.0) == pytest.approx(-10)
    assert stats.error_pct(None, 100.0) is stats.error_pct(1.0, None) is None
    assert stats.error_pct(1.0, 0.0) is None
    assert stats.mean_absolute([-3.0, 1.0]) == 2.0
    assert stats.mean_absolute([]) is None
    assert stats.ninetieth([5.0]) == 5.0
    assert stats.ninetieth([float(n) for n in range(20, 0, -1)]) == 19.0
