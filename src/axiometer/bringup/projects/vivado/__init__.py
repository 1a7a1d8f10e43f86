"""Writes a project for Vivado 2019.1 or newer: `write(plan, directory)`.

    build.tcl             everything: project, block design, bitstream, reports, XSA
    system.tcl            the block design
    constraints/          XDC
    ip/axm_TOP/           our RTL as IP: component.xml, wrapper, sources
    README.txt, plan.json description and commands; the plan for other tools

None of it was ever run through Vivado.
"""

from __future__ import annotations

import json
from pathlib import Path

from axiometer.base import atomic_file
from axiometer.base.errors import AxiometerError
from axiometer.bringup.projects import NEVER_RUN
from axiometer.bringup.projects.engines import STEP
from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.vivado import block_design, component, constraints, script, wrapper


def write(plan: Plan, directory: Path) -> list[Path]:
    """Write the project of `plan` into `directory`, which must be missing or empty, and return the
    written files. AxiometerError where it cannot be written."""
    # In a new directory a full disk destroys nothing, so files are written directly.
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise AxiometerError(
            "the directory is not empty", file=directory, remedy="give another directory with -o"
        )
    core = f"ip/{component.name(plan)}"
    texts = {
        "build.tcl": script.text(plan),
        "system.tcl": block_design.text(plan),
        "constraints/system.xdc": constraints.system(plan),
        f"{core}/component.xml": component.text(plan),
        f"{core}/src/{wrapper.name(plan)}.v": wrapper.text(plan),
        f"{core}/src/{wrapper.name(plan)}_ooc.xdc": constraints.out_of_context(plan),
        "plan.json": json.dumps(summary(plan), indent=1) + "\n",
        "README.txt": readme(plan),
    }
    for source in (*plan.headers, *plan.sources):
        texts[f"{core}/src/{source.name}"] = source.read_text(encoding="utf-8")
    return atomic_file.write_texts(directory, texts)


def summary(plan: Plan) -> dict[str, object]:
    """The project for other tools: names, addresses, clock."""
    return {
        "note": plan.never_run,
        "board": plan.board,
        "part": plan.part,
        "top": plan.module.name,
        "parameters": dict(plan.module.parameters),
        "clock_mhz": {"asked": float(plan.asked_mhz), "made": float(plan.mhz)},
        "ports": [
            {
                "name": link.name,
                "width_bits": link.width,
                "protocol": link.protocol,
                "converters": [
                    word
                    for word, there in (("width", link.resized), ("protocol", link.converted))
                    if there
                ],
            }
            for link in plan.links
        ],
        "masters": [{"name": each.name, "width_bits": each.width} for each in plan.masters],
        "registers": {"base": hex(plan.registers_base), "bytes": plan.registers_size},
        **(
            {"engines": {"base": hex(plan.engine.base), "bytes": STEP, "core": plan.engine.core}}
            if plan.engine
            else {}
        ),
        "blocks": [{"window": block.window, "map": block.map} for block in plan.blocks],
        **({"ram": {"base": hex(plan.ram_base), "bytes": plan.ram}} if plan.ram else {}),
    }


def readme(plan: Plan) -> str:
    """The text of README.txt."""
    ports = ", ".join(link.name for link in plan.links) or "none (the top is a slave)"
    ram = f"\nRAM at {plan.ram_base:#x}, {plan.ram:#x} bytes" if plan.ram else ""
    engines = f"; engines' at {plan.engine.base:#x}, {STEP:#x} bytes each" if plan.engine else ""
    return f"""\
{plan.module.name} on {plan.title}
{NEVER_RUN}: the first run may stop at what no reading of manuals shows.

    vivado -mode batch -source build.tcl

needs Vivado 2019.1 or newer with the board files of {" or ".join(plan.presets)}
(Tools > Vivado Store > Boards), and leaves, in this directory:

    system.bit            the bitstream
    system.xsa            hardware and bitstream for Vitis, PetaLinux and others
    reports/              utilisation, timing, clocks, design rules; read by `axiometer show DIR`

Ports: {ports}; {plan.width} bit, {plan.protocol}
Clock: {float(plan.mhz):g} MHz (asked: {float(plan.asked_mhz):g})
Registers at {plan.registers_base:#x}, {plan.registers_size:#x} bytes{engines}{ram}
From here to the first table: STEPS.md
"""
