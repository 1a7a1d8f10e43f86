"""Reading of a design's parts, on small designs written here."""

import dataclasses
import lzma
from fractions import Fraction

import pytest

import design_kit as kit
from axiometer.base.errors import AxiometerError
from axiometer.designs import changes, core_facts, handoff, load, ps_facts
from axiometer.designs.checks import known
from axiometer.designs.core_facts import Found, figure
from axiometer.designs.netlist import Interface, Module
from axiometer.designs.plan import planned

LITE = {"PROTOCOL": "AXI4LITE", "MAX_BURST_LENGTH": 1}


def dma(instance="dma", net="d", width=64, **more):
    facts = {"C_MM2S_BURST_SIZE": 32, "C_M_AXI_MM2S_DATA_WIDTH": width, "C_SG_LENGTH_WIDTH": 26}
    return kit.module(
        instance, kit.DMA, kit.reads("M_AXI_MM2S", net, width), parameters=facts | more
    )


def only(design):
    (master,) = design.masters
    return master


def test_bursts_are_split_and_packed_on_the_way(tmp_path):
    way = kit.interconnect("ic", [("d", 32)], "hp0")
    design = load(kit.saved(tmp_path, dma(width=32), way, kit.zynq(("S_AXI_HP0", "hp0"))))
    master = only(design)
    assert (master.width_bits, master.read.burst_beats, master.write) == (32, 32, None)
    (route,) = master.routes
    assert route.hops[0].effects == ("32 to 64 bits", "AXI4 to AXI3")
    assert master.burst_bytes("read", route) == 128  # 32 beats of 4 bytes are 16 of 8
    wide = load(kit.saved(tmp_path, dma(), way.replace("32", "64"), kit.zynq(("S_AXI_HP0", "hp0"))))
    assert only(wide).routes[0].hops[0].effects[-1] == "bursts of 256 bytes are split into 128"


def test_a_protocol_that_no_side_tells_is_the_one_before(tmp_path):
    lite = kit.module("cpu", "xilinx.com:ip:microblaze:11.0", kit.bus("M", "a", True, 32, **LITE))
    ways = (
        kit.interconnect("one", [("a", 32)], "b", 32),
        kit.interconnect("two", [("b", 32)], "g", 32),
    )
    design = load(kit.saved(tmp_path, lite, *ways, kit.zynq(("S_AXI_GP0", "g", 32))))
    assert [h.effects for h in only(design).routes[0].hops] == [(), ("AXI4LITE to AXI3",)]
    assert only(design).role == "processor"


def test_an_hls_master_says_its_bursts_itself(tmp_path):
    given = {"MAX_READ_BURST_LENGTH": 64, "MAX_WRITE_BURST_LENGTH": 8, "NUM_READ_OUTSTANDING": 32}
    port = kit.bus("m_axi_gmem", "x", True, 32, PROTOCOL="AXI4", MAX_BURST_LENGTH=256, **given)
    facts = {"C_M_AXI_GMEM_DATA_WIDTH": 128, "C_M_AXI_GMEM_CACHE_VALUE": '"0011"'}
    block = kit.module("scale", kit.HLS, port, parameters=facts)
    master = only(load(kit.saved(tmp_path, block, kit.usp(("S_AXI_HP1_FPD", "x")))))
    assert (master.width_bits, master.directions) == (128, ("read", "write"))
    assert (master.read.burst_beats, master.read.outstanding) == (64, 32)
    assert (master.write.burst_beats, master.write.outstanding) == (8, 16)
    assert any(
        "UG1399, Controlling AXI4 Burst Behavior: num_write_outstanding" in words
        for words in master.assumed
    )


@pytest.mark.parametrize(("bursts", "beats"), [({"MAX_BYTES_PER_BURST": 256}, 32), ({}, 16)])
def test_a_core_that_says_its_bursts_in_bytes(tmp_path, bursts, beats):
    facts = {"DMA_DATA_WIDTH_DEST": 64, "DMA_LENGTH_WIDTH": 24} | bursts
    port = kit.writes("m_dest_axi", "x", 64)
    block = kit.module("adc_dma", "analog.com:user:axi_dmac:1.0", port, parameters=facts)
    master = only(load(kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP1", "x")))))
    assert (master.write.burst_beats, master.length_bits) == (beats, 24)


def test_a_width_that_is_none_is_assumed(tmp_path):
    port = kit.bus("M", "x", True, "0.5", PROTOCOL="AXI4", DATA_WIDTH=0)
    block = kit.module("m", "analog.com:user:axi_dmac:1.0", port.replace('"M"', '"m_dest_axi"'))
    master = only(load(kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP1", "x")))))
    assert master.width_bits == 32
    assert "width: 32 bits (not in the design)" in master.assumed


def test_a_channel_that_goes_the_other_way_is_no_master(tmp_path):
    block = kit.module("odd", kit.DMA, kit.writes("M_AXI_MM2S", "d"))
    design = load(kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP0", "d"))))
    assert design.masters == ()
    assert design.undriven.startswith("HP0 is used, and nothing in this file drives it")


def test_a_port_brought_out_of_the_block_design(tmp_path):
    port = kit.bus("S_AXI_mem", "External_Interface_S_AXI_mem", False, 64, PROTOCOL="AXI3",
                   MAX_BURST_LENGTH=16, NUM_READ_OUTSTANDING=4,
                   CLK_DOMAIN="bd_ps_0_FCLK_CLK0")  # fmt: skip
    port = port.replace(f'VLNV="{kit.AXIMM}"', "")
    text = kit.hwh(
        kit.module("other", kit.DMA), kit.zynq(("S_AXI_HP1", "External_Interface_S_AXI_mem"))
    )
    text = text.replace("<MODULES>", f"<EXTERNALINTERFACES>{port}</EXTERNALINTERFACES><MODULES>")
    (tmp_path / "bd.hwh").write_text(text)
    master = only(load(tmp_path / "bd.hwh"))
    assert (master.name, master.ports, master.width_bits) == ("S_AXI_mem.S_AXI_mem", ("HP1",), 64)
    assert (master.clock, master.read.outstanding, master.write.burst_beats) == ("FCLK_CLK0", 4, 16)


def test_our_own_tops_have_the_parameters_that_are_read():
    text = "".join(
        path.read_text() for path in (kit.kit.ROOT / "rtl" / "tops").glob("axm_*_top.sv")
    )
    facts = core_facts.core("xilinx.com:module_ref:axm_dma_top").master("m_axi")
    for name in ("DATA_W", "MAX_OUTSTANDING", "OUTSTANDING"):
        assert f" {name} = " in text
        assert any(name in spec for spec in (facts["width_bits"], facts["read"]["outstanding"]))


def test_unknown_parameters_are_named_with_their_defaults(tmp_path):
    port = kit.bus("M", "x", True, 128, PROTOCOL="AXI4", MAX_BURST_LENGTH=256)
    block = kit.module("mine", "me.org:user:thing:1.0", port, ranges=[("M", "ps", "S_AXI_HP0_FPD")])
    master = only(load(kit.saved(tmp_path, block, kit.usp(("S_AXI_HP0_FPD", "x")))))
    assert (master.read.burst_beats, master.read.outstanding) == (16, None)
    assert "me.org:user:thing is unknown: bursts of 16 beats" in master.assumed
    assert "read, outstanding: unknown, the platform's default" in master.assumed
    assert master.routes[0].segments[0].high == 0x1FFFFFFF


def test_a_block_that_is_not_known_passes_if_it_has_no_addresses(tmp_path):
    sides = (
        kit.bus("S_CTRL", "c", False, 32, **LITE),
        kit.bus("S", "d", False, 64, PROTOCOL="AXI4"),
        kit.bus("M", "hp0", True, 64, PROTOCOL="AXI4"),
    )
    bridge = kit.module("bridge", "me.org:user:bridge:1.0", *sides)
    design = load(kit.saved(tmp_path, dma(), bridge, kit.zynq(("S_AXI_HP0", "hp0"))))
    (hop,) = only(design).routes[0].hops
    assert hop.instance == "bridge"
    assert "is unknown: assumed to pass everything on" in hop.effects
    owner = kit.module("bridge", "me.org:user:x:1.0", *sides, ranges=[("M", "ps", "S_AXI_HP0")])
    design = load(kit.saved(tmp_path, dma(), owner, kit.zynq(("S_AXI_HP0", "hp0"))))
    assert [m.name for m in design.masters] == ["bridge.M"]


def test_a_loop_of_bridges_ends(tmp_path):
    def bridge(name, into, out):
        sides = kit.bus("S", into, False, 64), kit.bus("M", out, True, 64)
        return kit.module(name, "me.org:user:bridge:1.0", *sides)

    loop = bridge("a", "d", "e"), bridge("b", "e", "d")
    design = load(kit.saved(tmp_path, dma(), *loop, kit.zynq(("S_AXI_HP0", "other"))))
    assert design.masters == ()
    assert design.notes == ()  # it was seen to go round, not given up


def test_what_is_joined_to_nothing_is_joined_to_nothing(tmp_path):
    loose = dma("loose", "__NOC__")
    design = load(kit.saved(tmp_path, dma(), loose, kit.zynq(("S_AXI_HP0", "__NOC__"))))
    assert design.masters == design.ports == ()


def test_the_shortest_burst_on_the_way_counts(tmp_path):
    old = kit.module(
        "old",
        "xilinx.com:ip:axi_protocol_converter:2.1",
        kit.bus("S_AXI", "d", False, 64, PROTOCOL="AXI3"),
        kit.bus("M_AXI", "h", True, 64, PROTOCOL="AXI4"),
    )
    design = load(kit.saved(tmp_path, dma(), old, kit.usp(("S_AXI_HP0_FPD", "h", 64))))
    master = only(design)
    assert master.burst_bytes("read", master.routes[0]) == 128  # 32 beats asked, AXI3 has 16


def test_an_interconnect_to_two_ports_gives_two_ways(tmp_path):
    sides = [kit.bus("S00_AXI", "d", False, 64)]
    sides += [kit.bus(f"M0{n}_AXI", f"hp{n}", True, 64) for n in (0, 2)]
    block = kit.module("ic", "xilinx.com:ip:smartconnect:1.0", *sides)
    ports = ("S_AXI_HP0", "hp0"), ("S_AXI_HP2", "hp2")
    assert only(load(kit.saved(tmp_path, dma(), block, kit.zynq(*ports)))).ports == ("HP0", "HP2")


def test_streams_join_two_channels_through_fifos_only(tmp_path):
    def engines(between):
        first = kit.module(
            "a",
            kit.DMA,
            kit.reads("M_AXI_MM2S", "r"),
            kit.bus("M_AXIS_MM2S", "s", True, None, kit.AXIS),
        )
        second = kit.module(
            "b",
            kit.DMA,
            kit.writes("M_AXI_S2MM", "w"),
            kit.bus("S_AXIS_S2MM", "t", False, None, kit.AXIS),
        )
        sides = (
            kit.bus("S_AXIS", "s", False, None, kit.AXIS),
            kit.bus("M_AXIS", "t", True, None, kit.AXIS),
        )
        ports = kit.zynq(("S_AXI_HP0", "r"), ("S_AXI_HP2", "w"))
        return load(kit.saved(tmp_path, first, second, kit.module("x", between, *sides), ports))

    fifo = engines("xilinx.com:ip:axis_data_fifo:2.0")
    assert [m.partner for m in fifo.masters] == ["b.M_AXI_S2MM", "a.M_AXI_MM2S"]
    assert [m.partner for m in engines(kit.HLS).masters] == [None, None]


def test_axcache_that_a_constant_drives(tmp_path):
    pins = [kit.tied("m_arcache", "const", "dout")]
    port = kit.bus("M", "x", True, 32, pins=[("ARCACHE", "m_arcache")], PROTOCOL="AXI4")
    block = kit.module(
        "mine", "me.org:user:m:1.0", port, pins=pins, ranges=[("M", "ps", "S_AXI_HP0")]
    )
    const = kit.module("const", "xilinx.com:ip:xlconstant:1.1", parameters={"CONST_VAL": 3})
    master = only(load(kit.saved(tmp_path, block, const, kit.zynq(("S_AXI_HP0", "x")))))
    assert (master.read.cache, master.write.cache) == (3, None)


INIT = """proc ps7_pll_init_data_3_0 {} {
    mask_write 0XF8000108 0x0007F000 0x00014000
    mask_write 0XF8000170 0x03F03F30 0x00200500
    mask_write 0XF8000180 0x03F03F30 0x00100700
    mask_write 0XF8008000 0x00000001 0x00000001
    mask_write 0XF8008014 0x00000001 0x00000001
}
proc ps7_pll_init_data_1_0 {} {
    mask_write 0XF8000108 0x0007F000 0x0003F000
}
proc ps7_init {} {
    ps7_pll_init_data_1_0
    ps7_pll_init_data_3_0
}
"""


def test_registers_count_more_than_parameters(tmp_path):
    ports = kit.zynq(("S_AXI_HP0", "d"), ("S_AXI_HP1", "e"))
    both = dma(), dma("other", "e")
    text = kit.hwh(*both, ports)
    path = kit.export(tmp_path / "x.xsa", {"bd.hwh": text, "sub/ps7_init.tcl": INIT})
    design = load(path)
    assert design.initialised == "ps7_init.tcl"
    # 33.33 MHz x 20 of the newest silicon, not x 63, nor x 30 of the parameters.
    assert [c.mhz for c in design.clocks] == [
        pytest.approx(float(Fraction(2000, 3) / 10)),
        pytest.approx(float(Fraction(2000, 3) / 7)),
    ]
    # HP1 has what its register has after reset.
    assert {p.name: p.set_bits for p in design.ports} == {"HP0": 32, "HP1": 64}
    alone = load(kit.saved(tmp_path, *both, ports))
    assert [c.mhz for c in alone.clocks] == [100, pytest.approx(1000 / 7)]
    assert {p.set_bits for p in alone.ports} == {None}


PLL = {
    "PSU__PSS_REF_CLK__FREQMHZ": "33.333333",
    "PSU__CRL_APB__RPLL_CTRL__FBDIV": "70",
    "PSU__CRL_APB__RPLL_CTRL__DIV2": "1",
    "PSU__CRL_APB__PL0_REF_CTRL__SRCSEL": "RPLL",
    "PSU__CRL_APB__PL0_REF_CTRL__DIVISOR0": "4",
    "PSU__CRL_APB__PL0_REF_CTRL__DIVISOR1": "2",
}
RPLL = """mask_write 0XFF5E0030 0x00717F00 0x0001{0:02X}00
mask_write 0XFF5E00C0 0x013F3F07 0x01020402
"""
FRACTION = "mask_write 0XFF5E0038 0x8000FFFF 0x80008000\n"  # one half


@pytest.mark.parametrize(
    ("parameters", "init", "factor"),
    [
        ({}, None, Fraction(70, 2)),
        ({"PSU__CRL_APB__RPLL_CTRL__DIV2": "0"}, None, Fraction(70)),
        (
            {
                "PSU__CRL_APB__RPLL_FRAC_CFG__ENABLED": "1",
                "PSU__CRL_APB__RPLL_CTRL__FRACDATA": "0.5",
            },
            None,
            Fraction(141, 4),
        ),
        ({}, RPLL.format(72), Fraction(72, 2)),
        ({}, RPLL.format(72).replace("0x0001", "0x0000"), Fraction(72)),
        ({}, RPLL.format(72) + FRACTION, Fraction(145, 4)),
    ],
)
def test_plls_of_ultrascale(tmp_path, parameters, init, factor):
    text = kit.hwh(dma(), kit.usp(("S_AXI_HP0_FPD", "d"), parameters=PLL | parameters))
    members = {"bd.hwh": text} | ({"psu_init.tcl": init} if init else {})
    clock = load(kit.export(tmp_path / "x.xsa", members)).clocks[0]
    assert clock.pll_mhz == pytest.approx(float(factor * 100 / 3))
    assert clock.mhz == pytest.approx(float(factor * 100 / 3 / 8), rel=1e-6)
    assert clock.source.startswith("registers, RPLL" if init else "parameters, RPLL")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ps7_init.c", "EMIT_MASKWRITE(0XF8008000, 0x00000001U ,0x00000001U),"),
        (
            "ps7_init_gpl.c",
            "EMIT_MASKWRITE(0XF8008000, 0x1U ,0x1U),\nEMIT_MASKPOLL(0XF8008000, 2U)",
        ),
        (
            "psu_init.c",
            "/*(OFFSET, MASK, VALUE)  (0XFD380000, 0x00000003U ,0x00000002U) */\n"
            "PSU_Mask_Write(AFIFM2_AFIFM_RDCTRL_OFFSET, 0x00000003U, 0x00000002U);",
        ),
        ("psu_init.tcl", "  psu_mask_write 0xFD380000 0x00000003 0x2"),
    ],
)
def test_initialisations_as_the_tools_write_them(tmp_path, name, text):
    system = kit.usp(("S_AXI_HP0_FPD", "d"))
    if name.startswith("ps7"):
        system = kit.zynq(("S_AXI_HP0", "d"))
    members = {"bd.hwh": kit.hwh(dma(), system), name: text}
    assert load(kit.export(tmp_path / "x.hdf", members)).ports[0].set_bits == 32


def test_a_damaged_initialisation_in_an_export_is_reported_with_its_line(tmp_path):
    text = INIT.replace("0x00014000", "0x0001400Z")
    members = {"bd.hwh": kit.hwh(dma(), kit.zynq(("S_AXI_HP0", "d"))), "ps7_init.tcl": text}
    with pytest.raises(AxiometerError, match="x.xsa/ps7_init.tcl:2: an argument is '0x0001400Z'"):
        load(kit.export(tmp_path / "x.xsa", members))


def test_a_reference_clock_that_no_board_has_is_not_used(tmp_path):
    odd = {"PCW_CRYSTAL_PERIPHERAL_FREQMHZ": "33333"}
    ports = kit.zynq(("S_AXI_HP0", "d"), parameters=odd)
    design = load(kit.export(tmp_path / "x.xsa", {"bd.hwh": kit.hwh(dma(), ports),
                                                  "ps7_init.tcl": INIT}))  # fmt: skip
    assert not design.clocks[0].source.startswith("registers")
    assert design.ports[0].set_bits == 32


def test_writes_of_the_initialisation_of_an_export(tmp_path):
    members = {"bd.hwh": kit.hwh(dma(), kit.zynq(("S_AXI_HP0", "d"))), "ps7_init.tcl": INIT}
    found = handoff.registers_of(kit.export(tmp_path / "x.xsa", members))
    assert (found.chip, found.name, len(found.writes)) == ("zynq-7000", "ps7_init.tcl", 5)
    assert handoff.registers_of(kit.saved(tmp_path, dma(), kit.zynq())).writes == ()


def test_an_initialisation_of_another_chip_is_not_taken(tmp_path):
    members = {"bd.hwh": kit.hwh(dma(), kit.zynq(("S_AXI_HP0", "d"))), "psu_init.tcl": INIT}
    assert load(kit.export(tmp_path / "x.hdf", members)).initialised == ""


def test_an_export_may_be_a_directory_or_packed(tmp_path):
    text = kit.hwh(dma(), kit.zynq(("S_AXI_HP0", "d")))
    folder = tmp_path / "hw"
    folder.mkdir()
    (folder / "bd.hwh").write_text(text)
    (folder / "ps7_init.tcl").write_text(INIT)
    assert load(folder).ports[0].set_bits == 32
    packed = tmp_path / "bd.hwh.xz"
    packed.write_bytes(lzma.compress(text.encode()))
    assert (
        load(packed).masters
        == load(kit.saved(tmp_path, dma(), kit.zynq(("S_AXI_HP0", "d")))).masters
    )


def test_handoffs_of_sub_blocks_are_passed_over(tmp_path):
    text = kit.hwh(dma(), kit.zynq(("S_AXI_HP0", "d")))
    members = {
        "bd.hwh": text,
        "bd_smartconnect_0_0.hwh": "<SYSTEM><MODULES><MODULE/></MODULES></SYSTEM>",
        "other.hwh": kit.hwh(kit.module("a", "xilinx.com:ip:axi_gpio:2.0")),
    }
    assert load(kit.export(tmp_path / "x.xsa", members)).name == "bd"


QSYS = """<?xml version="1.0"?><system name="x"><parameter name="device" value="5CSEBA6U23I7"/>
<module name="clk" kind="clock_source" version="20.1">
<parameter name="clockFrequency" value="50000000"/></module>
<module name="hps" kind="altera_hps" version="20.1"><parameter name="F2SDRAM_Width" value="128,64"/>
<parameter name="F2SDRAM_Type">AXI-3,Avalon-MM Bidirectional</parameter></module>
<module name="dma" kind="altera_msgdma" version="20.1"><parameter name="DATA_WIDTH" value="64"/>
<parameter name="MAX_BURST_COUNT" value="8"/></module>
<module name="two" kind="my_master" version="1.0"/>
<module name="br" kind="altera_avalon_mm_bridge" version="20.1"/>
<connection kind="avalon" start="dma.mm_read" end="br.s0"/>
<connection kind="avalon" start="two.m" end="br.s0"/>
<connection kind="avalon" start="br.m0" end="hps.f2h_sdram1_data"/>
<connection kind="avalon" start="hps.h2f_lw_axi_master" end="dma.csr">
<parameter name="baseAddress" value="0x100"/></connection>
<connection kind="clock" start="clk.clk" end="hps.f2h_sdram1_clock"/>
<connection kind="clock" start="clk.clk" end="dma.clock"/></system>"""


@pytest.mark.parametrize("writer", ["pixel_writer", "altera_msgdma"])
@pytest.mark.parametrize(
    ("parameters", "bits", "burst_bytes"),
    [
        ({"DATA_WIDTH": 256, "MAX_BURST_SIZE": 1}, 256, 32),
        ({"DATA_WIDTH": 64, "MAX_BURST_SIZE": 4}, 64, 32),
        ({"DATA_WIDTH": 64}, 64, 128),
        ({}, 32, 64),  # nothing is known of it: no limit, and the usual width
    ],
)
def test_a_bridge_of_platform_designer_has_a_width_and_splits_bursts(
    writer, parameters, bits, burst_bytes, tmp_path
):
    """Also in front of a component of unknown width, which gets the bridge's."""
    known = writer == "altera_msgdma"
    own = {"DATA_WIDTH": bits, "MAX_BURST_COUNT": 16} if known else {}
    shown = {
        name: "".join(f'<parameter name="{k}" value="{v}"/>' for k, v in of.items())
        for name, of in {"br": parameters, "w": own}.items()
    }
    path = tmp_path / "soc.qsys"
    path.write_text(f"""<?xml version="1.0"?><system name="x">
<parameter name="device" value="5CSEBA6U23I7"/>
<module name="clk" kind="clock_source"><parameter name="clockFrequency" value="100000000"/></module>
<module name="hps" kind="altera_hps"><parameter name="F2SDRAM_Width" value="256"/>
<parameter name="F2SDRAM_Type" value="Avalon-MM Bidirectional"/></module>
<module name="br" kind="altera_avalon_mm_bridge">{shown["br"]}</module>
<module name="w" kind="{writer}">{shown["w"]}</module>
<connection kind="avalon" start="w.mm_write" end="br.s0"/>
<connection kind="avalon" start="br.m0" end="hps.f2h_sdram0_data"/>
<connection kind="clock" start="clk.clk" end="hps.f2h_sdram0_clock"/>
<connection kind="clock" start="clk.clk" end="w.clock"/>
<connection kind="clock" start="clk.clk" end="br.clk"/></system>""")
    design = load(path)
    (master,) = design.masters
    assert master.width_bits == bits
    assert any("width" in of for of in master.assumed) is not known
    assert master.burst_bytes("write", master.routes[0]) == burst_bytes
    plan = planned(design)
    assert kit.outcome_of("de10-nano", plan, repeats=1, duration="100us").rate() > 0
    wider = planned(changes.changed(design, f"{master.name}.width_bits", 256))
    most = burst_bytes if "MAX_BURST_SIZE" in parameters else 4096
    assert all(load.burst_bytes <= most for load in wider.loads)


def test_masters_that_share_a_slave_of_platform_designer(tmp_path):
    path = tmp_path / "soc.qsys"
    path.write_text(QSYS)
    design = load(path)
    assert (design.name, design.part) == ("soc", "5CSEBA6U23I7")
    (port,) = design.ports
    assert (port.name, port.width_bits, port.protocol, port.clock) == (
        "f2h_sdram1", 64, "Avalon-MM", "clk.clk")  # fmt: skip
    assert [(m.name, m.ports) for m in design.masters] == [
        ("dma.mm_read", ("f2h_sdram1",)),
        ("two.m", ("f2h_sdram1",)),
    ]
    assert design.clock("clk.clk").mhz == 50
    (slave,) = design.slaves
    assert (slave.port, slave.segment.base) == ("LWH2F", 0xFF200100)


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ("C_A", Found(16)),
        ("c_a", Found(16)),
        ("C_LOW", Found(7)),
        (["C_NONE", "@MAX"], Found(256)),
        ("@NONE", Found(None)),
        ({"value": 4, "why": "so"}, Found(4, "so")),
        ([{"if": "C_ON", "value": 8}, 3], Found(8)),
        ([{"if": "C_OFF", "value": 8}, {"if": "C_NONE", "value": 8}, 3], Found(3)),
        (["C_TEXT", 3], Found(3)),
        ("C_{INTERFACE}_CACHE", Found(3)),
        (None, Found(None)),
        ("C_NEGATIVE", Found(None)),
        ("C_ZEROS", Found(11)),
    ],
)
def test_figures_of_cores(spec, found):
    given = {
        "C_A": "16",
        "C_TEXT": "many",
        "C_M_CACHE": "0b0011",
        "C_NEGATIVE": "-1",
        "C_ZEROS": "0011",
        "c_low": "7",
        "C_ON": "true",
        "C_OFF": "false",
    }
    block = Module("m", "m", "x", given)
    assert figure(spec, block, Interface("m", "bus", True, parameters={"MAX": "256"})) == found


def test_a_chip_without_part_numbers_of_its_own_does_not_take_the_other_chips(monkeypatch):
    all_of_them = [dataclasses.replace(s, parts=()) for s in ps_facts.all_systems()]
    monkeypatch.setattr(ps_facts, "all_systems", lambda: tuple(reversed(all_of_them)))
    found = ps_facts.of_core("xilinx.com:ip:processing_system7", "xc7z010clg400-1")
    assert found is not None and found.chip == "zynq-7000"


CHANNEL = {"burst_beats", "burst_bytes", "bursts", "buffer_beats", "outstanding", "cache"}


def test_the_facts_of_cores_and_chips_are_whole():
    for core in core_facts.all_cores():
        assert core.source, core.vlnv
        clocks = core.makes or core.follows
        assert core.masters or core.passes or core.streams or core.constant or clocks, core.vlnv
        for facts in core.masters.values():
            assert {"width_bits"} < set(facts)
            assert "read" in facts or "write" in facts
            others = {"width_bits", "role", "stream", "partner", "read", "write", "protocol"}
            others |= {"stream_bits", "stream_clock", "stream_if", "unknown", "warns"}
            assert set(facts.get("warns", {})) <= set(known._words())
            assert set(facts) <= others
            for direction in {"read", "write"} & set(facts):
                assert set(facts[direction]) <= CHANNEL
    for system in ps_facts.all_systems():
        names = [facts["name"] for facts in system.ports.values()]
        assert len(names) == len(set(names))
        assert all(f["kind"] in ("memory", "general", "coherent") for f in system.ports.values())
        assert all("why" in f for f in system.ports.values() if f["kind"] == "general")
