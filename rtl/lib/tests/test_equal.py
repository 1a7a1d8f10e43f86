import pytest
from flow import cocotb_run, tools

SOURCES = [tools.RTL / "lib/axm_equal.sv"]


@pytest.mark.parametrize("values", [{"WIDTH": 6, "GROUP": 2}, {"WIDTH": 7}, {"WIDTH": 1}])
def test_equal(values):
    cocotb_run.run("axm_equal", SOURCES, "cocotb_equal", values)


def test_bad_width_fails():
    assert "must_be" in tools.fault("axm_equal", SOURCES, {"WIDTH": 0})
