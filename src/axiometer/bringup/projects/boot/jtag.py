"""Scripts for a JTAG cable: from reset to a program without operating system."""

from __future__ import annotations

from axiometer.bringup.projects import NEVER_RUN, boot
from axiometer.bringup.projects.plan import Plan

SYSTEM_RESET_MS = 3000
SETTLE_MS = 500


def xsdb(plan: Plan) -> str:
    """The script for XSCT and xsdb."""
    known = boot.of_chip(plan)
    init, after = "\n".join(known["init"]), "\n".join(known["after_bitstream"])
    agent = boot.agent(plan)
    core = "\n".join(
        [f'targets -set -nocase -filter {{name =~ "{known["core"]}"}}', *known["reset_core"]]
    )
    return f"""\
# {plan.module.name} on {plan.title}, over JTAG, without operating system:
#   xsdb boot/xsdb.tcl          or: source boot/xsdb.tcl in XSCT
# Written by Axiometer; {NEVER_RUN}, nor on a board. Order: processor system,
# bitstream, the connection of both, the ports' widths; axm_back restores the old widths.
# If boot/agent.elf exists, it is loaded and started: {agent}
set here [file dirname [file normalize [info script]]]
set project [file dirname $here]
set init [file join $here {known["init_file"]}]
set bitstream [file join $project system.bit]
set agent [file join $here agent.elf]

foreach {{file how}} [list $init "unzip system.xsa {known["init_file"]} -d boot" $bitstream \\
    "vivado -mode batch -source build.tcl"] {{
  if {{![file exists $file]}} {{
    error "axiometer: $file is missing: $how"
  }}
}}

connect
targets -set -nocase -filter {{name =~ "{known["system"]}"}}
rst -system
after {SYSTEM_RESET_MS}
source $init
{init}
fpga -file $bitstream
{after}
after {SETTLE_MS}

{_widths(plan, "mrd -force -value", "mwr -force")}
{core}
if {{[file exists $agent]}} {{
  dow $agent
  con
}}
"""


def openocd(plan: Plan) -> str:
    """The script for OpenOCD. It defines the three commands of xsdb that the exported ps7_init.tcl
    uses."""
    known = boot.of_chip(plan)
    names = known["openocd"]
    init, after = "\n".join(known["init"]), "\n".join(known["after_bitstream"])
    return f"""\
# {plan.module.name} on {plan.title}, over JTAG, without operating system:
#   openocd -f interface/CABLE.cfg -f boot/openocd.cfg     in the project's directory
# Written by Axiometer; {NEVER_RUN}, nor on a board.
source [find {names["target"]}]

# The commands that {known["init_file"]} of system.xsa uses.
proc axm_words {{args}} {{
  set kept {{}}
  foreach word $args {{
    if {{$word ni {{-force -value}}}} {{ lappend kept $word }}
  }}
  return $kept
}}
proc mrd {{args}} {{
  return [format 0x%08x [lindex [read_memory [lindex [axm_words {{*}}$args] 0] 32 1] 0]]
}}
proc mwr {{args}} {{
  set words [axm_words {{*}}$args]
  mww [lindex $words 0] [lindex $words 1]
}}
proc configparams {{args}} {{}}

init
reset halt
targets {names["core"]}
source boot/{known["init_file"]}
{init}
pld load {names["fabric"]} system.bit
{after}
sleep {SETTLE_MS}

{_widths(plan, "mrd -value", "mwr")}
if {{[file exists boot/agent.elf]}} {{
  load_image boot/agent.elf
  resume
}}
"""


def _widths(plan: Plan, read: str, write: str) -> str:
    table = "\n".join(
        f"  {w.name} {w.address:#010x} {w.keep:#010x} {w.value:#010x}" for w in boot.widths(plan)
    )
    sources = "\n".join(dict.fromkeys(f"# {w.source}" for w in boot.widths(plan)))
    return f"""\
# name, address, unchanged bits, set bits
{sources}
set axm_saved {{}}
foreach {{name address keep value}} {{
{table}
}} {{
  set was [{read} $address]
  lappend axm_saved $address $was
  {write} $address [format 0x%08x [expr {{($was & $keep) | $value}}]]
}}
proc axm_back {{}} {{
  global axm_saved
  foreach {{address was}} $axm_saved {{
    {write} $address $was
  }}
  set axm_saved {{}}
}}
"""
