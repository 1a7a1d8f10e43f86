import sys

import pytest
from flow import cocotb_run, tools

SOURCES = tools.sources("traffic")
# The scoreboard is the monitor's; what the simulator's Python finds is what is in sys.path.
sys.path.append(str(tools.RTL / "monitor/tests"))


def run(values, testcase, sources=SOURCES):
    env = {
        key: str(values[key]) for key in ("DATA_W", "ADDR_W", "AXI3", "CROSS_4K") if key in values
    }
    cocotb_run.run("axm_traffic", sources, "cocotb_traffic", values, testcase=testcase, env=env)


def test_behaviour():
    run(
        {"OUTSTANDING": 64},
        ["full_speed", "outstanding_limit", "limits", "cut_at_4k", "capabilities"],
    )


def test_faults():
    more = ["register_answers_wait_alone", "a_start_without_a_burst_allowed_is_refused"]
    run({}, ["faults_of_answers", "faults_of_silence", *more])


@pytest.mark.parametrize("width", [32, 64, 128, 256])
@pytest.mark.parametrize("axi3", [0, 1])
def test_memory(width, axi3):
    run({"DATA_W": width, "AXI3": axi3}, "writes_then_reads")


def test_high_addresses():
    run({"ADDR_W": 40, "DATA_W": 128, "ID_W": 4}, ["beyond_4g", "limits"])


def test_bursts_across_4k():
    run({"CROSS_4K": 1, "DATA_W": 128}, "whole_over_4k")


def test_16_mib_of_single_beats():
    sources = [*SOURCES, tools.RTL / "traffic/tests/ideal_slave.sv"]
    cocotb_run.run("ideal_slave", sources, "cocotb_long_run")
