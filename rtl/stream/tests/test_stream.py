import pytest
from flow import cocotb_run, fault, tools

SOURCES = tools.sources("stream")


@pytest.mark.parametrize(("width", "depth", "forward"), [(32, 16, 2), (64, 64, 4), (256, 16, 9)])
def test_loopback(width, depth, forward):
    values = {"DATA_W": width, "DEPTH": depth, "FORWARD_CYCLES": forward}
    cocotb_run.run("axm_stream_loopback", SOURCES, "cocotb_loopback", values)


@pytest.mark.parametrize("width", [32, 128])
def test_source(width):
    cocotb_run.run("axm_stream_source", SOURCES, "cocotb_source", {"DATA_W": width})


@pytest.mark.parametrize("width", [32, 256])
def test_sink(width):
    cocotb_run.run("axm_stream_sink", SOURCES, "cocotb_sink", {"DATA_W": width})


def test_counter():
    values = {"CLOCK_HZ": 125_000_000}
    cocotb_run.run("axm_counter", SOURCES, "cocotb_counter", values)


MUTANTS = {  # each breaks one promise of the FIFO or the sink, and a test notices
    "a beat is available a clock early": (
        "axm_stream_loopback", "came[FORWARD_CYCLES-1]", "came[FORWARD_CYCLES-2]",
        "cocotb_loopback", "keeps_packets_and_counts",
    ),
    "a packet that leaves still counts": (
        "axm_stream_loopback", "pop && m_axis_tlast", "1'b0",
        "cocotb_loopback", "keeps_packets_and_counts",
    ),
    "the last byte is not compared": (
        "axm_stream_sink", "s_axis_tkeep[k] &&", "s_axis_tkeep[k] && k != KEEP_W - 1 &&",
        "cocotb_sink", "counts_and_checks",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", MUTANTS)
def test_mutant_is_noticed(what, tmp_path):
    top, good, bad, module, case = MUTANTS[what]
    changed = fault.put(SOURCES, top, good, bad, tmp_path)
    with cocotb_run.fault_noticed():
        cocotb_run.run(top, changed, module, {"DATA_W": 64}, testcase=case)
