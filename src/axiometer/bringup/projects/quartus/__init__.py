"""Writes a project for Quartus Standard or Lite 16.1 or newer: `write(plan, directory)`.

    build.sh              everything: system, synthesis, bitstream
    axm.qpf, axm.qsf      the project: part, pins, files
    axm.sdc               timing
    axm_system.tcl        the system, for qsys-script
    axm_system.qsys       the same in Platform Designer's format
    axm_system_top.v      the pins
    ip/axm_TOP/           our RTL as a component: _hw.tcl, wrapper, sources
    README.txt, plan.json description and commands; the plan for other tools

None of it was ever run through Quartus. Pins and parameters of a board are those of its reference
design (`boards/`), whose repository and commit each file names.
"""

from __future__ import annotations

from pathlib import Path

from axiometer.bringup.projects import common
from axiometer.bringup.projects.boot import socfpga
from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.quartus import component, files, system, top
from axiometer.bringup.projects.vivado import wrapper

SYSTEM = "axm_system"


def write(plan: Plan, directory: Path) -> list[Path]:
    """As `common.write`."""
    core = f"ip/{component.name(plan)}"
    made = system.of(plan)
    texts = {
        "build.sh": files.build(plan),
        "axm.qpf": files.qpf(plan),
        "axm.qsf": files.qsf(plan),
        "axm.sdc": files.sdc(plan),
        f"{SYSTEM}.tcl": system.script(plan, made),
        f"{SYSTEM}.qsys": system.qsys(plan, made),
        f"{SYSTEM}_top.v": top.text(plan),
        f"{core}/{component.name(plan)}_hw.tcl": component.text(plan),
        f"{core}/src/{wrapper.name(plan)}.v": wrapper.text(plan),
        "README.txt": readme(plan),
    }
    return common.write(plan, directory, core, texts)


def readme(plan: Plan) -> str:
    """The text of README.txt."""
    bits = socfpga.port_bits(plan)
    spl = f"\nFPGAPORTRST of the SPL: {bits:#x}, or any other but 0" if bits else ""
    return f"""\
{plan.module.name} on {plan.title}
{plan.never_run}: the first run may stop at what no reading of manuals shows.

    sh build.sh

needs Quartus Standard or Lite 16.1 or newer with Cyclone V (quartus/bin and
quartus/sopc_builder/bin in PATH), and leaves, in this directory:

    axm.rbf               the bitstream, compressed, for U-Boot and Linux
    output_files/         axm.sof, reports
    hps_isw_handoff/      what a preloader of this design is made from

{common.ending(plan, spl)}"""
