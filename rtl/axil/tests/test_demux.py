from pathlib import Path

from flow import cocotb_run, tools

SOURCES = tools.sources("axil")
BENCH = Path(__file__).parent / "tb_axil_demux.sv"


def test_demux():
    cocotb_run.run("tb_axil_demux", [*SOURCES, BENCH], "cocotb_demux")


def test_mutant_wrong_window_is_noticed(tmp_path):
    """A demultiplexer that answers with another block's data fails the test."""
    mutant = tmp_path / "axm_axil_demux.sv"
    text = SOURCES[0].read_text()
    broken = text.replace("m_axil_rdata[32*place+:32]", "m_axil_rdata[31:0]")
    assert broken != text
    mutant.write_text(broken)
    with cocotb_run.fault_noticed():
        cocotb_run.run(
            "tb_axil_demux", [mutant, BENCH], "cocotb_demux", {"TIMEOUT": 65},
            testcase="each_window_is_its_block",
        )  # fmt: skip
