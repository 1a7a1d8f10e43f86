import pytest
from flow import cocotb_run, tools

SOURCES = [tools.RTL / "lib/axm_fifo.sv"]


@pytest.mark.parametrize("depth", [2, 16])
def test_fifo(depth):
    cocotb_run.run("axm_fifo", SOURCES, "cocotb_fifo", {"DEPTH": depth})


def test_lint():
    assert tools.lint("axm_fifo", SOURCES) == ""
