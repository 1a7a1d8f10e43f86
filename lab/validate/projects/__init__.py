"""Proof of what `axiometer build` writes, without the vendors' tools and without a board.

`vivado` runs a project's script with Vivado's commands replaced by checks, and compares the block
design that they make with the plan; `devicetree` compares the overlays with that block design;
`boot` runs the boot scripts, and `steps` reads the page that leads to the first table. `quartus`
does all of it for Intel's boards. `python -m validate.projects` proves each board's designs.
"""

from __future__ import annotations

import argparse
import shutil
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import chip_files
from axiometer.bringup.projects import plan
from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.quartus import board as intel
from axiometer.cli import options
from axiometer.cli.commands import build
from axiometer.platform import Platform
from validate.projects import boot, devicetree, quartus, steps, vivado
from validate.projects.vivado.recorded import Recorded

_ALL = "--ports HP0+HP1+HP2+HP3"
DESIGNS = (
    f"--top dma {_ALL}",
    "--top dma --ports HP0+HP2 --memory reserved",
    "--top dma --ports HP1 --set MODE=1 --width 256",
    "--top dma --ports HP1 --set RINGS=1",
    "--top dma --ports HP1 --set RINGS=1 --driver uio --memory reserved",
    "--top traffic --ports HP0+HP3 --set MASTERS=4 --width 32 --memory reserved",
    "--top traffic --ports HP0+HP3 --memory reserved",
    "--top traffic --ports HP3 --width 32",
    "--top traffic --ports HP2 --width 64 --protocol AXI3",
    "--top traffic --ports HP2 --width 64 --protocol AXI4",
    f"--top master {_ALL} --set FULL=1",
    "--top convolution --ports HP0+HP2",
    "--top slave --set FULL=1",
    "--top slave --set FULL=0",
    "--top vendor-dma --ports HP0+HP2 --driver mainline",
    f"--top vendor-sg {_ALL} --width 64",
    "--top vendor-cdma --ports HP1 --width 128 --driver mainline",
    "--top traffic-generator --ports HP0+HP3",
)
"""What is proven of every board: options of `axiometer build`. Each top, and each converter, driver
and memory that a project may have."""


@dataclass(frozen=True)
class Proof:
    """A project, what its script did, and everything that is wrong: none if it is proven."""

    plan: Plan
    recorded: Recorded | quartus.Recorded
    found: list[str]


def designs(board: str) -> tuple[str, ...]:
    """What is proven of a board without `--design`."""
    return (*DESIGNS, *coherent(board)) if board in plan.boards() else quartus.DESIGNS


def coherent(board: str) -> tuple[str, ...]:
    """Designs with ports that look into the caches, which each chip calls otherwise."""
    system = chip_files.read(Platform.load(board).family, "project") or {}
    ports = system["coherent"]["ports"]
    return (
        f"--top dma --ports {'+'.join(ports)} --set RINGS=1",
        f"--top vendor-sg --ports HP0+{ports[0]}",
        f"--top vendor-cdma --ports {ports[0]} --memory reserved",
    )


def boards() -> list[str]:
    """Every board with projects."""
    return [*plan.boards(), *intel.boards()]


def prove(board: str, design: str, directory: Path) -> Proof:
    """Write the project of `design` (options of `axiometer build`) into `directory`, and prove it;
    the device tree only where dtc is. AxiometerError if there is no tclsh, or no such project."""
    parser = argparse.ArgumentParser(prog="axiometer build")
    options.add(parser, build.Options)
    asked = parser.parse_args([board, *design.split(), "-o", str(directory)])
    made, choice = build.planned(asked)
    build.write(made, choice, build.given(asked), directory)
    page = steps.check(made, directory)
    if made.tool == "Quartus":
        recorded, found = quartus.check(made, directory)
        return Proof(made, recorded, found + page)
    recorded, found = vivado.run(made, directory)
    if not found:
        if shutil.which("dtc"):
            found = devicetree.check(recorded, made, directory)
        found = found + boot.left_out(recorded, made) + boot.check(made, directory)
    return Proof(made, recorded, found + page)
