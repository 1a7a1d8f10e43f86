from pathlib import Path

from flow import cocotb_run, tools

SOURCES = tools.sources("axil")
BENCH = Path(__file__).parent / "tb_axil_demux.sv"


def test_demux():
    cocotb_run.run("tb_axil_demux", [*SOURCES, BENCH], "cocotb_demux")
