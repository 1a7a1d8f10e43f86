import pytest
from flow import cocotb_run, mlab, tools

SOURCES = [tools.RTL / "lib/axm_small_ram.sv", tools.RTL / "lib/axm_fifo.sv"]


@pytest.mark.parametrize("depth", [2, 16])
def test_fifo(depth):
    cocotb_run.run("axm_fifo", SOURCES, "cocotb_fifo", {"DEPTH": depth})


def test_fifo_in_mlabs(tmp_path):
    cocotb_run.run("axm_fifo", mlab.sources(SOURCES, tmp_path), "cocotb_fifo")
