"""Proof of what `axiometer build` writes, without the vendors' tools and without a board.

`vivado`, `quartus`: the tool's scripts; `component`: the IP for Vivado; `trees`: overlays; `boot`:
scripts that start a board; `steps`: the page that leads to the first table; `snapshot`: what is
written for a design of each top and chip. `python -m project_proof` proves each board's designs.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from axiometer.base import chip_files
from axiometer.bringup.projects import plan
from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.quartus import board as intel
from axiometer.cli import options
from axiometer.cli.commands import build
from axiometer.platform import Platform
from project_proof import boot, quartus, steps, trees, vivado

_ALL, _ALL_F = "--ports HP0+HP1+HP2+HP3", "--ports F2S0+F2S1+F2S2+F2H"
DESIGNS = {
    "Vivado": (
        f"--top dma {_ALL}",
        "--top dma --ports HP0+HP2 --memory reserved",
        "--top dma --ports HP1 --set MODE=1 --width 256",
        "--top dma --ports HP1 --set RINGS=1",
        "--top dma --ports HP1 --set RINGS=1 --driver uio --memory reserved",
        "--top traffic --ports HP0+HP3 --set MASTERS=4 --width 32 --memory reserved",
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
    ),
    "Quartus": (
        "--top dma --ports F2S0+F2S1 --memory reserved",
        f"--top dma {_ALL_F} --set MODE=1",
        "--top dma --ports F2H --set RINGS=1",
        "--top dma --ports F2S0+F2S1 --width 256",
        "--top traffic --ports F2S0+F2H --set MASTERS=4 --protocol AXI4",
        "--top traffic --ports F2S0 --width 32",
        f"--top master {_ALL_F} --set FULL=1 --pl-mhz 142.857",
        "--top convolution --ports F2S0+F2S1",
        "--top msgdma --ports F2S0+F2S1+F2S2 --set UNALIGNED=0 --set LENGTH_BITS=23",
        "--top msgdma --ports F2S0+F2H --protocol AXI4 --memory reserved",
        "--top slave --set FULL=1",
        "--top slave --set FULL=0",
    ),
}
"""What is proven of each board, by the tool: options of `axiometer build`. Each top, and each
converter, driver and memory that a project may have."""


def designs(board: str) -> list[str]:
    """What is proven of a board without `--design`; with ports that look into the caches, which
    each chip calls otherwise."""
    if board not in plan.boards():
        return list(DESIGNS["Quartus"])
    system = chip_files.read(Platform.load(board).family, "project") or {}
    ports = system["coherent"]["ports"]
    return [
        *DESIGNS["Vivado"],
        f"--top dma --ports {'+'.join(ports)} --set RINGS=1",
        f"--top vendor-sg --ports HP0+{ports[0]}",
        f"--top vendor-cdma --ports {ports[0]} --memory reserved",
    ]


def boards() -> list[str]:
    """Every board with projects."""
    return [*plan.boards(), *intel.boards()]


def written(board: str, design: str, directory: Path) -> Plan:
    """The project of `design` (options of `axiometer build`), written into `directory`."""
    parser = argparse.ArgumentParser(prog="axiometer build")
    options.add(parser, build.Options)
    asked = parser.parse_args([board, *design.split(), "-o", str(directory)])
    made, choice = build.planned(asked)
    build.write(made, choice, build.given(asked), directory)
    return made


def check(made: Plan, directory: Path) -> tuple[int, list[str]]:
    """How many of the tool's commands a project gives, and all that is wrong with it.
    AxiometerError if tclsh or dtc is not installed."""
    tool = vivado if made.tool == "Vivado" else quartus
    count, found = tool.check(made, directory)
    found = found or [*trees.check(made, directory), *boot.check(made, directory)]
    return count, found + steps.check(made, directory)
