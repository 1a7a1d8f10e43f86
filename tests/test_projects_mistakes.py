"""The proof of projects finds planted mistakes, and nothing in correct projects."""

import re
from pathlib import Path

import pytest

from project_kit import needs_tclsh, spoilt, written
from validate.projects import vivado as proof

pytestmark = needs_tclsh

ZYBO = ("zybo", "dma", "HP0+HP2")
ZCU102 = ("zcu102", "dma", "HP0+HP3")
RAM = ("zybo", "slave", "")
TRAFFIC = ("zybo", "traffic", "HP0+HP3")
VENDOR = ("zybo", "vendor-sg", "HP0+HP2")
BD, BUILD, CORE = "system.tcl", "build.tcl", "ip/*/component.xml"
CONVERTED = (("protocol", "AXI4"),)
RESIZED = (("width", 128),)

MISTAKES = {
    # clocks and resets
    "clock of another rate": (
        ZYBO, (), BD, ("MHZ {100.000000}", "MHZ {50.000000}"), "clock is 50000000 Hz"),
    "clock that is not connected": (
        ZYBO, (), BD, (" [get_bd_pins axm/aclk]", ""), "/axm/aclk is not connected"),
    "clock of the port that is not connected": (
        ZYBO, (), BD, (" [get_bd_pins ps/S_AXI_HP2_ACLK]", ""), "S_AXI_HP2_ACLK is not connected"),
    "port at another clock": (
        ZYBO, (), BD,
        [("CONFIG.PCW_EN_RST0_PORT", "CONFIG.PCW_EN_CLK1_PORT {1} CONFIG.PCW_EN_RST0_PORT"),
         (" [get_bd_pins ps/S_AXI_HP2_ACLK]", ""),
         ("# Registers.", "connect_bd_net [get_bd_pins ps/FCLK_CLK1] "
          "[get_bd_pins ps/S_AXI_HP2_ACLK]")],
        "M1_AXI has the clock /ps/FCLK_CLK0, /ps/S_AXI_HP2 /ps/FCLK_CLK1"),
    "clock pin that is not there": (
        ZYBO, (), BD, ("ps/FCLK_CLK0]", "ps/FCLK_CLK3]"), "no pin ps/FCLK_CLK3"),
    "reset that is not connected": (
        ZYBO, (), BD, (" [get_bd_pins axm/aresetn]", ""), "/axm/aresetn is not connected"),
    "reset of the other polarity": (
        ZYBO, (), BD, ("reset_pl/peripheral_aresetn", "reset_pl/peripheral_reset"),
        "the other high"),
    "reset of the processor, at no clock of the fabric": (
        ZYBO, (), BD, ("reset_pl/peripheral_aresetn", "ps/FCLK_RESET0_N"),
        "at no clock of the fabric"),
    "reset at a block that takes it as active high": (
        ZYBO, (), BD, ("C_EXT_RESET_HIGH {0}", "C_EXT_RESET_HIGH {1}"), "the other high"),
    "pin that two drive": (
        ZYBO, (), BD, ("[get_bd_pins reset_pl/ext_reset_in]",
                       "[get_bd_pins reset_pl/ext_reset_in] [get_bd_pins axm/aresetn]"),
        "driven 2"),
    "clock where a reset belongs": (
        ZYBO, (), BD, ("connect_bd_net [get_bd_pins ps/FCLK_RESET0_N]",
                       "connect_bd_net [get_bd_pins ps/FCLK_CLK0]"), "a reset pin, is driven by"),
    "interrupt that goes nowhere": (
        ZYBO, (), BD, ("connect_bd_net [get_bd_pins axm/irq] [get_bd_pins ps/IRQ_F2P]", ""),
        "interrupt does not reach"),
    # interfaces
    "AXI4 at an AXI3 port without a converter": (
        ("zybo", "dma", "HP0"), CONVERTED, BD,
        [("connect_bd_intf_net [get_bd_intf_pins axm/M0_AXI] [get_bd_intf_pins convert0/S_AXI]",
          "connect_bd_intf_net [get_bd_intf_pins axm/M0_AXI] [get_bd_intf_pins ps/S_AXI_HP0]"),
         ("connect_bd_intf_net [get_bd_intf_pins convert0/M_AXI] [get_bd_intf_pins ps/S_AXI_HP0]",
          "")],
        "M0_AXI is AXI4, /ps/S_AXI_HP0 is AXI3"),
    "converter to the protocol that it has": (
        ("zybo", "dma", "HP0"), CONVERTED, BD, ("MI_PROTOCOL {AXI3}", "MI_PROTOCOL {AXI4}"),
        "convert0/M_AXI is AXI4, /ps/S_AXI_HP0 is AXI3"),
    "width lost in a converter": (
        ("zybo", "dma", "HP0"), RESIZED, BD, ("MI_DATA_WIDTH {64}", "MI_DATA_WIDTH {32}"),
        "resize0/M_AXI has 32 bits"),
    "width lost in the converter of protocols": (
        ("zybo", "dma", "HP0"), RESIZED, BD, (" CONFIG.DATA_WIDTH {64}", " CONFIG.DATA_WIDTH {32}"),
        "resize0/M_AXI has 64 bits, /convert0/S_AXI has 32"),
    "port of half the width": (
        ZYBO, (), BD, ("HP2_DATA_WIDTH {64}", "HP2_DATA_WIDTH {32}"), "/ps/S_AXI_HP2 has 32 bits"),
    "ports that are swapped": (
        ZYBO, (), BD, [("ps/S_AXI_HP0]", "ps/S_AXI_HPX]"), ("ps/S_AXI_HP2]", "ps/S_AXI_HP0]"),
                       ("ps/S_AXI_HPX]", "ps/S_AXI_HP2]")], "does not lead to S_AXI_HP"),
    "port that is left on": (
        ZYBO, (), BD, ("CONFIG.PCW_USE_S_AXI_HP2 {1}",
                       "CONFIG.PCW_USE_S_AXI_HP2 {1} CONFIG.PCW_USE_S_AXI_HP3 {1}"),
        "S_AXI_HP3 is connected to nothing"),
    "port that is switched off": (
        ZYBO, (), BD, ("PCW_USE_S_AXI_HP2 {1}", "PCW_USE_S_AXI_HP2 {0}"), "no pin ps/S_AXI_HP2"),
    "interface that is connected twice": (
        ZYBO, (), BD, ("[get_bd_intf_pins ps/S_AXI_HP2]", "[get_bd_intf_pins ps/S_AXI_HP0]"),
        "S_AXI_HP0 is connected already"),
    "master at a master": (
        ZYBO, (), BD, ("[get_bd_intf_pins ps/S_AXI_HP2]", "[get_bd_intf_pins control/M00_AXI]"),
        "connected already|2 of them are masters"),
    # vendors' engines
    "engine of another width": (
        VENDOR, (), BD, ("c_m_axi_s2mm_data_width {64}", "c_m_axi_s2mm_data_width {32}"),
        "s2mm_data_width is 32, the design says 64"),
    "engine whose lengths have fewer bits": (
        VENDOR, (), BD, ("c_sg_length_width {26}", "c_sg_length_width {23}"),
        "c_sg_length_width is 23, the design says 26"),
    "engine without scatter-gather": (
        VENDOR, (), BD, ("c_include_sg {1}", "c_include_sg {0}"), "no pin engine0/m_axi_sg_aclk"),
    "engine whose bursts a converter would split": (
        VENDOR, (), BD, ("c_s2mm_burst_size {16}", "c_s2mm_burst_size {32}"), "more than a burst"),
    "engine whose interrupts are swapped": (
        VENDOR, (), BD, [("axm/engine_irq_0]", "axm/engine_irq_x]"),
                         ("axm/engine_irq_1]", "axm/engine_irq_0]"),
                         ("axm/engine_irq_x]", "axm/engine_irq_1]")],
        "engine0/mm2s_introut does not lead to /axm/engine_irq_0"),
    "engine whose registers are elsewhere": (
        VENDOR, (), BD, ("-offset 0x43c20000", "-offset 0x43d20000"),
        "registers of engine1 are at 0x43d20000, the design says 0x43c20000"),
    "engines that receive what the other sends": (
        VENDOR, (), BD, [("engine0/S_AXIS_S2MM]", "engine0/S_AXIS_X]"),
                         ("engine1/S_AXIS_S2MM]", "engine0/S_AXIS_S2MM]"),
                         ("engine0/S_AXIS_X]", "engine1/S_AXIS_S2MM]")],
        "engine0 does not receive what it sends"),
    "engines at each other's port": (
        VENDOR, (), BD, [("join0/S00_AXI]", "join0/X]"), ("join1/S00_AXI]", "join0/S00_AXI]"),
                         ("join0/X]", "join1/S00_AXI]")],
        "engine0/M_AXI_MM2S does not lead through the instrument at port 0"),
    "engine that does not reach all memory": (
        VENDOR, (), BD,
        ("-range 0x20000000 -target_address_space [get_bd_addr_spaces engine0/Data_SG",
         "-range 0x10000000 -target_address_space [get_bd_addr_spaces engine0/Data_SG"),
        "memory is not at 0x0 in /engine0/Data_SG"),
    "engine that is at no port": (
        VENDOR, (), BD, ("create_bd_cell -type ip -vlnv xilinx.com:ip:smartconnect join0",
                         "create_bd_cell -type ip -vlnv xilinx.com:ip:axi_dma engine2\n"
                         "create_bd_cell -type ip -vlnv xilinx.com:ip:smartconnect join0"),
        "3 of xilinx.com:ip:axi_dma with 2 lines each, not one for each port"),
    "one engine for two ports": (
        VENDOR, (), BD,
        ("-vlnv xilinx.com:ip:axi_dma engine1", "-vlnv xilinx.com:ip:axi_cdma engine1"),
        "axi_cdma has no property|no pin"),
    "port that does not look into the caches": (
        ("zybo", "dma", "ACP"), (), BD, ("ACP_USER_VAL {1}", "ACP_USER_VAL {0}"),
        "S_AXI_ACP does not look into the caches"),
    "port that takes fewer bits of identifiers than its masters have": (
        TRAFFIC, (("parameters", (("MASTERS", 4),)),), CORE,
        [(">5</spirit:left>", ">7</spirit:left>"), ('ID_WIDTH">6<', 'ID_WIDTH">8<')],
        "/axm/M0_AXI has 8 id bits, /ps/S_AXI_HP0 6"),
    # addresses
    "addresses that overlap": (
        RAM, (), BD, ("-offset 0x80000000", "-offset 0x43c00000"), "overlaps"),
    "addresses that overlap in the memory": (
        ZCU102, (), BD, ("-offset 0x800000000", "-offset 0x00000000"), "overlaps"),
    "address outside of the port's window": (
        ZYBO, (), BD, ("-offset 0x43c00000", "-offset 0x83c00000"), "is not in what /ps/M_AXI_GP0"),
    "address that is no multiple of its range": (
        ZYBO, (), BD, ("-offset 0x43c00000", "-offset 0x43c08000"), "no multiple"),
    "range of half the registers": (
        ZYBO, (), BD, ("-range 0x00010000", "-range 0x00008000"), "S_AXIL/registers is not at"),
    "range of more than the registers": (
        ZYBO, (), BD, ("-range 0x00010000", "-range 0x00020000"), "0x20000 are assigned"),
    "memory that the board lacks": (
        ZYBO, (), BD, ("-range 0x20000000", "-range 0x40000000"), "which is not planned"),
    "memory without an address": (
        ZYBO, (), BD, ("assign_bd_address -offset 0x00000000", "# "), "has no address"),
    "upper memory that is not switched on": (
        ZCU102, (), BD, ("HIGH_ADDRESS__ENABLE {1}", "HIGH_ADDRESS__ENABLE {0}"),
        "no address segment"),
    "upper memory that is left out": (
        ZCU102, (), BD, ("assign_bd_address -offset 0x800000000", "# "), "has no address"),
    "segment that is not there": (
        ZYBO, (), BD, ("HP2_DDR_LOWOCM", "HP2_DDR_LOW"), "no address segment"),
    # commands, options, properties, their order
    "property that is not there": (
        ZYBO, (), BD, ("CONFIG.PCW_USE_S_AXI_HP2", "CONFIG.PCW_USE_SAXI_HP2"), "has no property"),
    "value that a property cannot have": (
        ZYBO, (), BD, ("HP2_DATA_WIDTH {64}", "HP2_DATA_WIDTH {128}"), "not one of 32, 64"),
    "command that is not there": (ZYBO, (), BD, ("save_bd_design", "save_bd"), "no such command"),
    "option that is not there": (ZYBO, (), BD, ("-vlnv", "-vlvn"), "no option -vlvn"),
    "cell that the catalogue lacks": (
        ZYBO, (), BD, ("ip:smartconnect", "ip:smartconect"), "catalogue has no"),
    "version that is too old": (
        ZYBO, (), BUILD, ("$version 2019.1]", "$version 2020.1]"), "needs Vivado 2019.1 or newer"),
    "block design before its project": (
        ZYBO, (), BUILD, ("create_project axiometer",
                          "create_bd_design x; create_project axiometer"),
        "comes before there is: project"),
    "IP before its catalogue": (
        ZYBO, (), BUILD, ("update_ip_catalog -rebuild", ""), "catalogue has no axiometer"),
    "block design that is not validated": (
        ZYBO, (), BD, ("\nvalidate_bd_design", ""), "was not validated"),
    "preset without its board": (
        ZYBO, (), BUILD, ("set_property board_part $board [current_project]", ""), "no board part"),
    "part of another board": (
        ZYBO, (), BUILD, ("xc7z010clg400-1", "xc7z020clg400-1"), "the part is"),
    "part that is none": (ZYBO, (), BUILD, ("xc7z010clg400-1", "zybo"), "part cannot be 'zybo'"),
    "DDR that is not connected": (
        ZYBO, (), BD, ('make_external "FIXED_IO, DDR" ', ""), "are not pins of the design"),
    "implementation before synthesis": (
        ZYBO, (), BUILD, ("wait_on_run synth_1", ""), "synthesis"),
    "implementation without a bitstream": (
        ZYBO, (), BUILD, ("-to_step write_bitstream ", ""), "no bitstream"),
    "hardware before its design is open": (
        ZYBO, (), BUILD, ("open_run impl_1", ""), "comes before there is: open run"),
    "top that is not made": (
        ZYBO, (), BUILD, ("add_files -norecurse $wrapped", ""), "no module system_wrapper"),
    "report that is not written": (
        ZYBO, (), BUILD, ("utilization.rpt", "use.rpt"), "utilization.rpt is not written"),
    # constraints and the IP
    "constraints that are not used": (
        ZYBO, (), BUILD, ("add_files -fileset constrs_1", "#"), "not in constrs_1"),
    "constraint that is missing": (
        ZYBO, (), "ip/*/src/*_ooc.xdc", ("create_clock", "# create_clock"), "no constraint gives"),
    "constraint of another period": (
        ZYBO, (), "ip/*/src/*_ooc.xdc", ("10.000", "20.000"), "no constraint gives"),
    "constraint that is not out of context": (
        ZYBO, (), CORE, ("USED_IN_out_of_context", "USED_IN_simulation"), "no constraint gives"),
    "IP that is no XML": (ZYBO, (), CORE, ("</spirit:component>", ""), "is no XML"),
    "IP with an element that no public one has": (
        ZYBO, (), CORE, ("<spirit:usage>register</spirit:usage>",
                         "<spirit:usage>register</spirit:usage><spirit:volatile>true</spirit:volatile>"),
        "no public component.xml has the element .*/addressBlock/volatile"),
    "IP with an attribute that no public one has": (
        ZYBO, (), CORE, ("<spirit:fileSet>", '<spirit:fileSet spirit:id="x">'),
        "no public component.xml has the element .*/fileSet@id"),
    "IP with a parameter of a bus that no public one has": (
        ZYBO, (), CORE, ("MAX_BURST_LENGTH", "MAX_BURST"),
        "no public component.xml has the parameter aximm MAX_BURST"),
    "IP whose elements are in another order": (
        ZYBO, (), CORE, [("<spirit:direction>out</spirit:direction>", ""),
                         ("</spirit:wireTypeDefs>",
                          "</spirit:wireTypeDefs><spirit:direction>out</spirit:direction>")],
        "no public component.xml has direction after wireTypeDefs in"),
    "IP without an attribute that all public ones have": (
        ZYBO, (), CORE, ('<spirit:baseAddress spirit:format="long">', "<spirit:baseAddress>"),
        "every public component.xml has @format in each .*/baseAddress"),
    "IP without an element that all public ones have": (
        ZYBO, (), CORE, ("<spirit:displayName>Simulation</spirit:displayName>", ""),
        "every public component.xml has displayName in each .*/view"),
    "IP without a parameter of a bus that all public ones have": (
        ZYBO, (), CORE, ("POLARITY", "LAYERED_METADATA"),
        "every public component.xml has the parameter reset POLARITY"),
    "IP of a value that the schema does not have": (
        ZYBO, (), CORE, ("<spirit:direction>in<", "<spirit:direction>input<"),
        "not of the schema: .*'input' is not an element of the set"),
    "IP of a type for a view that is not there": (
        ZYBO, (), CORE, ("viewNameRef>xilinx_anylanguagesynthesis<", "viewNameRef>synthesis<"),
        "not of the schema: .*'synthesis'.*componentTypeDefViewNameRef"),
    "IP with two registers of one name": (
        ZYBO, (), CORE, ("w1_counter_CAPS2<", "w1_counter_CAPS<"),
        "not of the schema: .*Duplicate key-sequence"),
    "IP of a port that is not there": (
        ZYBO, (), CORE, ("<spirit:name>m1_axi_wdata</spirit:name>",
                         "<spirit:name>m1_axi_data</spirit:name>"), "port m1_axi_data is not"),
    "IP whose data are the other port's": (
        ZYBO, (), CORE, [("<spirit:name>m1_axi_wdata</spirit:name>\n        </spirit:physical",
                          "<spirit:name>m0_axi_wdata</spirit:name>\n        </spirit:physical")],
        "mapped twice"),
    "IP whose port is narrower than it says": (
        ZYBO, (), CORE, ('.M1_AXI.DATA_WIDTH">64<', '.M1_AXI.DATA_WIDTH">32<'),
        "is no WDATA of 32 bits"),
    "IP whose parameter the tool does not find": (
        ZYBO, (), CORE, (' spirit:id="BUSIFPARAM_VALUE.M1_AXI.DATA_WIDTH"', ""),
        "every public component.xml has @id in each .*/parameter/value"),
    "IP whose parameter is another bus's": (
        ZYBO, (), CORE, ("VALUE.M1_AXI.DATA_WIDTH", "VALUE.M0_AXI.DATA_WIDTH"),
        "not of the schema: .*M0_AXI.DATA_WIDTH.*xs:ID"),
    "IP without a name to be set": (
        ZYBO, (), CORE, ('spirit:id="PARAM_VALUE.Component_Name"', 'spirit:id="Component_Name"'),
        "has the id Component_Name"),
    "wrapper of another width": (
        ZYBO, (), "ip/*/src/axm_dma_ip.v", ("output wire [63:0] m1_axi_wdata",
                                            "output wire [31:0] m1_axi_wdata"),
        "port m1_axi_wdata is not the same"),
    "IP of another register map": (
        ZYBO, (), CORE, ("<spirit:addressOffset>0x2010</spirit:addressOffset>",
                         "<spirit:addressOffset>0x20f0</spirit:addressOffset>"), "register map"),
    "IP of a protocol that its port lacks": (
        ZYBO, (), CORE, (">AXI3</spirit:value>", ">AXI4</spirit:value>"),
        "WID is of AXI4 or mapped"),
    "IP whose sources are not there": (
        ZYBO, (), CORE, ("src/axm_dma_top.sv", "src/axm_dma_tops.sv"), "no file src/axm_dma_tops"),
    "IP whose header is a source": (
        ZYBO, (), CORE, ("isIncludeFile>true", "isIncludeFile>false"), "includes axm_ports.svh"),
    "IP whose bus has no clock": (
        ZYBO, (), CORE, ("S_AXIL:M0_AXI:M1_AXI", "S_AXIL:M0_AXI"),
        "M1_AXI has the clock of nothing"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_found(name):
    project, options, file, changes, wanted = MISTAKES[name]
    changes = [changes] if isinstance(changes, tuple) else changes
    found = spoilt(written(*project, **dict(options)), file, *changes)
    assert any(re.search(wanted, finding) for finding in found), found


@pytest.mark.parametrize("project", [ZYBO, ZCU102, VENDOR])
def test_a_project_is_proven_for_the_oldest_version(project):
    """The commands of 2019.1, and none that came later."""
    made, place = written(*project)
    recorded, found = proof.run(made, place, "2019.1")
    assert found == []
    assert {Path(path).name for path in recorded.reports} >= {"system.hdf", "system.xsa"}


@pytest.mark.parametrize(
    ("version", "changes", "wanted"),
    [("2018.3", [], "this needs Vivado 2019.1"),
     ("2019.1", [("proc assign_bd_address", "proc assign_address")], "does not have -offset"),
     ("2019.1", [("if {$old} {\n  # An HDF", "if {0} {\n  # An HDF")], "does not have it"),
     ("2019.1", [("write_sysdef", "# write_sysdef"), ("    -bitfile", "  # -bitfile")],
      "there is no .*system.hdf"),
     ("2020.1", [("if {$old} {\n  # An HDF", "if {1} {\n  # An HDF")], "does not have it")],
)  # fmt: skip
def test_a_command_of_another_version_is_found(version, changes, wanted):
    found = spoilt(written(*ZYBO), BUILD, *changes, version=version)
    assert any(re.search(wanted, finding) for finding in found), found


@pytest.mark.parametrize("project", [(ZYBO, ()), (ZCU102, ()), (RAM, ()), (VENDOR, ()),
                                     (ZYBO, CONVERTED), (ZYBO, RESIZED)])  # fmt: skip
def test_nothing_is_found_where_nothing_is_planted(project):
    made, place = written(*project[0], **dict(project[1]))
    recorded, found = proof.run(made, place)
    assert found == []
    assert {"bitstream", "open run", "validated"} <= recorded.done
