"""Proof of a written project for Quartus, without Quartus and without a board.

`component` and `system` run `_hw.tcl` and the system's script in a real tclsh, with each command,
property, interface, signal and parameter checked against `facts.toml`, facts of public projects
(`extract` writes it; `documents.toml` has facts of documents only). `wanted` compares the system
with the plan and with the board's figures, `engines` the vendor's engines with the instrument's
parameters, `project` the files around it, `linux` the overlays and the script for U-Boot. It cannot
show that the tools behave as public projects imply.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from axiometer.bringup.projects.plan import Plan
from validate.projects.quartus import component, engines, linux, project, system, wanted
from validate.projects.quartus.system import Recorded

_ALL = "--ports F2S0+F2S1+F2S2+F2H"
DESIGNS = (
    "--top dma --ports F2S0",
    "--top dma --ports F2S0+F2S1 --memory reserved",
    f"--top dma {_ALL} --set MODE=1",
    "--top dma --ports F2H --set RINGS=1",
    "--top dma --ports F2S0+F2S1 --width 256",
    "--top traffic --ports F2S0+F2H --set MASTERS=4 --protocol AXI4",
    "--top traffic --ports F2S0 --width 32",
    f"--top master {_ALL} --set FULL=1 --pl-mhz 142.857",
    "--top convolution --ports F2S0+F2S1",
    "--top msgdma --ports F2S0",
    "--top msgdma --ports F2S0+F2S1+F2S2 --set UNALIGNED=0 --set LENGTH_BITS=23",
    "--top msgdma --ports F2S0+F2H --protocol AXI4 --memory reserved",
    "--top slave --set FULL=1",
    "--top slave --set FULL=0",
)
"""What is proven of every board, as `validate.projects.DESIGNS`."""


def check(plan: Plan, directory: Path) -> tuple[Recorded, list[str]]:
    """The system of a project, and everything that is wrong with the project: none if proven; the
    device tree only where dtc is. AxiometerError if there is no tclsh."""
    name = f"axm_{plan.top}"
    own, found = component.read(directory / "ip" / name / f"{name}_hw.tcl")
    it, wrong = system.read(directory / "axm_system.tcl", own)
    found += wrong
    if found:
        return it, found
    found += wanted.compare(it, own, plan)
    found += engines.check(it, own, plan, directory)
    found += project.settings(it, plan, directory)
    found += project.timing(it, plan, directory)
    found += project.pins(it, plan, directory)
    found += project.kept(it, directory)
    found += project.script(it, directory)
    found += project.imported(own, plan, directory)
    found += linux.uboot(it, plan, directory)
    if shutil.which("dtc"):
        found += linux.overlays(it, own, plan, directory)
    return it, list(dict.fromkeys(found))
