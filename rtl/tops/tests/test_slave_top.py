import pytest
from flow import cocotb_run, tools

SOURCES = tools.sources("tops/slave")

CASES = [
    {"FULL": 1},
    {"FULL": 1, "EXTRA_READ": 2, "EXTRA_WRITE": 3, "AXI3": 0, "BYTES": 4096},
    {"FULL": 0},
    {"FULL": 0, "EXTRA_READ": 7, "EXTRA_WRITE": 5, "ADDR_W": 40},
]


@pytest.mark.parametrize("values", CASES)
def test_slave_top(values):
    env = {key: str(values.get(key, 0)) for key in ("FULL", "EXTRA_READ", "EXTRA_WRITE")}
    cocotb_run.run("axm_slave_top", SOURCES, "cocotb_slave_top", values, env=env)
