"""Figures from records, points and platforms: small cases computed by hand."""

from types import SimpleNamespace

import pytest

import present_fake as fake
from axiometer.answer.analysis import comparison, stats, time_classes
from axiometer.answer.analysis.ports_and_paths import Ceiling, Facts, Path, ceiling
from axiometer.answer.analysis.results import Row, View
from axiometer.answer.analysis.time_shares import WAITS, Evidence
from axiometer.present import flat
from axiometer.published import reference
from axiometer.simulate import records

# -- statistics and records ------------------------------------------------------------------------


def test_latencies_are_weighed_by_their_bursts():
    few = {"mean": 10.0, "min": 8, "max": 12, "n": 1, "p50": 10, "p99": 12}
    many = {"mean": 20.0, "min": 9, "max": 40, "n": 3, "p50": 20, "p99": 40}
    found = stats.latency([few, many])
    assert found == {"mean": 17.5, "min": 8, "max": 40, "p50": 15, "p99": 26}
    counted = stats.latency([few | {"hist": {"10": 1}}, many | {"hist": {"9": 1, "20": 2}}])
    assert (counted["p50"], counted["p99"]) == (10, 20)


def result():
    """2000 cycles at 100 MHz are 20 us; 8000 clocks at 400 MHz as well."""
    classes = dict.fromkeys(
        ("data", "launch", "master", "partner", "path", "controller", "latency", "done"), 0
    )
    of = {
        "bytes": 3000, "launch": 100, "end": 1500, "bursts": 4, "latency_sum": 100,
        "latency": [(20, 3), (40, 1)], "classes": classes | {"data": 1900, "launch": 100},
    }  # fmt: skip
    bus = dict.fromkeys(("read_data", "write_data", "refresh", "idle_no_request"), 0)
    return {
        "cycles": 2000, "clocks": 8000, "classes": bus | {"read_data": 6000, "refresh": 2000},
        "counts": {"reads": 94}, "streams": [of, of | {"bytes": 1000}],
    }  # fmt: skip


def test_a_record_is_in_seconds_and_mb_a_second():
    figures = {"clocks.ddr_mhz": 400, "host.completion_us": 5, "host.launch_us": 0}
    platform = SimpleNamespace(
        number=lambda figure, default=None: figures.get(figure, default), programs=[]
    )
    way = {"name": "P", "start_us": None, "background": False, "outside": False,
           "pl_mhz": 100, "owner": "P"}  # fmt: skip
    streams = [SimpleNamespace(direction=d, payload=True, **way) for d in ("read", "write")]
    values = {"pl_mhz": 100, "ports": ["P"], "transfer_bytes": 3000}
    scenario = SimpleNamespace(platform=platform, values=values, streams=streams)
    record = records.record(scenario, 3, result())
    assert record["elapsed_s"] == pytest.approx(25e-6)
    assert record["bytes"] == 4000
    assert record["read_MBps"] == pytest.approx(120)
    assert record["write_MBps"] == pytest.approx(40)
    assert record["total_MBps"] == pytest.approx(160)
    assert record["by_port"]["P"]["total_MBps"] == pytest.approx(160)
    bus = record["dram"]["classes_s"]
    assert bus["read_data"] == pytest.approx(15e-6)
    assert bus["refresh"] == pytest.approx(5e-6)
    assert bus["idle_no_request"] == pytest.approx(5e-6)  # until the processor notices
    first = record["streams"][0]
    assert first["start_s"] == pytest.approx(1e-6)
    assert first["end_s"] == pytest.approx(15e-6)
    assert first["classes_s"]["data"] == pytest.approx(19e-6)
    assert first["classes_s"]["done"] == pytest.approx(5e-6)
    assert record["latency_cycles"]["mean"] == 25
    assert record["latency_cycles"]["n"] == 8
    assert (record["latency_cycles"]["p50"], record["latency_cycles"]["p99"]) == (20, 40)


# -- facts and ceilings ----------------------------------------------------------------------------


def test_the_peak_of_the_bus_needs_both_figures():
    assert Facts("n", "t", ddr_mhz=525, bus_bits=32).dram_peak == 4200
    assert Facts("n", "t", ddr_mhz=525).dram_peak is None
    assert Facts("n", "t", bus_bits=32).dram_peak is None


def test_ports_are_spread_over_paths():
    facts = Facts("n", "t", port_paths={"A": "x", "B": "x", "C": "y", "D": "y"})
    assert facts.spread(["A", "B"]) == ["A", "C"]
    assert facts.spread(["A", "C"]) is None  # as many paths as there are
    assert facts.spread(["A", "B", "C"]) is None
    # One path has more members than the others: its queue runs dry last.
    facts = Facts("n", "t", port_paths={"A": "x", "B": "x", "C": "x", "D": "y"})
    assert facts.spread(["A", "B", "C"]) == ["A", "B", "D"]
    # Paths enough for one more port than are wanted.
    facts = Facts("n", "t", port_paths={"A": "x", "B": "x", "C": "y", "D": "z"})
    assert facts.spread(["A", "B"]) == ["A", "C"]
    some = Facts("n", "t", port_paths={"A": "x", "B": "x", "C": "y"}, unvalidated=("C",))
    assert some.spread(["A", "B"]) is None  # advice names none that is not measured


def test_the_ceiling_is_the_lower_of_ports_and_bus():
    facts = Facts("n", "t", ddr_mhz=525, bus_bits=32)
    values = {"ports": ["A", "B"], "width_bits": 64, "pl_mhz": 100}
    one, both = (ceiling(facts, values | {"mode": m}) for m in ("ps_to_pl", "duplex"))
    assert (one.ports, one.dram, one.value, one.dram_limits) == (1600, 4200, 1600, False)
    assert both.ports == 3200 and ceiling(facts, values | {"mode": "mixed"}).ports == 3200
    fast = ceiling(facts, values | {"mode": "duplex", "pl_mhz": 200})
    assert (fast.value, fast.dram_limits) == (4200, True)
    assert Ceiling(None, 4200).value is None and Ceiling(800, None).value == 800
    assert not Ceiling(4200, 4200).dram_limits


# -- rows of a table -------------------------------------------------------------------------------


def row(mean, expected=None, published=None, role=None, **values):
    numbers = {"mean": mean, "min": mean, "max": mean, "std": 0.0, "n": 1}
    return Row(
        index=0, key={}, values=values, records=[], stats={"total_MBps": numbers},
        ceiling=Ceiling(expected, None), published=published, role=role,
    )  # fmt: skip


def test_efficiency_and_error_in_percent():
    assert row(400, 800).efficiency_pct == 50
    assert row(400).efficiency_pct is None
    assert row(440, published={"mean": 400}).error_pct == pytest.approx(10)
    assert row(440, published={"mean": None}).error_pct is None
    inside = row(105, published={"mean": 100, "min": 90, "max": 100})
    assert inside.inside() is False and inside.inside(0.05) is True
    assert row(1, published={"mean": 1, "min": None, "max": 2}).inside() is None


def test_a_range_is_widened_by_a_share_of_each_end():
    assert reference.within(100.005, 90, 100) and not reference.within(100.006, 90, 100)
    assert reference.within(89.995, 90, 100) and not reference.within(89.99, 90, 100)
    assert reference.within(81.0, 90, 100, 0.1) and not reference.within(80.99, 90, 100, 0.1)
    assert reference.within(110.0, 90, 100, 0.1) and not reference.within(110.01, 90, 100, 0.1)


def test_fitted_and_predicted_rows_are_apart():
    rows = [
        row(110, published={"mean": 100, "min": 100, "max": 120}, role="fitted"),
        row(98, published={"mean": 100}, role="predicted"),
        row(96, published={"mean": 100, "min": 97, "max": 101}, role="predicted"),
        row(50),
    ]
    found = comparison.split(rows)
    assert [found[k].compared for k in ("all", "fitted", "predicted")] == [3, 1, 2]
    assert found["fitted"].mean_abs_error_pct == pytest.approx(10)
    assert found["predicted"].mean_abs_error_pct == pytest.approx(3)
    assert found["predicted"].worst is rows[2]
    assert (found["all"].ranged, found["all"].inside) == (2, 1)


def test_ports_without_a_measurement_are_named():
    facts = Facts("n", "t", unvalidated=("B",), neighbours=("DisplayPort", "GPU"))
    rows = [row(1, ports=["A", "B"], background="GPU=100"), row(1, ports=["A"], background=None)]
    view = View("id", "n", "t", "model", facts, rows)
    assert view.unvalidated == ["B", "GPU"]
    assert View("id", "n", "t", "model", facts, [row(1, ports=["A"])]).unvalidated == []


def test_a_repeat_in_one_line():
    record = {
        "repeat": 0, "total_MBps": 5.0, "by_port": {"A": {"read_MBps": 5.0}},
        "latency_cycles": {"mean": 30, "hist": {"30": 1}},
        "dram": {"classes_s": {"refresh": 0.25}, "counts": {"reads": 7}},
        "processor": {"classes_s": {"copy": 0.5}, "beats": {"between": {"min": 2}}},
    }  # fmt: skip
    rows = [Row(0, {}, {}, [record], None, Ceiling(None, None))]
    [line] = flat.repeats(View("id", "n", "t", "model", Facts("n", "t"), rows))
    found = {k: v for k, v in line.items() if v is not None and k != "backend"}
    assert found == {
        "repeat": 0, "total_MBps": 5.0, "A_read_MBps": 5.0, "latency_cycles_mean": 30,
        "dram_refresh_s": 0.25, "dram_reads": 7, "processor_copy_s": 0.5, "between_min": 2,
    }  # fmt: skip


# -- shares of time --------------------------------------------------------------------------------


def stack(seconds, elapsed=4.0, port=None, direction=None):
    known = dict.fromkeys((*WAITS, "read_data", "write_data", "data", "launch", "done"), 0.0)
    return time_classes.StreamStack("", (), known | seconds, elapsed, port, direction, port)


def test_a_share_of_the_time():
    assert stack({"data": 1.0, "launch": 2.0}).share("data", "launch") == 0.75
    assert stack({"data": 0.0}, 0.0).share("data") == 0.0


def evidence(dram, *streams, facts=None, **values):
    stacks = time_classes.PointStacks(dram, streams)
    return Evidence(stacks, values, facts or fake.FACTS)


def test_waiting_is_all_time_without_data_that_is_no_start_and_no_end():
    waits = dict.fromkeys(WAITS, 0.25)
    of = evidence(stack({}), stack({"data": 2.0, "launch": 0.5, **waits}, port="HP0"))
    assert of.waiting == len(WAITS) * 0.25 / 4


@pytest.mark.parametrize(("outstanding", "crowded"), [(2, False), (3, True)])
def test_a_path_is_crowded_beyond_what_it_keeps(outstanding, crowded):
    facts = Facts(
        "n", "t", paths={"x": Path("x", ("A", "B"), {"read": 512})},
        port_paths={"A": "x", "B": "x"},
    )  # fmt: skip
    streams = [stack({WAITS[0]: 1.0}, port=p, direction="read") for p in "AB"]
    values = {
        "ports": ["A", "B"], "mode": "ps_to_pl", "pl_mhz": 100, "burst_bytes": 128,
        "outstanding_read": outstanding,
    }  # fmt: skip
    assert evidence(stack({}), *streams, facts=facts, **values).crowded is crowded
    assert evidence(stack({}), streams[0], facts=facts, **values).crowded is False
