import pytest
from flow import cocotb_run, tools

ROOM = tools.RTL / "convolution"
SOURCES = tools.sources("convolution")
SMALL = {"LANES": 2, "BEATS": 64, "OUTSTANDING": 16}


def run(values, sources=SOURCES, testcase=None):
    cocotb_run.run("axm_convolution", sources, "cocotb_convolution", values, testcase=testcase)


@pytest.mark.parametrize(
    "values",
    [
        {"LANES": 4},
        {**SMALL, "ADDR_W": 32, "ID_W": 6},
        {"LANES": 1, "BEATS": 128, "OUTSTANDING": 16, "ADDR_W": 64, "USER_W": 2},
    ],
)
def test_convolution(values):
    run(values)
