import pytest
from flow import cocotb_run, tools

SOURCES = [tools.RTL / "lib/axm_skid.sv"]
HOLD = [tools.RTL / "lib/axm_hold.sv"]


@pytest.mark.parametrize("values", [{"PASS": 0}, {"PASS": 1}])
def test_skid(values):
    cocotb_run.run("axm_skid", SOURCES, "cocotb_skid", values)


def test_hold():
    cocotb_run.run("axm_hold", HOLD, "cocotb_skid")


def test_bad_width_fails():
    assert "must_be" in tools.fault("axm_skid", SOURCES, {"WIDTH": 0})
