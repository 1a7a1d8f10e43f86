import pytest
from flow import cocotb_run, tools

SOURCES = tools.sources("tops/master")

CASES = [
    {"FULL": 0, "IMPROVED": 0, "DATA_W": 32},
    {"FULL": 0, "IMPROVED": 1, "DATA_W": 64, "ADDR_W": 40},
    {"FULL": 1, "IMPROVED": 0, "DATA_W": 128, "AXI3": 0},
    {"FULL": 1, "IMPROVED": 1, "DATA_W": 32, "OUTSTANDING": 4},
    {"FULL": 0, "IMPROVED": 0, "WAY_OUT": 3, "WAY_BACK": 2},
    {"FULL": 1, "IMPROVED": 1, "WAY_OUT": 1, "WAY_BACK": 4},
]


@pytest.mark.parametrize("values", CASES)
def test_master_top(values):
    env = {key: str(values[key]) for key in ("FULL", "IMPROVED")}
    env["WAY"] = str(values.get("WAY_OUT", 0) + values.get("WAY_BACK", 0))
    cocotb_run.run("axm_master_top", SOURCES, "cocotb_master_top", values, env=env)
