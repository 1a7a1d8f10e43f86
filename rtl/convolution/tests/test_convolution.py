import pytest
from flow import cocotb_run, fault, tools

ROOM = tools.RTL / "convolution"
SOURCES = tools.sources("convolution")
SMALL = {"LANES": 2, "BEATS": 64, "OUTSTANDING": 16}


def run(values, sources=SOURCES, testcase=None):
    cocotb_run.run("axm_convolution", sources, "cocotb_convolution", values, testcase=testcase)


@pytest.mark.parametrize(
    "values",
    [
        {"LANES": 4},
        {**SMALL, "ADDR_W": 32, "ID_W": 6},
        {"LANES": 1, "BEATS": 128, "OUTSTANDING": 16, "ADDR_W": 64, "USER_W": 2},
    ],
)
def test_convolution(values):
    run(values)


MUTANTS = {
    "columns do not turn": (
        "axm_convolution_arithmetic.sv",
        "next_row ? a[(i+3)%4][(n+3)%4] : a[i][(n+3)%4]",
        "next_row ? a[(i+3)%4][n] : a[i][(n+3)%4]",
        "results",
    ),
    "a term is lost": (
        "axm_convolution_lane.sv",
        "MULTIPLIED = 5'd20",
        "MULTIPLIED = 5'd19",
        "results",
    ),
    "results have no room": (
        "axm_convolution_lane.sv",
        " && results <= COUNT_W'(BEATS - 4)",
        "",
        "slow_writes",
    ),
    "no room is reserved": (
        "axm_convolution_read.sv",
        "free[COUNT_W*s+:COUNT_W] >= turn_beats",
        "1'b1",
        "slow_writes",
    ),
    "turns": (
        "axm_convolution_turns.sv",
        "9'd1 << turn_log2",
        "9'd1",
        "order_of_bursts",
    ),
    "limit": ("axm_convolution_write.sv", "&& 7'(flying) < limit", "", "order_of_bursts"),
    "data too early": (
        "axm_convolution_write.sv",
        "work[k] && there[COUNT_W*k+:COUNT_W] >= turn_beats",
        "work[k]",
        "results",
    ),
    "goes on after a fault": (
        "axm_convolution.sv",
        "assign over = cause != '0 ||",
        "assign over =",
        "error_responses",
    ),
    "last": (
        "axm_convolution_read.sv",
        "moved && m_axi_rlast != (beat == last_beat)",
        "1'b0",
        "wrong_last_and_id",
    ),
    "alignment": ("axm_convolution.sv", "(offsets & burst_mask) == '0", "1'b1", "bad_commands"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_found(name, tmp_path):
    file, old, new, testcase = MUTANTS[name]
    changed = fault.put(SOURCES, file.removesuffix(".sv"), old, new, tmp_path)
    with cocotb_run.fault_noticed():
        run(SMALL, changed, testcase)
