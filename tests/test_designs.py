"""Published designs, read without a hint. What they hold was checked by hand: which master is
behind which port against the connections of the address pins (not of the bus names that are
followed), figures against each block's own parameters. The files are not distributed."""

import time

import pytest

import design_kit as kit
from axiometer.designs import load

# Master, port, bits, beats of its bursts, bytes of a burst at the port, clock in MHz. "r" reads,
# "w" writes; descriptors and processors have their own tables below.
OVERLAYS = {
    "pynq-z1-base.hwh.xz": [
        ("trace_analyzer_arduino/axi_dma_0.M_AXI_S2MM w", "HP2", 64, 64, 128, 100),
        ("trace_analyzer_pmoda/axi_dma_0.M_AXI_S2MM w", "HP2", 32, 64, 128, 100),
        ("video/axi_vdma.M_AXI_MM2S r", "HP0", 32, 32, 128, 1000 / 7),
        ("video/axi_vdma.M_AXI_S2MM w", "HP0", 64, 32, 128, 1000 / 7),
    ],
    "pynq-z2-base.hwh.xz": [
        ("trace_analyzer_pi/axi_dma_0.M_AXI_S2MM w", "HP2", 64, 64, 128, 100),
        ("trace_analyzer_pmodb/axi_dma_0.M_AXI_S2MM w", "HP2", 32, 64, 128, 100),
        ("video/axi_vdma.M_AXI_MM2S r", "HP0", 32, 32, 128, 1000 / 7),
        ("video/axi_vdma.M_AXI_S2MM w", "HP0", 64, 32, 128, 1000 / 7),
    ],
    "pynq-zcu104-base.hwh.xz": [
        ("video/axi_vdma.M_AXI_MM2S r", "HP0", 128, 256, 4096, 299.997),
        ("video/axi_vdma.M_AXI_S2MM w", "HP2", 128, 256, 4096, 299.997),
    ],
    "pynqcv-pynq-z1-xv2filter2dremap.hwh.xz": [
        ("dm_0.M_AXI_MM2S r", "HP2", 64, 64, 128, 100),
        ("dm_1.M_AXI_MM2S r", "HP3", 64, 64, 128, 100),
        ("dm_2.M_AXI_MM2S r", "HP2", 64, 64, 128, 100),
        ("dm_3.M_AXI_MM2S r", "HP1", 64, 64, 128, 100),
        ("dm_4.M_AXI_S2MM w", "HP3", 64, 64, 128, 100),
        ("dm_5.M_AXI_S2MM w", "HP1", 64, 64, 128, 100),
        ("video/axi_vdma.M_AXI_MM2S r", "HP0", 32, 32, 128, 1000 / 7),
        ("video/axi_vdma.M_AXI_S2MM w", "HP0", 64, 32, 128, 1000 / 7),
    ],
    "pynqcv-ultra96-xv2filter2ddilate.hwh.xz": [
        ("dm_0.M_AXI_MM2S r", "HP2", 64, 64, 512, 299.997),
        ("dm_1.M_AXI_MM2S r", "HP0", 64, 64, 512, 299.997),
        ("dm_2.M_AXI_S2MM w", "HP3", 64, 64, 512, 299.997),
        ("dm_3.M_AXI_S2MM w", "HP1", 64, 64, 512, 299.997),
    ],
    "pynqcv-zcu104-xv2remapstereobm.hwh.xz": [
        ("dm_0.M_AXI_MM2S r", "HP2", 64, 64, 512, 149.9985),
        ("dm_0.M_AXI_S2MM w", "HP2", 64, 64, 512, 149.9985),
        ("dm_1.M_AXI_MM2S r", "LPD", 64, 64, 512, 149.9985),
        ("dm_2.M_AXI_MM2S r", "HP3", 64, 64, 512, 149.9985),
        ("dm_3.M_AXI_MM2S r", "HP1", 64, 64, 512, 149.9985),
        ("dm_4.M_AXI_MM2S r", "HP0", 64, 64, 512, 149.9985),
        ("dm_4.M_AXI_S2MM w", "HP0", 64, 64, 512, 149.9985),
    ],
}
OTHERS = {
    "pynq-z1-base.hwh.xz": {f"iop_{n}/mb": "SGP0" for n in ("arduino", "pmoda", "pmodb")},
    "pynq-z2-base.hwh.xz": {f"iop_{n}/mb": "SGP0" for n in ("arduino", "pmoda", "pmodb", "rpi")},
    "pynq-zcu104-base.hwh.xz": {"iop_pmod0/mb": "LPD", "iop_pmod1/mb": "LPD"},
    "pynqcv-zcu104-xv2remapstereobm.hwh.xz": dict(
        zip([f"dm_{n}" for n in range(5)], ("HP2", "LPD", "HP3", "HP1", "HP0"), strict=True)
    ),
}
BOARDS = {  # chip, part, PS masters in use, slaves behind them
    "pynq-z1-base.hwh.xz": ("zynq-7000", "xc7z020clg400-1", {"GP0", "GP1"}, 23),
    "pynq-z2-base.hwh.xz": ("zynq-7000", "xc7z020clg400-1", {"GP0", "GP1"}, 24),
    "pynq-zcu104-base.hwh.xz": ("zynq-ultrascale-plus", "xczu7ev-ffvc1156-2", {"HPM0_LPD"}, 19),
    "pynqcv-pynq-z1-xv2filter2dremap.hwh.xz": (
        "zynq-7000", "xc7z020clg400-1", {"GP0", "GP1"}, 20),
    "pynqcv-ultra96-xv2filter2ddilate.hwh.xz": (
        "zynq-ultrascale-plus", "xczu3eg-sbva484-1", {"HPM0"}, 7),
    "pynqcv-zcu104-xv2remapstereobm.hwh.xz": (
        "zynq-ultrascale-plus", "xczu7ev-ffvc1156-2", {"HPM0"}, 7),
}  # fmt: skip


@pytest.mark.parametrize("name", OVERLAYS)
def test_overlays_have_the_masters_that_are_in_them(name):
    design = load(kit.reference(name))
    found = [
        (
            f"{m.name} {direction[0]}",
            m.routes[0].port,
            m.width_bits,
            getattr(m, direction).burst_beats,
            m.burst_bytes(direction, m.routes[0]),
            pytest.approx(design.clock(m.clock).mhz, rel=1e-9),
        )
        for m in design.masters
        if m.role == "data"
        for direction in m.directions
    ]
    assert found == OVERLAYS[name]
    others = {m.name.rpartition(".")[0]: m.ports[0] for m in design.masters if m.role != "data"}
    assert others == OTHERS.get(name, {})
    chip, part, masters, slaves = BOARDS[name]
    assert (design.chip, design.part) == (chip, part)
    assert {s.port for s in design.slaves} == masters
    assert len(design.slaves) == slaves
    assert all(p.width_bits == {"zynq-7000": 64}.get(chip, 128) for p in design.ports
               if p.kind == "memory")  # fmt: skip


def test_blocks_on_the_path():
    design = load(kit.reference("pynq-zcu104-base.hwh.xz"))
    hops = {m.name: [h.instance for h in m.routes[0].hops] for m in design.masters}
    assert hops["video/axi_vdma.M_AXI_MM2S"] == ["axi_mem_intercon", "shutdown_HP0_FPD"]
    assert hops["iop_pmod1/mb.M_AXI_DP"] == [
        "iop_pmod1/microblaze_0_axi_periph", "axi_interconnect_0", "axi_register_slice_0",
        "shutdown_LPD",
    ]  # fmt: skip
    z1 = load(kit.reference("pynq-z1-base.hwh.xz"))
    narrow = next(m for m in z1.masters if m.name == "trace_analyzer_pmoda/axi_dma_0.M_AXI_S2MM")
    assert narrow.routes[0].hops[0].effects == (
        "32 to 64 bits", "AXI4 to AXI3", "bursts of 256 bytes are split into 128",
    )  # fmt: skip
    assert (narrow.length_bits, narrow.routes[0].segments[0].high) == (23, 0x1FFFFFFF)
    vdma = next(m for m in z1.masters if m.instance == "video_axi_vdma")
    assert vdma.frames == 4


def test_clocks_of_registers_and_parameters():
    fast = load(kit.reference("vieira-max-performance.hdf")).clocks[0]
    assert (fast.mhz, fast.asked_mhz, fast.pll_mhz) == (150, 150, 1200)
    assert fast.source.startswith("registers, IO PLL")
    z1 = {c.name: c for c in load(kit.reference("pynq-z1-base.hwh.xz")).clocks}
    assert z1["FCLK_CLK1"].asked_mhz == 142
    assert z1["FCLK_CLK1"].mhz == pytest.approx(1000 / 7, rel=1e-12)
    ultra96 = load(kit.reference("ultra96-memory-test.hdf")).clocks[0]
    assert (ultra96.name, ultra96.mhz, ultra96.asked_mhz) == ("pl_clk0", 100, None)


@pytest.mark.parametrize("bits", [32, 64])
def test_the_pairs_of_the_published_zybo_systems(bits):
    design = load(kit.reference(f"vieira-duplex-{bits}bit.hdf"))
    assert [p.name for p in design.ports] == ["HP0", "HP1", "HP2", "HP3"]
    assert {(p.width_bits, p.set_bits) for p in design.ports} == {(bits, bits)}
    for n in range(4):
        first, second = design.behind(f"HP{n}")
        assert (first.name, second.name) == (
            f"axi_dma_{2 * n}.M_AXI_MM2S",
            f"axi_dma_{2 * n + 1}.M_AXI_S2MM",
        )
        assert (first.partner, second.partner) == (second.name, first.name)


def test_a_system_of_platform_designer():
    design = load(kit.reference("vieira-intel-duplex-256bit.qsys.xz"))
    assert (design.chip, design.part) == ("cyclone-v", "5CSEMA5F31C6")
    ways = {m.name: (m.ports, m.width_bits, m.partner) for m in design.masters}
    assert ways == {
        "msgdma_0.mm_read": (("f2h_sdram1",), 256, "msgdma_0.mm_write"),
        "msgdma_0.mm_write": (("f2h_sdram0",), 256, "msgdma_0.mm_read"),
    }
    assert {(p.width_bits, p.clock, p.platform_port) for p in design.ports} == {
        (256, "pll_0.outclk0", "F2S")
    }
    assert design.clock("pll_0.outclk0").mhz == 100
    one = load(kit.reference("vieira-intel-f2h-128bit.qsys.xz"))
    assert [(m.name, m.directions, m.partner) for m in one.masters] == [
        ("msgdma_0.mm_write", ("write",), None)
    ]


def test_a_large_handoff_is_read_in_two_seconds():
    path = kit.reference("pynq-z2-base.hwh.xz")  # 4.1 MB
    started = time.process_time()
    load(path)
    assert time.process_time() - started < 2
