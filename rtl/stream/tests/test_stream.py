import pytest
from flow import cocotb_run, tools

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
