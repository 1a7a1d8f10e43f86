"""Writes a project's boot scripts."""

from __future__ import annotations

from pathlib import Path

from axiometer.base import atomic_file
from axiometer.bringup.projects import boot
from axiometer.bringup.projects.boot import jtag, shell, socfpga, uboot
from axiometer.bringup.projects.devicetree import Choice
from axiometer.bringup.projects.plan import Plan


def write(plan: Plan, choice: Choice, directory: Path) -> list[Path]:
    """Write the scripts into `boot/` of a project's directory and return the written files.
    AxiometerError where they cannot be written."""
    if plan.tool == "Quartus":
        return atomic_file.write_texts(
            directory / boot.FOLDER, {"boot.cmd": socfpga.text(plan, choice)}
        )
    texts = {
        "afi.sh": shell.afi(plan),
        "overlay.sh": shell.overlay(plan),
        "boot.cmd": uboot.text(plan, choice),
        "xsdb.tcl": jtag.xsdb(plan),
    }
    if "openocd" in boot.of_chip(plan):
        texts["openocd.cfg"] = jtag.openocd(plan)
    return atomic_file.write_texts(directory / boot.FOLDER, texts)
