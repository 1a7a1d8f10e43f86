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
from project_proof import boot, facts, quartus, steps, trees, vivado

DESIGNS = facts.LISTED["designs"]


def designs(board: str) -> list[str]:
    """What is proven of a board without `--design`."""
    if board not in plan.boards():
        return list(DESIGNS["Quartus"])
    system = chip_files.read(Platform.load(board).family, "project") or {}
    ports = system["coherent"]["ports"]
    names = {"all": "+".join(ports), "first": ports[0]}
    return [*DESIGNS["Vivado"], *(each.format(**names) for each in DESIGNS["coherent"])]


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
