import pytest
from flow import cocotb_run, tools
from regs.generated import vendor

SOURCES = tools.sources("tops/vendor")
ENGINE = {"ENGINE": int(vendor.Engine.AXI_CDMA_SG), "LENGTH_BITS": 23, "DATA_W": 128, "ADDR_W": 40,
          "UNALIGNED": 0, "ENGINE_BASE": "32'hA0010000", "ENGINE_STEP": "32'h20000"}  # fmt: skip
CASES = [{"PORTS": 2, "COHERENT": 0, **ENGINE}, {"PORTS": 3, "COHERENT": 1, "USER_W": 5, **ENGINE}]


def play(values, sources=SOURCES, testcase=None):
    env = {key: str(values[key]) for key in ("PORTS", "COHERENT")}
    cocotb_run.run(
        "axm_vendor_top", sources, "cocotb_vendor_top", values, testcase=testcase, env=env
    )


@pytest.mark.parametrize("values", CASES)
def test_vendor_top(values):
    play(values)
