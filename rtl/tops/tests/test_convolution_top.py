import pytest
from flow import cocotb_run, tools

SOURCES = tools.sources("tops/convolution")


@pytest.mark.parametrize("values", [{"LANES": 1}, {"LANES": 2, "ADDR_W": 32, "ID_W": 6}])
def test_convolution_top(values):
    env = {"LANES": str(values["LANES"])}
    cocotb_run.run("axm_convolution_top", SOURCES, "cocotb_convolution_top", values, env=env)
