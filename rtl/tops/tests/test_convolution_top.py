import pytest
from flow import cocotb_run, tools

SOURCES = tools.sources("tops/convolution")


@pytest.mark.parametrize("values", [{"LANES": 1}, {"LANES": 2, "ADDR_W": 32, "ID_W": 6}])
def test_convolution_top(values):
    env = {"LANES": str(values["LANES"])}
    cocotb_run.run("axm_convolution_top", SOURCES, "cocotb_convolution_top", values, env=env)


@pytest.mark.parametrize("values", [{}, {"PORTS": 4}, {"PORTS": 2, "LANES": 8, "ADDR_W": 32}])
def test_lint(values):
    assert tools.lint("axm_convolution_top", SOURCES, values) == ""


@pytest.mark.parametrize("values", [{"PORTS": 5}, {"DATA_W": 64}, {"AXI3": 1}, {"LANES": 9}])
def test_bad_parameters_fail(values):
    assert "must_be" in tools.fault("axm_convolution_top", SOURCES, values)
