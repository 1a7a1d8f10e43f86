"""Block designs as Tcl that a stranger gave: interpreter, commands, what is made of them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import designs_shown

TITLE = "block designs as Tcl"
WORDS = [
    *b"set proc if else elseif foreach while for switch return catch eval uplevel".split(),
    *b"upvar expr namespace variable global error break continue info args".split(),
    *b"list lappend lindex lrange llength join split string format dict array subst source".split(),
    *b"create_bd_cell -type ip hier module -vlnv -reference set_property -dict CONFIG.".split(),
    *b"connect_bd_intf_net connect_bd_net get_bd_intf_pins get_bd_pins get_bd_cells".split(),
    *b"assign_bd_address create_bd_addr_seg -offset -range -target_address_space".split(),
    *b"apply_bd_automation current_bd_instance create_bd_intf_pin create_bd_port".split(),
    *b"xilinx.com:ip:processing_system7:5.5 xilinx.com:ip:axi_dma:7.1 S_AXI_HP0 M_AXI_MM2S".split(),
    *b'[ ] { } $ \\ " ; {*} ${a} $a(b) :: -filter =~ 0x7fffffffffffffff ** << ? : && ||'.split(),
]
MAX_BYTES = 8000
_DESIGN = b"""set scripts_vivado_version 2019.1
if { [string first $scripts_vivado_version [version -short]] == -1 } { return 1 }
if { [get_projects -quiet] eq "" } { create_project p d -part xc7z020clg400-1 }
create_bd_design d
proc create_hier_cell_h { parentCell nameHier } {
  set parentObj [get_bd_cells $parentCell]
  if { [get_property TYPE $parentObj] ne "hier" } { return }
  set old [current_bd_instance .]
  current_bd_instance $parentObj
  current_bd_instance [create_bd_cell -type hier $nameHier]
  create_bd_intf_pin -mode Master -vlnv xilinx.com:interface:aximm_rtl:1.0 M_AXI
  create_bd_pin -dir I -type clk clk
  set dma [ create_bd_cell -type ip -vlnv xilinx.com:ip:axi_dma:7.1 dma ]
  set_property -dict [ list CONFIG.c_sg_length_width {14} \\
   CONFIG.c_mm2s_burst_size {64} ] $dma
  connect_bd_intf_net [get_bd_intf_pins M_AXI] [get_bd_intf_pins dma/M_AXI_MM2S]
  connect_bd_net [get_bd_pins clk] [get_bd_pins dma/m_axi_mm2s_aclk]
  current_bd_instance $old
}
create_hier_cell_h [current_bd_instance .] h
set ps [create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7:5.5 ps]
set_property CONFIG.PCW_S_AXI_HP0_DATA_WIDTH 32 $ps
create_bd_cell -type ip -vlnv xilinx.com:ip:axi_interconnect:2.1 ic
set_property -dict [list CONFIG.STRATEGY {1}] [get_bd_cells ic]
foreach {a b} {h/M_AXI ic/S00_AXI ic/M00_AXI ps/S_AXI_HP0} {
  connect_bd_intf_net [get_bd_intf_pins $a] [get_bd_intf_pins $b]
}
connect_bd_net [get_bd_pins ps/FCLK_CLK0] [get_bd_pins h/clk] [get_bd_pins ps/S_AXI_HP0_ACLK]
assign_bd_address -offset 0x0 -range 512M -target_address_space \\
  [get_bd_addr_spaces h/dma/Data_MM2S] [get_bd_addr_segs ps/S_AXI_HP0/HP0_DDR_LOWOCM]
"""
_LOOPS = b"""proc f {n} { if {$n <= 0} { return 1 }; return [expr {[f [expr {$n-1}]] * 2}] }
set x [f 9]; for {set i 0} {$i < 50} {incr i} { lappend l [format %03d $i] }
dict set d a [string repeat ab 9]; set y [join [lrange $l 1 end-1] ,]; array set q {a 1 b 2}
switch -glob $y { 0* {set z 1} default {set z 2} }; catch {error no} m; while 1 { break }
"""


def seeds() -> list[bytes]:
    """A whole design, one with loops, and parts of the first."""
    lines = _DESIGN.split(b"\n")
    return [_DESIGN, _LOOPS + _DESIGN, *(b"\n".join(lines[at:]) for at in (4, 20, 24))]


def one(data: bytes) -> None:
    """Read it, and show what was read."""
    from axiometer.designs import load

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bd.tcl"
        path.write_bytes(data if b"create_bd_cell" in data else data + b"\n# create_bd_cell\n")
        before = sorted(Path(folder).iterdir())
        try:
            design = load(path)
        finally:
            if sorted(Path(folder).iterdir()) != before:
                raise AssertionError("the script made or removed a file")
        designs_shown.look(design, folder)
