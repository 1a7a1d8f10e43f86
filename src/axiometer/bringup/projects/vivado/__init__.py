"""Writes a project for Vivado 2019.1 or newer: `write(plan, directory)`.

    build.tcl             everything: project, block design, bitstream, reports, XSA
    system.tcl            the block design
    constraints/          XDC
    ip/axm_TOP/           our RTL as IP: component.xml, wrapper, sources
    README.txt, plan.json description and commands; the plan for other tools

None of it was ever run through Vivado.
"""

from __future__ import annotations

from pathlib import Path

from axiometer.bringup.projects import NEVER_RUN, common
from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.vivado import block_design, component, constraints, script, wrapper


def write(plan: Plan, directory: Path) -> list[Path]:
    """As `common.write`."""
    core = f"ip/{component.name(plan)}"
    texts = {
        "build.tcl": script.text(plan),
        "system.tcl": block_design.text(plan),
        "constraints/system.xdc": constraints.system(plan),
        f"{core}/component.xml": component.text(plan),
        f"{core}/src/{wrapper.name(plan)}.v": wrapper.text(plan),
        f"{core}/src/{wrapper.name(plan)}_ooc.xdc": constraints.out_of_context(plan),
        "README.txt": readme(plan),
    }
    return common.write(plan, directory, core, texts)


def readme(plan: Plan) -> str:
    """The text of README.txt."""
    return f"""\
{plan.module.name} on {plan.title}
{NEVER_RUN}: the first run may stop at what no reading of manuals shows.

    vivado -mode batch -source build.tcl

needs Vivado 2019.1 or newer with the board files of {" or ".join(plan.presets)}
(Tools > Vivado Store > Boards), and leaves, in this directory:

    system.bit            the bitstream
    system.xsa            hardware and bitstream for Vitis, PetaLinux and others
    reports/              utilisation, timing, clocks, design rules; read by `axiometer show DIR`

{common.ending(plan)}"""
