import sys

import pytest
from flow import cocotb_run, fault, tools

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


MUTANTS = {
    # what is wrong: file, right text, wrong text, test that notices
    "data": ("axm_traffic_send.sv", "^ {a[15:0], 16'h0} ^ seed", "^ seed", "writes_then_reads"),
    "no check": (
        "axm_traffic_receive.sv",
        "check && !bad && !(right && others_right)",
        "1'b0",
        "faults_of_answers",
    ),
    "4 KiB": ("axm_traffic_issue.sv", "assign len = cut ?", "assign len = 1'b0 ?", "cut_at_4k"),
    "4 KiB for all": ("axm_traffic_issue.sv", "cut = !CROSS_4K && ", "cut = ", "whole_over_4k"),
    "no carry": (
        "axm_traffic_receive.sv",
        "assign beat_address = {low, Shift'(0)};",
        "assign beat_address = {address[31:12], low[11:Shift], Shift'(0)};",
        "whole_over_4k",
    ),
    "wrap": (
        "axm_traffic_issue.sv",
        "(load || at_end)",
        "load",
        "writes_then_reads",
    ),
    "one clock late": (
        "axm_traffic_issue.sv",
        "&& (gap_over || go);",
        "&& gap_over && !go;",
        "full_speed",
    ),
    "limit": (
        "axm_traffic_issue.sv",
        "in_flight_next != outstanding",
        "in_flight_next <= outstanding",
        "outstanding_limit",
    ),
    "seed of a run changes": (
        "axm_traffic_config.sv",
        "address[0] && busy == '0;",
        "address[0];",
        "limits",
    ),
    "seed not loaded": (
        "axm_traffic_config.sv",
        "take | ended | {2{reseed}};",
        "take | ended;",
        "limits",
    ),
    "no quiet time": (
        "axm_traffic_faults.sv",
        "fatal = errors[6] || errors[3] || errors[2];",
        "fatal = 1'b0;",
        "faults_of_answers",
    ),
    "deaf to silence": (
        "axm_traffic_faults.sv",
        "over && !reported && open",
        "1'b0",
        "faults_of_silence",
    ),
}


@pytest.mark.parametrize("number, name", list(enumerate(MUTANTS)))
def test_mutant_is_found(number, name):
    """The checks can fail: a wrong line in the RTL trips them."""
    file, right, wrong, testcase = MUTANTS[name]
    build = tools.ROOT / "build/mutants" / f"traffic-{number}"
    build.mkdir(parents=True, exist_ok=True)
    sources = fault.put(SOURCES, file.removesuffix(".sv"), right, wrong, build)
    # Another width of the counters gives another build folder.
    with cocotb_run.fault_noticed():
        values = {"COUNT_W": 46 - number, "OUTSTANDING": 64}
        run(values | ({"CROSS_4K": 1} if testcase == "whole_over_4k" else {}), testcase, sources)
