import pytest
from flow import cocotb_run, fault, mlab, tools

SOURCES = [tools.RTL / "lib/axm_small_ram.sv", tools.RTL / "lib/axm_fifo.sv"]


@pytest.mark.parametrize("depth", [2, 16])
def test_fifo(depth):
    cocotb_run.run("axm_fifo", SOURCES, "cocotb_fifo", {"DEPTH": depth})


def test_fifo_in_mlabs(tmp_path):
    cocotb_run.run("axm_fifo", mlab.sources(SOURCES, tmp_path), "cocotb_fifo")


def test_mutant_without_the_bypass_is_noticed(tmp_path):
    sources = mlab.sources(SOURCES, tmp_path)
    changed = fault.put(sources, "axm_small_ram", "HOLDS = BYPASS", "HOLDS = 0", tmp_path)
    with cocotb_run.fault_noticed():
        cocotb_run.run("axm_fifo", changed, "cocotb_fifo")
