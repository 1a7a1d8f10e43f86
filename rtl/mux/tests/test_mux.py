import pytest
from flow import cocotb_run, tools

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
