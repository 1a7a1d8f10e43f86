"""Cores that people use: directions, widths and bursts by their parameters."""

import pytest

import design_kit as kit
from axiometer.designs import load

# A core, its interface, its parameters; bits, beats (read, write) and role of the master.
XILINX = [
    ("ip:v_frmbuf_rd", "m_axi_mm_video", {"AXIMM_DATA_WIDTH": 64, "AXIMM_BURST_LENGTH": 8},
     (64, 8, None, "data")),
    ("ip:v_mix", "m_axi_mm_video3", {"AXIMM_DATA_WIDTH": 128, "AXIMM_BURST_LENGTH": 32},
     (128, 32, None, "data")),
    ("ip:v_multi_scaler", "m_axi_mm_video", {"AXIMM_DATA_WIDTH": 256, "AXIMM_BURST_LENGTH": 16},
     (256, 16, 16, "data")),
    ("ip:vcu", "M_AXI_ENC0", {}, (128, 16, 16, "data")),
    ("ip:vcu", "M_AXI_MCU", {}, (32, 16, 16, "processor")),
    ("ip:audio_formatter", "m_axi_s2mm", {}, (64, None, 16, "data")),
    ("ip:dpu_eu", "DPU0_M_AXI_DATA0", {}, (128, 16, 16, "data")),
    ("ip:dpu_eu", "DPU0_M_AXI_INSTR", {}, (32, 16, None, "descriptors")),
    ("RTLKernel:DPUCZDX8G", "M_AXI_GP0", {}, (32, 16, None, "descriptors")),
    ("RTLKernel:sum", "m_axi_gmem", {"C_M_AXI_GMEM_DATA_WIDTH": 512}, (512, 16, 16, "data")),
    ("ip:axi_traffic_gen", "M_AXI_LITE_CH1", {}, (32, 1, 1, "processor")),
    ("module_ref:axi_dma_wr", "m_axi", {"AXI_DATA_WIDTH": 128, "AXI_MAX_BURST_LEN": 64},
     (128, None, 64, "data")),
    ("user:litex_soc", "m_axi", {}, (64, 1, 1, "data")),
]  # fmt: skip
INTEL = [
    ("altera_avalon_dma", "read_master", {"allowQuadWordTransactions": "false",
     "allowDoubleWordTransactions": "true", "burstEnable": "true", "maxBurstSize": 32},
     (64, 32, None, "data")),
    ("altera_avalon_dma", "write_master", {"allowWordTransactions": "true",
     "burstEnable": "false", "maxBurstSize": 128}, (32, None, 1, "data")),
    ("altera_avalon_sgdma", "m_write", {"readBlockDataWidth": 32, "enableBurstTransfers": "true"},
     (32, None, 8, "data")),
    ("altera_avalon_sgdma", "descriptor_read", {}, (32, 1, None, "descriptors")),
    ("alt_vip_vfr", "avalon_master", {"MEM_PORT_WIDTH": 128, "RMASTER_BURST_TARGET": 32},
     (128, 32, None, "data")),
    ("alt_vip_cl_vfb", "mem_master_wr", {"MEM_PORT_WIDTH": 64, "WRITE_BURST_TARGET": 16},
     (64, None, 16, "data")),
    ("alt_vip_cl_vfb", "mem_master_rd", {"MEM_PORT_WIDTH": 64, "READ_BURST_TARGET": 16},
     (64, 16, None, "data")),
]  # fmt: skip
QSYS = """<system name="s"><module name="hps" kind="altera_hps" version="20.1"/>
<module name="m" kind="{kind}">{parameters}</module>
<connection kind="avalon" start="m.{interface}" end="hps.f2h_sdram0_data"/></system>"""


def found(path):
    (master,) = load(path).masters
    beats = [channel and channel.burst_beats for channel in (master.read, master.write)]
    return master.width_bits, *beats, master.role


@pytest.mark.parametrize(("core", "interface", "given", "right"), XILINX)
def test_a_core_of_vivado(tmp_path, core, interface, given, right):
    wide = None if right[0] in (32, 128) else right[0]  # else the core's own figure
    port = kit.bus(interface, "d", True, wide, MAX_BURST_LENGTH=16, PROTOCOL="AXI4")
    block = kit.module("m", f"xilinx.com:{core}:1.0", port, parameters=given)
    assert found(kit.saved(tmp_path, block, kit.usp(("S_AXI_HP0_FPD", "d")))) == right


def test_a_verification_core_on_the_way_passes_everything(tmp_path):
    sides = kit.bus("S_AXI", "d", False, 64), kit.bus("M_AXI", "h", True, 64)
    vip = kit.module("vip", "xilinx.com:ip:axi_vip:1.1", *sides, parameters={"DATA_WIDTH": 64})
    dma = kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "d"))
    (master,) = load(kit.saved(tmp_path, dma, vip, kit.zynq(("S_AXI_HP0", "h")))).masters
    assert (master.name, [hop.instance for hop in master.routes[0].hops]) == (
        "dma.M_AXI_MM2S",
        ["vip"],
    )


@pytest.mark.parametrize(("kind", "interface", "given", "right"), INTEL)
def test_a_core_of_platform_designer(tmp_path, kind, interface, given, right):
    words = "".join(f'<parameter name="{k}" value="{v}"/>' for k, v in given.items())
    path = tmp_path / "s.qsys"
    path.write_text(QSYS.format(kind=kind, interface=interface, parameters=words))
    assert found(path) == right
