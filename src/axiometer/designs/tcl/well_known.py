"""Procedures by which well-known projects build block designs: red-pitaya-notes and Koheron (cell,
wire, module), and Analog Devices' hdl (ad_*).

Their scripts use them without sourcing them. A file that defines its own replaces these, except for
those of Analog Devices, which ask the tool at each step.
"""

import re

SCRIPT = """
proc wire {one other} { connect_bd_net $one $other }
proc cell {vlnv name {settings {}} {joined {}}} {
  set made [create_bd_cell -type ip -vlnv $vlnv $name]
  foreach {key value} [uplevel 1 [list subst $settings]] { set_property CONFIG.$key $value $made }
  foreach {pin other} [uplevel 1 [list subst $joined]] { wire $name/$pin $other }
}
proc module {name body {joined {}}} {
  set before [current_bd_instance .]
  current_bd_instance [create_bd_cell -type hier $name]
  eval $body
  current_bd_instance $before
  foreach {pin other} [uplevel 1 [list subst $joined]] { wire $name/$pin $other }
}
set ad_hdl_dir {}
proc ad_ip_instance {core name {settings {}}} {
  set made [create_bd_cell -type ip -vlnv [get_ipdefs *:$core:*] $name]
  foreach {key value} $settings { set_property CONFIG.$key $value $made }
}
proc ad_ip_parameter {name key value} { set_property $key $value [get_bd_cells $name] }
proc ad_connect {one other} {
  if {$other ni {GND VCC}} { connect_bd_net $one $other }
}
proc ad_cpu_interconnect args {}
proc ad_cpu_interrupt args {}
proc sysid_gen_sys_init_file args {}
proc ad_memory {port clock name} {
  set way [string tolower axi_${port}_interconnect]
  if {[get_bd_cells -quiet $way] eq ""} {
    ad_ip_instance smartconnect $way
    if {[get_bd_cells -quiet sys_ps8] ne ""} {
      connect_bd_net $way/M00_AXI sys_ps8/S_AXI_${port}_FPD
      connect_bd_net $clock sys_ps8/[string tolower saxi${port}_fpd_aclk]
    } else {
      connect_bd_net $way/M00_AXI sys_ps7/S_AXI_$port
      connect_bd_net $clock sys_ps7/S_AXI_${port}_ACLK
    }
    connect_bd_net $clock $way/aclk
  }
  if {![string match *sys_ps* $name]} {
    global ad_inputs
    set number [incr ad_inputs($way)]
    connect_bd_net $name $way/S[format %02d [expr {$number - 1}]]_AXI
    connect_bd_net $clock ${name}_aclk
  }
}
foreach port {HP0 HP1 HP2 HP3 HPC0 HPC1} {
  proc ad_mem_[string tolower $port]_interconnect {clock name} "ad_memory $port \\$clock \\$name"
}
"""
KEPT = re.compile(
    r"ad_(?:ip_instance|ip_parameter|connect|mem_\w+|cpu_\w+)|sysid_gen_sys_init_file"
)
_CALL = re.compile(
    rb"^\s*(?:cell\s+[\w.-]+:[\w.-]+:[\w.-]+|ad_ip_(?:instance|parameter)\s|source \$ad_hdl_dir)",
    re.M,
)


def uses(content: bytes) -> bool:
    """Whether a script calls these procedures."""
    return _CALL.search(content) is not None
