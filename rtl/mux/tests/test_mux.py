import pytest
from flow import cocotb_run, fault, tools

ROOM = tools.RTL / "mux"
SOURCES = tools.sources("mux")
BENCH = ROOM / "tests/tb_mux.sv"


def run(values, sources=SOURCES, testcase=None):
    values = {"TIMEOUT": 64, **values}
    env = {k: str(values.get(k, 0)) for k in ("N", "AXI3", "REGISTERED", "TIMEOUT")}
    cocotb_run.run("tb_mux", [*sources, BENCH], "cocotb_mux", values, env=env, testcase=testcase)


@pytest.mark.parametrize(
    "values",
    [
        {"N": 2, "DATA_W": 32, "AXI3": 1, "ID_W": 6},
        {"N": 3, "DATA_W": 64, "REGISTERED": 1},
        {"N": 4, "DATA_W": 128, "AXI3": 1, "REGISTERED": 1, "ORDER_DEPTH": 2},
        {"N": 8, "DATA_W": 256, "ADDR_W": 40, "ID_W": 8},
    ],
)
def test_mux(values):
    run(values)


MUTANTS = {
    "fairness": (
        "axm_mux_arbiter.sv",
        "first != '0 ? first : request",
        "request",
        "throughput_and_fairness",
    ),
    "hold": ("axm_mux_arbiter.sv", "hold ? held : choice", "choice", "slave_that_wants_both"),
    "order of W": (
        "axm_mux_write.sv",
        "assign mine[k] = queued_valid ?",
        "assign mine[k] = !fresh ?",
        "random_transfers",
    ),
    "one clock lost": (
        "axm_mux_write.sv",
        ": fresh && grant[k];",
        ": 1'b0;",
        "throughput_and_fairness",
    ),
    "fill has strobes 0": (
        "axm_mux_write.sv",
        "{mine[i] && !isolated[i]}",
        "{mine[i]}",
        "master_without_data",
    ),
    "SLVERR": ("axm_mux_write.sv", "forced ? SLVERR", "1'b0 ? SLVERR", "master_without_data"),
    "stray B": (
        "axm_mux_write.sv",
        "known = !none[i]",
        "known = 1'b1",
        "stray_responses",
    ),
    "stray R": (
        "axm_mux_read.sv",
        "known = !none[i]",
        "known = 1'b1",
        "stray_responses",
    ),
    "timeout": (
        "axm_mux_timeout.sv",
        "expired = waiting &&",
        "expired = 1'b0 && waiting &&",
        "masters_that_take_no_response",
    ),
    "blames the slave": (
        "axm_mux_write.sv",
        "~isolated & ~s_wvalid",
        "~isolated & {N{!m_wready}}",
        "hanging_slave",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_found(name, tmp_path):
    file, old, new, testcase = MUTANTS[name]
    changed = fault.put(SOURCES, file.removesuffix(".sv"), old, new, tmp_path)
    with cocotb_run.fault_noticed():
        run({"N": 3, "DATA_W": 32}, changed, testcase)
