"""Block designs as Tcl: read like their hardware handoffs, and missing facts are reported."""

import time
from dataclasses import replace

import pytest

import design_kit
import tcl_kit as kit
from axiometer.base.errors import AxiometerError
from axiometer.designs import load
from axiometer.designs.changes import changed
from axiometer.designs.checks import check
from axiometer.designs.plan import planned
from axiometer.designs.platform import platform_of
from axiometer.present.design import count


def read(tmp_path, text, name="design_1.tcl"):
    return load(kit.saved(tmp_path, text, name))


def vieira():
    """What Vieira's ps2pl design is, in the words of write_bd_tcl."""
    clocked = ["ps/FCLK_CLK0"]
    body = kit.cell(
        "ps",
        kit.PS,
        PCW_CRYSTAL_PERIPHERAL_FREQMHZ="50.000000",
        PCW_IOPLL_CTRL_FBDIV=32,
        PCW_FCLK0_PERIPHERAL_CLKSRC="IO PLL",
        PCW_FCLK0_PERIPHERAL_DIVISOR0=4,
        PCW_FCLK0_PERIPHERAL_DIVISOR1=4,
        PCW_FPGA0_PERIPHERAL_FREQMHZ=100,
    )
    for n in range(4):
        body += kit.cell(f"axi_dma_{n}", kit.DMA, c_include_sg=0, c_m_axi_mm2s_data_width=64,
                         c_m_axis_mm2s_tdata_width=64, c_include_s2mm=0,
                         c_sg_length_width=26, c_mm2s_burst_size=16)  # fmt: skip
        way = "axi_mem_intercon" + (f"_{n}" if n else "")
        body += kit.cell(way, kit.IC, NUM_MI=1, NUM_SI=1)
        body += kit.joined(f"{way}/M00_AXI", f"ps/S_AXI_HP{n}")
        body += kit.joined(f"axi_dma_{n}/M_AXI_MM2S", f"{way}/S00_AXI")
        body += kit.addressed(
            f"axi_dma_{n}/Data_MM2S", f"ps/S_AXI_HP{n}/HP{n}_DDR_LOWOCM", 0, 1 << 29
        )
        body += kit.addressed(
            "ps/Data", f"axi_dma_{n}/S_AXI_LITE/Reg", 0x40400000 + (n << 16), 1 << 16
        )
        clocked += [f"{way}/ACLK", f"{way}/S00_ACLK", f"{way}/M00_ACLK", f"ps/S_AXI_HP{n}_ACLK"]
        clocked += [f"axi_dma_{n}/m_axi_mm2s_aclk", f"axi_dma_{n}/s_axi_lite_aclk"]
    return kit.generated(body + kit.wired(*clocked))


def test_a_published_design_is_the_same_from_its_handoff_and_as_tcl(tmp_path):
    ours = read(tmp_path, vieira())
    theirs = load(design_kit.reference("vieira-ps2pl-64bit.hdf"))

    def bare(master):
        return replace(master, assumed=())

    assert [bare(m) for m in ours.masters] == [bare(m) for m in theirs.masters]
    assert [replace(p, set_bits=None) for p in theirs.ports] == list(ours.ports)
    assert [(c.name, c.mhz, c.asked_mhz) for c in ours.clocks] == [
        (c.name, c.mhz, c.asked_mhz) for c in theirs.clocks
    ]
    given = {(s.port, s.instance, s.interface, s.segment) for s in theirs.slaves}
    assert {(s.port, s.instance, s.interface, s.segment) for s in ours.slaves} == given
    assert (ours.chip, ours.part, ours.board) == (theirs.chip, theirs.part, theirs.board)
    assert platform_of(ours).platform.name == "zybo"
    # Only the default width of ports is assumed: the script has everything else.
    assert [note for note in ours.notes if "default" not in note] == []


def test_it_is_the_handoff_that_counts_where_both_are_there(tmp_path):
    kit.saved(tmp_path, kit.simple())
    design_kit.saved(tmp_path, design_kit.zynq(), name="bd.hwh")
    assert load(tmp_path).masters == ()


def test_defaults_are_taken_and_said(tmp_path):
    design = read(tmp_path, kit.simple(ps={"PCW_FPGA0_PERIPHERAL_FREQMHZ": "120"}))
    (master,) = design.masters
    assert (master.width_bits, master.read.burst_beats, master.length_bits) == (32, 16, 14)
    assert "width: 32 bits (the core's default, not set in the Tcl)" in master.assumed
    assert any(words.startswith("read, beats of a burst: 16 (PG021") for words in master.assumed)
    assert "PCW_S_AXI_HP0_DATA_WIDTH is not set in the Tcl: 64, the core's default" in design.notes
    got = read(tmp_path, kit.simple({"c_m_axi_mm2s_data_width": 32, "c_mm2s_burst_size": 16}))
    assert not any(
        "default, not set in the Tcl" in w
        for w in got.masters[0].assumed
        if w[:6] not in ("length", "stream")
    )
    (finding,) = [f for f in check(design) if f.code == "short-length"]
    assert finding.level == "mistake"


def test_the_memory_s_side_of_a_dma_is_as_wide_as_its_stream(tmp_path):
    design = read(tmp_path, kit.simple({"c_m_axis_mm2s_tdata_width": 64}))
    assert design.masters[0].width_bits == 64
    given = {"c_m_axis_mm2s_tdata_width": 64, "c_m_axi_mm2s_data_width": 128}
    assert read(tmp_path, kit.simple(given)).masters[0].width_bits == 128
    assert read(tmp_path, kit.simple({"c_m_axis_mm2s_tdata_width": 8})).masters[0].width_bits == 32


def test_a_script_that_wants_an_open_project_has_one(tmp_path):
    text = 'if { [get_projects -quiet] eq "" } { return 1 }\n' + kit.simple()
    assert [m.name for m in read(tmp_path, text).masters] == ["dma.M_AXI_MM2S"]


def test_settings_of_a_preset_are_not_taken_from_the_core(tmp_path):
    body = kit.simple(ps={"preset": "ZedBoard"}).replace(
        "CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ", "X.Y"
    )
    design = read(tmp_path, body.replace("BOARD_PART digilentinc.com:zybo:part0:2.0", "X y"))
    assert design.board == "ZedBoard"
    assert platform_of(design).platform.name == "zedboard"
    assert design.clock("FCLK_CLK0") is None
    assert any(
        "PCW_FPGA0_PERIPHERAL_FREQMHZ comes from the board's preset" in n for n in design.notes
    )


HIERARCHY = """
proc create_hier_cell_mover { parentCell nameHier } {
  if { $parentCell eq "" || $nameHier eq "" } { return }
  set parentObj [get_bd_cells $parentCell]
  set oldCurInst [current_bd_instance .]
  current_bd_instance $parentObj
  set hier_obj [create_bd_cell -type hier $nameHier]
  current_bd_instance $hier_obj
  create_bd_intf_pin -mode Master -vlnv xilinx.com:interface:aximm_rtl:1.0 M_AXI
  create_bd_pin -dir I -type clk clk
  set cdma [ create_bd_cell -type ip -vlnv xilinx.com:ip:axi_cdma:4.1 cdma ]
  set_property -dict [ list CONFIG.C_M_AXI_DATA_WIDTH {64} CONFIG.C_INCLUDE_SG {0} ] $cdma
  connect_bd_intf_net -intf_net Conn1 [get_bd_intf_pins M_AXI] [get_bd_intf_pins cdma/M_AXI]
  connect_bd_net -net clk_1 [get_bd_pins clk] [get_bd_pins cdma/m_axi_aclk]
  current_bd_instance $oldCurInst
}
"""


def test_hierarchies_lead_through(tmp_path):
    body = "  create_hier_cell_mover [current_bd_instance .] mover\n"
    body += kit.cell("ps", kit.PS, PCW_FPGA1_PERIPHERAL_FREQMHZ=125)
    body += kit.joined("mover/M_AXI", "ps/S_AXI_HP2")
    body += kit.wired("ps/FCLK_CLK1", "mover/clk", "ps/S_AXI_HP2_ACLK")
    head, _, rest = kit.generated(body).partition("proc create_root_design")
    design = read(tmp_path, f"{head}{HIERARCHY}proc create_root_design{rest}")
    (master,) = design.masters
    assert (master.name, master.ports, master.directions) == (
        "mover/cdma.M_AXI", ("HP2",), ("read", "write"),
    )  # fmt: skip
    assert design.clock(master.clock).mhz == 125
    assert design.clock(design.port("HP2").clock).mhz == 125


def test_the_block_that_converts_is_named(tmp_path):
    """A slice behind an interconnect is as wide as the port; a width converter converts, the
    protocol converter behind it does not."""
    text = kit.simple().replace("[get_bd_intf_pins ps/S_AXI_HP0]", "[get_bd_intf_pins slice/S_AXI]")
    extra = kit.cell("slice", "xilinx.com:ip:axi_register_slice:2.1")
    text = text.replace("  set ps [", f"{extra}  set ps [")
    last = "  current_bd_instance $oldCurInst"
    text = text.replace(last, kit.joined("slice/M_AXI", "ps/S_AXI_HP0") + last)
    (route,) = read(tmp_path, text).masters[0].routes
    assert [(h.instance, h.width_bits) for h in route.hops] == [("ic", 64), ("slice", 64)]
    assert route.hops[0].effects[0] == "32 to 64 bits"
    body = kit.cell("ps", kit.PS) + kit.cell("acc", "xilinx.com:hls:acc:1.0")
    body += kit.cell("w", "xilinx.com:ip:axi_dwidth_converter:2.1")
    body += kit.cell("p", "xilinx.com:ip:axi_protocol_converter:2.1")
    body += kit.joined("acc/m_axi_gmem", "w/S_AXI") + kit.joined("w/M_AXI", "p/S_AXI")
    body += kit.joined("p/M_AXI", "ps/S_AXI_HP0")
    (route,) = read(tmp_path, kit.generated(body)).masters[0].routes
    assert [h.effects for h in route.hops] == [("32 to 64 bits",), ("AXI4 to AXI3",)]


def test_streams_pair_a_dma(tmp_path):
    extra = kit.cell("fifo", "xilinx.com:ip:axis_data_fifo:2.0")
    extra += kit.joined("dma/M_AXI_S2MM", "ps/S_AXI_HP1")
    extra += kit.joined("dma/M_AXIS_MM2S", "fifo/S_AXIS") + kit.joined(
        "fifo/M_AXIS", "dma/S_AXIS_S2MM"
    )
    masters = {m.interface: m for m in read(tmp_path, kit.simple(extra=extra)).masters}
    assert masters["M_AXI_MM2S"].partner == "dma.M_AXI_S2MM"
    assert masters["M_AXI_S2MM"].partner == "dma.M_AXI_MM2S"


BY_HAND = """
create_project -in_memory -part xczu3eg-sbva484-1-i
create_bd_design soc
set clocked {}
set ps [create_bd_cell -type ip -vlnv xilinx.com:ip:zynq_ultra_ps_e:* ps]
set mhz [expr {$argc > 0 ? 300 : 150}]
set_property -dict [list CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ $mhz \\
    CONFIG.PSU__SAXIGP4__DATA_WIDTH 64] [get_bd_cells ps]
proc engine {n {bits 128}} {
    global clocked
    set name [format "acc%d" $n]
    create_bd_cell -type module -reference accelerator $name
    set_property CONFIG.DATA_WIDTH $bits [get_bd_intf_pins $name/m_axi]
    lappend clocked $name/aclk
    return $name
}
foreach {n port bits} {0 S_AXI_HP0_FPD 128 1 S_AXI_HP2_FPD 64} {
    set name [engine $n $bits]
    connect_bd_intf_net [get_bd_intf_pins $name/m_axi] [get_bd_intf_pins ps/$port]
    lappend clocked ps/[string map {S_AXI_ saxi _FPD _fpd_aclk HP hp} $port]
}
for {set i 0} {$i < [llength $clocked]} {incr i} {
    connect_bd_net [get_bd_pins ps/pl_clk0] [get_bd_pins [lindex $clocked $i]]
}
if {[catch {exec rm -rf /} message]} { puts $message }
open /etc/passwd
assign_bd_address
"""


def test_scripts_that_people_write_by_hand(tmp_path):
    design = read(tmp_path, BY_HAND)
    assert [(m.name, m.ports, m.width_bits) for m in design.masters] == [
        ("acc0.m_axi", ("HP0",), 128),
        ("acc1.m_axi", ("HP2",), 64),
    ]
    assert {design.clock(m.clock).mhz for m in design.masters} == {150}
    assert design.port("HP2").width_bits == 64
    assert any("the command 'exec' is not supported" in note for note in design.notes)
    assert any("line 26: the command 'open' is not supported" in note for note in design.notes)


def test_a_width_that_only_the_core_knows_is_assumed_and_said(tmp_path):
    text = BY_HAND.replace("set_property CONFIG.DATA_WIDTH $bits", "puts $bits;#")
    (first, _) = read(tmp_path, text).masters
    assert first.width_bits == 32
    assert "width: 32 bits (not in the Tcl, only in the core itself)" in first.assumed


def test_control_does_not_lead_through_a_block(tmp_path):
    """A block with a control slave and a master is a master, and no bridge for the processor."""
    extra = kit.cell("acc", "me.org:user:acc:1.0") + kit.joined("ps/M_AXI_GP0", "acc/s_axi_ctrl")
    extra += kit.joined("acc/m_axi", "ps/S_AXI_HP1") + kit.wired("ps/FCLK_CLK0", "acc/clk")
    names = [m.name for m in read(tmp_path, kit.simple(extra=extra)).masters]
    assert names == ["dma.M_AXI_MM2S", "acc.m_axi"]


def test_a_constant_that_drives_axcache(tmp_path):
    extra = kit.cell("c", "xilinx.com:ip:xlconstant:1.1", CONST_VAL=0, CONST_WIDTH=4)
    extra += kit.wired("c/dout", "ps/S_AXI_ACP_arcache")
    text = kit.simple(extra=extra, port="S_AXI_ACP", ps={"PCW_USE_DEFAULT_ACP_USER_VAL": 1})
    text = text.replace(
        "[get_bd_intf_pins dma/M_AXI_MM2S] [get_bd_intf_pins ic/S00_AXI]",
        "[get_bd_intf_pins dma/M_AXI_MM2S] [get_bd_intf_pins ps/S_AXI_ACP]",
    )
    text = text.replace("[get_bd_intf_pins ic/M00_AXI] [get_bd_intf_pins ps/S_AXI_ACP]",
                        "[get_bd_intf_pins ic/M00_AXI]")  # fmt: skip
    design = read(tmp_path, text)
    assert design.masters[0].read.cache == 0
    assert "not-coherent" in {f.code for f in check(design)}


def test_a_clock_of_a_wizard_and_of_a_port(tmp_path):
    wizard = kit.cell("wiz", "xilinx.com:ip:clk_wiz:6.0", CLKOUT2_REQUESTED_OUT_FREQ="187.5")
    text = kit.simple().replace("ps/FCLK_CLK0", "wiz/clk_out2")
    text = text.replace("  set ps [", f"{wizard}  set ps [")
    design = read(tmp_path, text)
    assert design.clock(design.masters[0].clock).mhz == 187.5
    port = "  create_bd_port -dir I -type clk -freq_hz 125000000 sys\n"
    text = kit.simple().replace("[get_bd_pins ps/FCLK_CLK0]", "[get_bd_ports sys]")
    design = read(tmp_path, text.replace("  set ps [", f"{port}  set ps ["))
    assert design.clock(design.masters[0].clock).mhz == 125


CLOCKS = {
    "a net of unknown rate beside the only known clock": ("rtl/adc_clk", "", None),
    "a port without a rate": ("adc", "  create_bd_port -dir I -type clk adc\n", None),
    "a buffer of a port": (
        "buf/IBUF_OUT",
        "  create_bd_port -dir I -type clk -freq_hz 125000000 adc\n"
        + kit.cell("buf", "xilinx.com:ip:util_ds_buf:2.1")
        + "  connect_bd_net [get_bd_ports adc] [get_bd_pins buf/IBUF_DS_P]\n",
        125,
    ),
    "a rate at the pin of a module": (
        "rtl/adc_clk",
        "  set_property CONFIG.FREQ_HZ 122880000 [get_bd_pins rtl/adc_clk]\n",
        122.88,
    ),
    "dividers as built": (
        "wiz/clk_out1",
        kit.cell("wiz", "xilinx.com:ip:clk_wiz:6.0", CLKOUT1_REQUESTED_OUT_FREQ=142,
                 PRIM_IN_FREQ=125, MMCM_CLKFBOUT_MULT_F=8, MMCM_CLKOUT0_DIVIDE_F=7),
        round(1000 / 7, 3),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CLOCKS)
def test_a_clock_is_that_of_its_net_or_unknown(tmp_path, case):
    maker, extra, mhz = CLOCKS[case]
    extra = kit.cell("rtl", "me.org:user:adc:1.0") + extra
    getter = "[get_bd_pins ps/FCLK_CLK0]"
    text = kit.simple().replace(getter, f"[get_bd_{'pins' if '/' in maker else 'ports'} {maker}]")
    text = text.replace("  set ps [", f"{extra}  set ps [")
    control = kit.wired("ps/FCLK_CLK0", "dma/s_axi_lite_aclk")
    design = read(
        tmp_path,
        text.replace("  current_bd_instance $oldCur", f"{control}  current_bd_instance $oldCur"),
    )
    (master,) = design.masters
    name = maker.replace("/", "_")
    assert (master.clock, design.ports[0].clock) == (name, name) or mhz == 125
    found = design.clock(master.clock)
    assert (found and round(found.mhz, 3)) == mhz
    if mhz is None:
        (reason,) = planned(design).left_out
        assert f"--set {name}.mhz=" in reason
        assert planned(changed(design, f"{name}.mhz", 125)).loads[0].pl_mhz == 125


def test_a_pin_made_external_is_driven_by_rtl(tmp_path):
    body = kit.cell("ps", kit.PS, PCW_FPGA0_PERIPHERAL_FREQMHZ=100, PCW_S_AXI_HP2_DATA_WIDTH=32)
    body += "  make_bd_intf_pins_external [get_bd_intf_pins ps/S_AXI_HP2]\n"
    design = read(tmp_path, kit.generated(body + kit.wired("ps/FCLK_CLK0", "ps/S_AXI_HP2_ACLK")))
    (master,) = design.masters
    assert (master.name, master.width_bits) == ("S_AXI_HP2_0.S_AXI_HP2_0", 32)
    assert design.clock(master.clock).mhz == 100


def test_ports_that_nothing_drives_are_a_question(tmp_path):
    design = read(tmp_path, kit.generated(kit.cell("ps", kit.PS, PCW_USE_S_AXI_HP0=1)))
    (finding,) = check(design)
    assert (finding.level, finding.where) == ("question", "HP0")
    assert count([finding]) == "1 question"


WELL_KNOWN = """
cell xilinx.com:ip:clk_wiz pll_0 { CLKOUT1_REQUESTED_OUT_FREQ 125.0 } { clk_in1_p adc_clk_p_i }
cell xilinx.com:ip:processing_system7 ps_0 {
  PCW_USE_S_AXI_HP0 1
} {
  S_AXI_HP0_ACLK pll_0/clk_out1
}
module ram_0 {
  cell me:user:axis_ram_writer writer_0 { AXIS_TDATA_WIDTH 64 } { aclk pll_0/clk_out1 }
} {
  writer_0/M_AXI ps_0/S_AXI_HP0
}
"""


def test_procedures_of_well_known_projects(tmp_path):
    text = WELL_KNOWN.replace("{ aclk pll_0", "{ aclk /pll_0")
    design = read(tmp_path, text)
    (master,) = design.masters
    assert (master.name, master.ports) == ("ram_0/writer_0.M_AXI", ("HP0",))
    assert design.clock(master.clock).mhz == design.clock(design.port("HP0").clock).mhz == 125
    own = text + "proc cell args { error changed }\n" + text.replace("ps_0", "ps_1")
    assert len(read(tmp_path, own).masters) == 1


ADI = """
source $ad_hdl_dir/projects/common/board_bd.tcl
proc ad_connect {a b} { error "asks the tool" }
ad_ip_instance axi_dmac adc_dma
ad_ip_parameter adc_dma CONFIG.DMA_DATA_WIDTH_DEST 64
ad_connect sys_cpu_clk adc_dma/s_axi_aclk
ad_cpu_interconnect 0x7c400000 adc_dma
ad_mem_hp1_interconnect sys_dma_clk sys_ps7/S_AXI_HP1
ad_mem_hp1_interconnect sys_dma_clk adc_dma/m_dest_axi
"""
ADI_BOARD = """
ad_ip_instance processing_system7 sys_ps7
ad_ip_parameter sys_ps7 CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ 100.0
ad_ip_parameter sys_ps7 CONFIG.PCW_FPGA1_PERIPHERAL_FREQMHZ 200.0
ad_connect sys_cpu_clk sys_ps7/FCLK_CLK0
ad_connect sys_dma_clk sys_ps7/FCLK_CLK1
"""


def test_procedures_of_analog_devices(tmp_path):
    for folder in ("projects/common", "projects/radio/zed"):
        (tmp_path / folder).mkdir(parents=True)
    kit.saved(tmp_path / "projects/common", ADI_BOARD, "board_bd.tcl")
    design = load(kit.saved(tmp_path / "projects/radio/zed", ADI, "system_bd.tcl"))
    (master,) = design.masters
    assert (master.name, master.ports, master.width_bits, master.directions) == (
        "adc_dma.m_dest_axi", ("HP1",), 64, ("write",),
    )  # fmt: skip
    assert design.clock(master.clock).mhz == design.clock(design.port("HP1").clock).mhz == 200


AUTOMATION = """
apply_bd_automation -rule xilinx.com:bd_rule:axi4 -config { Clk_master {Auto} \\
  Master {/dma/M_AXI_S2MM} Slave {/ps/S_AXI_HP1} } [get_bd_intf_pins ps/S_AXI_HP1]
"""


def test_automation_connects_the_ends_of_its_config(tmp_path):
    design = read(tmp_path, kit.simple(extra=AUTOMATION))
    first, second = design.masters
    assert (second.name, second.ports) == ("dma.M_AXI_S2MM", ("HP1",))
    assert [hop.core for hop in second.routes[0].hops] == ["xilinx.com:ip:axi_interconnect"]
    assert {design.clock(p.clock).mhz for p in design.ports} == {100}
    assert any("S_AXI_HP1: the block between is assumed" in note for note in design.notes)
    # The object is the other end; a port that has an interconnect gets an input of it.
    other = kit.cell("acc", "me.org:hls:acc:1.0") + kit.wired("ps/FCLK_CLK1", "acc/ap_clk")
    other += (
        "apply_bd_automation -rule xilinx.com:bd_rule:axi4 -config {Slave /ps/S_AXI_HP0 Clk Auto} "
        "[get_bd_intf_pins acc/m_axi_gmem]\n"
    )
    design = read(tmp_path, kit.simple(extra=other, ps={"PCW_FPGA1_PERIPHERAL_FREQMHZ": 150}))
    acc = next(m for m in design.masters if m.instance == "acc")
    assert [hop.instance for hop in acc.routes[0].hops] == ["ic"]
    assert design.clock(acc.clock).mhz == 150


def test_a_design_in_several_files_is_read_from_their_directory(tmp_path):
    procs = "proc block {vlnv name} { return [create_bd_cell -type ip -vlnv $vlnv $name] }\n"
    body = (
        "create_bd_design d\nsource lib/procs.tcl\nblock "
        + kit.PS
        + " ps\nblock "
        + kit.DMA
        + " dma\n"
    )
    body += kit.joined("dma/M_AXI_MM2S", "ps/S_AXI_HP0")
    kit.saved(tmp_path, procs, "procs.tcl")
    kit.saved(tmp_path, body, "main.tcl")
    assert [m.name for m in load(tmp_path).masters] == ["dma.M_AXI_MM2S"]
    # One file finds what it sources, and a folder of many scripts has its block design.
    assert len(load(tmp_path / "main.tcl").masters) == 1
    inner = tmp_path / "projects" / "one"
    inner.mkdir(parents=True)
    for number in range(60):
        kit.saved(inner, "puts hello\n", f"s{number}.tcl")
    kit.saved(inner, body.replace("source lib/", "source $::env(ROOT)/") + "# create_bd_cell\n")
    assert len(load(inner).masters) == 1


MISSING = {
    "no cell": ("puts hello", "no Tcl or .bd of a block design", "create_bd_cell"),
    "no processor": (
        "create_bd_cell -type ip -vlnv xilinx.com:ip:axi_dma:7.1 d",
        "none of its 1 cells is a processor system",
        "processor system",
    ),
    "two of them": (
        f"create_bd_cell -type ip -vlnv {kit.PS} a\ncreate_bd_cell -type ip -vlnv {kit.PS} b",
        "has 2 processor systems",
        "one",
    ),
    "a cell of nothing": (
        "create_bd_cell -vlnv name",
        "line 1: create_bd_cell without the -vlnv of a core",
        "creates the processor system",
    ),
    "nothing that can be followed": (
        "my_own_command create_bd_cell",
        "line 1: the command 'my_own_command' is not supported",
        "directory with all scripts",
    ),
    "an open brace": ("create_bd_cell {", "{ is not closed", ""),
}


@pytest.mark.parametrize("name", MISSING)
def test_missing_parts_are_refused_with_a_remedy(tmp_path, name):
    text, message, remedy = MISSING[name]
    with pytest.raises(AxiometerError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)
    assert remedy in (caught.value.remedy or "")


CELLS = "for {set i 0} {$i < 4000} {incr i} { create_bd_cell -type ip -vlnv a:b:c:1 c$i }\n"
LARGE = {
    "cells": (CELLS.replace("4000", "9000"), "more than 5000 cells"),
    "cells in all": (CELLS + "while 1 { get_bd_cells }", "words are evaluated"),
    "ends": (
        "create_bd_cell -type ip -vlnv a:b:c:1 c\nset l [split [string repeat c/a, 20000] ,]\n"
        "for {set i 0} {$i < 999} {incr i} { connect_bd_net c/b$i $l }",
        "words are evaluated",
    ),
    "interfaces": (
        kit.generated(kit.cell("ps", kit.PS) + "  for {set i 0} {$i < 1100} {incr i} { "
        "connect_bd_intf_net [get_bd_intf_pins ps/S_AXI_HP0] [get_bd_intf_pins x$i/M_AXI] }\n"
        + kit.cell("c", "a:b:c:1") + "  for {set i 0} {$i < 1100} {incr i} { "
        "connect_bd_intf_net [get_bd_intf_pins c/M_AXI$i] [get_bd_intf_pins c/S_AXI$i] }\n"),
        "more than 1000 interfaces",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_a_large_design_is_refused_in_bounded_time(tmp_path, name):
    text, message = LARGE[name]
    start = time.process_time()
    with pytest.raises(AxiometerError, match=message):
        read(tmp_path, text + "\n# create_bd_cell")
    assert time.process_time() - start < 20


def test_registers_are_no_design(tmp_path):
    with pytest.raises(AxiometerError) as caught:
        read(tmp_path, "mask_write 0XF8000170 0x03F03F30 0x00200500", "ps7_init.tcl")
    assert "import board" in caught.value.remedy
