import pytest
from flow import cocotb_run, fault, tools
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


def test_a_fault_is_noticed(tmp_path):
    """A signal that is crossed on its way: no lint sees it."""
    sources = fault.put(SOURCES, "axm_vendor_top", "{m_axi_awprot, m_axi_awqos, m_axi_awvalid}",
                        "{m_axi_awqos, m_axi_awprot, m_axi_awvalid}", tmp_path)  # fmt: skip
    with cocotb_run.fault_noticed():
        play(CASES[0], sources, "all_passes_in_the_same_clock")
