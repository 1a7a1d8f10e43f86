"""The script from nothing to a bitstream: `vivado -mode batch -source build.tcl`."""

from __future__ import annotations

from axiometer.bringup.projects import NEVER_RUN
from axiometer.bringup.projects.plan import Plan

CLOCK_SHARE = 0.001
"""The greatest difference between the tool's clock and the plan's, as a share of the plan's."""


def text(plan: Plan) -> str:
    """The file."""
    presets = " ".join(plan.presets)
    hertz = plan.module.parameters["CLOCK_HZ"]
    return f"""\
# {plan.module.name} on {plan.title}: from nothing to a bitstream.
#   vivado -mode batch -source build.tcl
# Written by Axiometer; {NEVER_RUN}.
set here [file dirname [file normalize [info script]]]
set jobs 2

proc stop {{why}} {{
  error "axiometer: $why"
}}

# Patched versions have a suffix.
set version [lindex [split [version -short] _] 0]
if {{[package vcompare $version 2019.1] < 0}} {{
  stop "this needs Vivado 2019.1 or newer, and this is [version -short]"
}}

# Before 2019.2, create_bd_addr_seg assigns addresses. The arguments here are
# -offset A -range B -target_address_space C D.
set old [expr {{[package vcompare $version 2019.2] < 0}}]
if {{$old}} {{
  set segments 0
  proc assign_bd_address {{args}} {{
    lassign $args _ offset _ range _ space segment
    create_bd_addr_seg -range $range -offset $offset $space $segment "SEG_axm_[incr ::segments]"
  }}
}}

create_project axiometer [file join $here project] -part {plan.part} -force
set_property target_language Verilog [current_project]

# The newest version of the first installed board part.
set board ""
foreach known {{{presets}}} {{
  set found [get_board_parts -quiet -latest_file_version "$known:*"]
  if {{[llength $found] > 0}} {{
    set board [lindex $found end]
    break
  }}
}}
if {{$board eq ""}} {{
  stop "no board files of {presets}: install them (Tools > Vivado Store > Boards)"
}}
set_property board_part $board [current_project]

set_property ip_repo_paths [list [file join $here ip]] [current_project]
update_ip_catalog -rebuild
add_files -fileset constrs_1 -norecurse [file join $here constraints system.xdc]

source [file join $here system.tcl]

# The design's identification has this clock; the preset's PLL may have another rate.
set made [get_property CONFIG.FREQ_HZ [get_bd_pins ps/{plan.system["clock_pin"]}]]
if {{abs($made - {hertz}) > {CLOCK_SHARE} * {hertz}}} {{
  stop "the clock is $made Hz, not {hertz}: the preset's PLL has another rate than the board's\\
    file; write the project again with --pll-mhz"
}}

set design [get_files system.bd]
generate_target all $design
set wrapped [make_wrapper -files $design -top]
add_files -norecurse $wrapped
set_property top system_wrapper [current_fileset]
update_compile_order -fileset sources_1

launch_runs synth_1 -jobs $jobs
wait_on_run synth_1
if {{[get_property PROGRESS [get_runs synth_1]] ne "100%"}} {{
  stop "synthesis failed: see project/axiometer.runs/synth_1/runme.log"
}}
launch_runs impl_1 -to_step write_bitstream -jobs $jobs
wait_on_run impl_1
if {{[get_property PROGRESS [get_runs impl_1]] ne "100%"}} {{
  stop "implementation failed: see project/axiometer.runs/impl_1/runme.log"
}}

open_run impl_1
file mkdir [file join $here reports]
report_utilization -hierarchical -file [file join $here reports utilization_hierarchical.rpt]
report_utilization -file [file join $here reports utilization.rpt]
report_timing_summary -file [file join $here reports timing_summary.rpt]
report_clocks -file [file join $here reports clocks.rpt]
report_drc -file [file join $here reports drc.rpt]

file copy -force [file join [get_property DIRECTORY [get_runs impl_1]] system_wrapper.bit] \\
  [file join $here system.bit]
if {{$old}} {{
  # An HDF has the same files as an XSA (2019.2 and newer).
  write_hwdef -force -file [file join $here system.hwdef]
  file delete -force [file join $here system.hdf]
  write_sysdef -hwdef [file join $here system.hwdef] \\
    -bitfile [file join $here system.bit] -file [file join $here system.hdf]
  file copy -force [file join $here system.hdf] [file join $here system.xsa]
}} else {{
  write_hw_platform -fixed -include_bit -force -file [file join $here system.xsa]
}}

set slack [get_property SLACK [get_timing_paths -delay_type max]]
set hold [get_property SLACK [get_timing_paths -delay_type min]]
puts "axiometer: worst slack $slack ns (setup), $hold ns (hold); system.bit, system.xsa, reports/"
if {{$slack < 0 || $hold < 0}} {{
  stop "timing is not met: do not measure with this bitstream; see reports/timing_summary.rpt"
}}
"""
