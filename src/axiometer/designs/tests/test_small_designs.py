"""The small designs of the reference data: each is read with the facts that its file has."""

import pytest

import design_kit
from axiometer.base.errors import AxiometerError
from axiometer.designs import load
from axiometer.designs.checks import check
from axiometer.designs.masters import of
from axiometer.designs.model import Design
from axiometer.designs.plan import planned, stream_mbs
from axiometer.designs.platform import shipped_board
from axiometer.platform import Platform


def masters(design: Design) -> dict:
    """Port, directions, bits and MHz (None: unknown) of each master."""
    return {
        m.name: (*m.ports, "+".join(m.directions), m.width_bits, mhz(design, m.clock))
        for m in design.masters
    }


def mhz(design: Design, name: str | None) -> float | None:
    found = design.clock(name)
    return None if found is None else round(found.mhz, 3)


def port_mhz(design: Design) -> dict:
    return {p.name: mhz(design, p.clock) for p in design.ports}


def roles(design: Design) -> dict:
    return {m.name: m.role for m in design.masters}


def bursts(design: Design) -> dict:
    """Beats and outstanding bursts of each master's channels."""
    return {
        f"{m.name} {way}": (of.burst_beats, of.outstanding)
        for m in design.masters
        for way, of in m.channels.items()
    }


def mistakes(design: Design) -> list:
    return [(f.code, f.where) for f in check(design) if f.level == "mistake"]


def hops(design: Design) -> dict:
    """Bits, longest burst in bytes and most reads of the blocks on the way of each master."""
    ways = {m.name: m.routes[0].hops for m in design.masters}
    return {name: [(h.width_bits, h.burst_bytes, h.reads) for h in of] for name, of in ways.items()}


def streams(design: Design) -> dict:
    """Bits in memory and of the stream, and the MB/s of the stream."""
    return {m.name: (m.width_bits, m.stream_bits, stream_mbs(design, m)) for m in design.masters}


BOTH = ("read", "write")
# File, what is read from its design, and what that must be.
ROWS = [
    ("r10_axi_vip.tcl", roles, {"vip.M_AXI": "debug"}),
    ("r11_frame_buffer_write.tcl", masters, {"fb.m_axi_mm_video": ("HP0", "write", 128, 300)}),
    ("r11_frame_buffer_write.tcl", bursts, {"fb.m_axi_mm_video write": (16, 4)}),
    ("r19_hpc_default_cache.tcl", mistakes, [("not-coherent", "cdma.M_AXI")]),
    ("r2_named_clock_output.tcl", port_mhz, {"HP0": 200}),
    ("r2c_control_usual_name.tcl", port_mhz, {"HP0": 200}),
    ("r9_external_port.tcl", masters, {"S_AXI_mem.S_AXI_mem": ("HP0", "read+write", 64, 125)}),
    ("r9_external_port.tcl", bursts, {f"S_AXI_mem.S_AXI_mem {way}": (16, 8) for way in BOTH}),
    (
        "r9b_external_port_interconnect.tcl",
        masters,
        {"S_AXI_mem.S_AXI_mem": ("HP0", "read+write", 64, 125)},
    ),
    ("r15_automation.tcl", masters, {"dma.M_AXI_MM2S": ("HP0", "read", 32, 100)}),
    ("r15_automation.tcl", port_mhz, {"HP0": 100}),
    ("r20_override_basic_clock.tcl", port_mhz, {"HP0": 142.857}),
    ("r1_bridge_width0.qsys", masters, {"pixels.m": ("f2h_sdram0", "read+write", 256, 100)}),
    ("r1_bridge_width0.qsys", hops, {"pixels.m": [(256, 32, None)]}),
    ("r4_f2h_clock_two_clocks.qsys", port_mhz, {"F2H": 100}),
    (
        "r6_ghrd_jtag_masters.qsys",
        roles,
        {"f2sdram_only_master.master": "debug", "hps_only_master.master": "debug"},
    ),
    ("r7a_dma_direct.qsys", masters, {"dma.mm_write": ("f2h_sdram0", "write", 64, 100)}),
    ("r7b_dma_bridge_burst1.qsys", masters, {"dma.mm_read": ("f2h_sdram0", "read", 64, 100)}),
    ("r7b_dma_bridge_burst1.qsys", hops, {"dma.mm_read": [(64, 8, 4)]}),
    ("r16_hps_lite.qsys", masters, {"dma.mm_write": ("f2h_sdram0", "write", 64, 100)}),
    ("r17_nested_qsys", masters, {"dma.mm_write": ("f2h_sdram0", "write", 64, 100)}),
    ("r17_nested_qsys/soc_system.qsys", port_mhz, {"f2h_sdram0": 100}),
    ("r12_query_guard.tcl", masters, {"dma.M_AXI_S2MM": ("HP0", "write", 32, 100)}),
    ("r2_named_clock_output.tcl", streams, {"dma.M_AXI_S2MM": (64, 64, 1600)}),
    ("r2c_control_usual_name.tcl", streams, {"dma.M_AXI_S2MM": (64, 64, 1600)}),
    ("r3_stream_narrower.tcl", streams, {"dma.M_AXI_S2MM": (64, 32, 400)}),
    ("r3b_advice_widen_memory_side.tcl", streams, {"dma.M_AXI_S2MM": (32, 32, 400)}),
    ("r5_333mhz.tcl", masters, {"dma.M_AXI_S2MM": ("HP0", "write", 128, 333.33)}),
    ("r8_kria_board.tcl", shipped_board, "k26"),
]


@pytest.mark.parametrize(("file", "read", "right"), ROWS, ids=[row[0] for row in ROWS])
def test_facts_of_a_small_design(file, read, right):
    assert read(load(design_kit.reference(f"small/{file}"))) == right


def test_what_moves_nothing_has_no_rate_and_the_answer_says_so():
    design = load(design_kit.reference("small/r10_axi_vip.tcl"))
    with pytest.raises(AxiometerError) as error:
        of(Platform.load("zcu104"), planned(design))
    assert "vip.M_AXI is debug, AXI VIP, for simulation: moves nothing" in str(error.value)
