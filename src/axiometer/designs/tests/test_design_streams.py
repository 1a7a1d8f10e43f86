"""Streams of engines, and figures that a file leaves open: limits, and what rests on them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import axiometer as axm
import design_kit as kit
from axiometer.advice import of_design
from axiometer.designs import changes, load, possible
from axiometer.designs.checks import check
from axiometer.designs.masters import of
from axiometer.designs.plan import planned
from axiometer.platform import Platform

VDMA = "xilinx.com:ip:axi_vdma:6.3"
MOVER = "xilinx.com:ip:axi_datamover:5.1"
DMAC = "analog.com:user:axi_dmac:1.0"
# Core, its read or write interface, parameters, and the MB/s that its stream carries at 100 MHz
# (a beat a clock: PG020, PG021, PG022, Analog Devices' wiki).
STREAMS = {
    "AXI DMA": (kit.DMA, kit.writes("M_AXI_S2MM", "d"), {"C_S_AXIS_S2MM_TDATA_WIDTH": 32}, 400),
    "pixels": (VDMA, kit.reads("M_AXI_MM2S", "d"), {"C_M_AXIS_MM2S_TDATA_WIDTH": 24}, 300),
    "mover": (MOVER, kit.reads("M_AXI_MM2S", "d"), {"C_M_AXIS_MM2S_TDATA_WIDTH": 16}, 200),
    "dmac": (DMAC, kit.writes("m_dest_axi", "d"), {"DMA_DATA_WIDTH_SRC": 32}, 400),
}


def design(tmp_path, core, bus, parameters):
    block = kit.module("d", core, bus, parameters=parameters)
    return load(kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP0", "d"))))


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_carries_a_beat_a_clock(tmp_path, name):
    *made, most = STREAMS[name]
    (load_,) = planned(design(tmp_path, *made)).loads
    assert load_.rate_mbs == most
    (row,) = of(Platform.load("zybo"), planned(design(tmp_path, *made))).rows.values()
    assert row["rate_mbs"] == most


def test_a_stream_at_its_own_clock(tmp_path):
    core, bus, parameters, _ = STREAMS["pixels"]
    pixels = '<PORT DIR="I" NAME="m_axis_mm2s_aclk" SIGIS="clk" SIGNAME="ps_FCLK_CLK1"/>'
    block = kit.module("d", core, bus, parameters=parameters, pins=[pixels])
    (found,) = planned(load(kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP0", "d"))))).loads
    assert found.rate_mbs == pytest.approx(3 * 1000 / 7)


@pytest.mark.parametrize("name", ["dma.stream_bits", "master.dma.M_AXI_S2MM.stream_bits"])
def test_a_stream_is_set_by_name(tmp_path, name):
    core, bus, parameters, _ = STREAMS["AXI DMA"]
    block = kit.module("dma", core, bus, parameters=parameters)
    path = kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP0", "d")))
    found = axm.Design.load(path, platform="zybo", set={name: 16}).read
    assert [of.rate_mbs for of in planned(found).loads] == [200]


def test_only_what_limits_is_widened(tmp_path):
    """The memory side of a DMA with a stream of its width gains nothing alone."""
    parts = {"C_M_AXI_S2MM_DATA_WIDTH": 32, "C_S_AXIS_S2MM_TDATA_WIDTH": 32}
    found = design(tmp_path, kit.DMA, kit.writes("M_AXI_S2MM", "d", 32), parts)
    assert "narrow-master" not in [f.code for f in check(found)]
    (wider,) = [
        c for c in of_design.start(found, Platform.load("zybo")).changes() if "widen d" in c.words
    ]
    assert wider.keys == {"d.M_AXI_S2MM.width_bits": 64, "d.M_AXI_S2MM.stream_bits": 64}
    assert all(name in wider.how for name in parts)
    now, alone = planned(found), planned(changes.changed(found, "d.width_bits", 64))
    assert alone.loads[0].link_mbs == now.loads[0].link_mbs == 400
    both = changes.changed(changes.changed(found, "d.width_bits", 64), "d.stream_bits", 64)
    assert planned(both).loads[0].link_mbs == 800


def test_the_limit_is_the_stream_and_nothing_is_promised(tmp_path):
    found = design(tmp_path, *STREAMS["AXI DMA"][:3])
    path = tmp_path / "d.toml"
    from axiometer.designs import design_file

    path.write_text(design_file.dumps(found))
    said = axm.Design.load(path, platform="zybo").expect().to_dict()
    assert said["total_MBps"]["mean"] == pytest.approx(400, rel=0.01)
    assert "stream of d (32 bits at 100 MHz carry 400 MB/s)" in said["headline"]
    assert "%, Most" not in said["headline"]
    assert "demand" not in said["headline"]


# What the file of a master leaves open, and what it must be at the least and most.
OPEN = {
    "width_bits": ((32, 64), {}),
    "burst_beats": ((1, 16), {"width": 64}),
}


@pytest.mark.parametrize("figure", OPEN)
def test_a_figure_that_is_open_is_a_range(tmp_path, figure):
    (least, most), given = OPEN[figure]
    mine = kit.bus("m_axi", "d", True, given.get("width"), PROTOCOL="AXI4")
    block = kit.module("mine", "me.org:user:mine:1.0", mine)
    path = kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP0", "d")))
    found = load(path)
    (master,) = found.masters
    assert figure in master.unknown
    ends = possible.ends(replace(found, masters=(replace(master, unknown=(figure,)),)))
    values = [getattr(m, figure, None) or m.read.burst_beats for d in ends for m in d.masters]
    assert values == [least, most]
    low, high = (
        axm.Design(end, axm.Design.load(path, platform="zybo").placed).expect().total
        for end in possible.ends(found)
    )
    answer = axm.Design.load(path, platform="zybo").expect()
    assert answer.band[0] <= low < high <= answer.band[1]
    assert f"{figure} of mine.m_axi" in answer.text
    assert "Best change" not in answer.text
    with pytest.raises(axm.AxiometerError) as error:
        axm.advise(axm.Design.load(path, platform="zybo"))
    assert f"--set mine.m_axi.{master.unknown[0]}=" in error.value.remedy


def test_check_and_expect_say_one_total(tmp_path):
    dma = kit.module("d", kit.DMA, kit.reads("M_AXI_MM2S", "d"), parameters={"C_INCLUDE_SG": 0})
    other = kit.module("e", kit.DMA, kit.reads("M_AXI_MM2S", "e"))
    joined = kit.interconnect("ic", [("d", 64), ("e", 64)], "h")
    path = kit.saved(tmp_path, dma, other, joined, kit.zynq(("S_AXI_HP0", "h")))
    total = axm.Design.load(path, platform="zybo").expect().total
    costs = [of.now_MBps for of in axm.check(path, platform="zybo").costs if of.now_MBps]
    assert costs
    assert costs == pytest.approx([total] * len(costs), rel=1e-9)
