"""Block designs as Tcl for tests, written here in the style of write_bd_tcl and of people."""

from __future__ import annotations

from pathlib import Path

HEAD = """
set scripts_vivado_version {version}
set current_vivado_version [version -short]
if {{ [string first $scripts_vivado_version $current_vivado_version] == -1 }} {{
   catch {{common::send_msg_id "BD_TCL-109" "ERROR" "made by <$scripts_vivado_version>"}}
   return 1
}}
set list_projs [get_projects -quiet]
if {{ $list_projs eq "" }} {{
   create_project project_1 myproj -part {part}
   set_property BOARD_PART {board} [current_project]
}}
set design_name design_1
set cur_design [current_bd_design -quiet]
if {{ ${{design_name}} eq "" }} {{
   return 1
}} elseif {{ ${{cur_design}} ne "" && [get_bd_cells -quiet] eq "" }} {{
   return 1
}} elseif {{ [get_files -quiet ${{design_name}}.bd] ne "" }} {{
   return 1
}} else {{
   create_bd_design $design_name
   current_bd_design $design_name
}}
"""
ROOT = """
proc create_root_design {{ parentCell }} {{
  variable script_folder
  variable design_name
  if {{ $parentCell eq "" }} {{
     set parentCell [get_bd_cells /]
  }}
  set parentObj [get_bd_cells $parentCell]
  if {{ $parentObj == "" }} {{ return }}
  set parentType [get_property TYPE $parentObj]
  if {{ $parentType ne "hier" }} {{ return }}
  set oldCurInst [current_bd_instance .]
  current_bd_instance $parentObj
{body}
  current_bd_instance $oldCurInst
  validate_bd_design
  save_bd_design
}}
create_root_design ""
"""
PS = "xilinx.com:ip:processing_system7:5.5"
USP = "xilinx.com:ip:zynq_ultra_ps_e:3.3"
DMA = "xilinx.com:ip:axi_dma:7.1"
IC = "xilinx.com:ip:axi_interconnect:2.1"


def generated(
    body: str, version="2018.3", part="xc7z010clg400-1", board="digilentinc.com:zybo:part0:2.0"
) -> str:
    """A script as write_bd_tcl writes it, with `body` in its root."""
    return HEAD.format(version=version, part=part, board=board) + ROOT.format(body=body)


def cell(name: str, vlnv: str, **settings) -> str:
    """A cell with its settings, in the tool's words."""
    out = f"  set {name} [ create_bd_cell -type ip -vlnv {vlnv} {name} ]\n"
    if settings:
        given = "".join(f"   CONFIG.{key} {{{value}}} \\\n" for key, value in settings.items())
        out += f"  set_property -dict [ list \\\n{given} ] ${name}\n"
    return out


def joined(*ends: str) -> str:
    """A connection of interfaces."""
    pins = " ".join(f"[get_bd_intf_pins {end}]" for end in ends)
    return f"  connect_bd_intf_net -intf_net n_{ends[0].replace('/', '_')} {pins}\n"


def wired(*ends: str) -> str:
    """A net of single pins."""
    return "  connect_bd_net " + " ".join(f"[get_bd_pins {end}]" for end in ends) + "\n"


def addressed(space: str, segment: str, base: int, size: int) -> str:
    """Addresses, as newer tools write them."""
    return (
        f"  assign_bd_address -offset {base:#010X} -range {size:#010X} -target_address_space "
        f"[get_bd_addr_spaces {space}] [get_bd_addr_segs {segment}] -force\n"
    ).replace("0X", "0x")


def simple(dma=None, ps=None, extra="", port="S_AXI_HP0") -> str:
    """A DMA that reads through an interconnect and `port`."""
    body = cell("ps", PS, **{"PCW_FPGA0_PERIPHERAL_FREQMHZ": "100", **(ps or {})})
    body += cell("dma", DMA, **(dma or {})) + cell("ic", IC, NUM_MI=1, NUM_SI=1)
    body += joined("dma/M_AXI_MM2S", "ic/S00_AXI") + joined("ic/M00_AXI", f"ps/{port}")
    body += wired("ps/FCLK_CLK0", "dma/m_axi_mm2s_aclk", "ic/ACLK", f"ps/{port}_ACLK")
    return generated(body + extra)


def saved(directory: Path, text: str, name="design_1.tcl") -> Path:
    """The script on disk."""
    path = directory / name
    path.write_text(text, encoding="utf-8")
    return path
