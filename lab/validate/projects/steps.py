"""STEPS.md of a project: each command is one that the project has, or that an earlier one made.

Commands of this project are parsed by its own parser; files that a command names are there, or are
what an earlier command leaves. Nothing is run: a test makes the agents of one project.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from axiometer.base.errors import AxiometerError
from axiometer.bringup.projects.plan import Plan
from axiometer.cli.command_line import parser

ROOT = Path(__file__).resolve().parents[3]
MAKES = {
    "vivado": ("system.bit", "system.xsa", "ps7_init.tcl", "psu_init.tcl"),
    "sh build.sh": ("axm.rbf",),
    "bootgen": ("system.bit.bin",),
}
"""What a tool leaves, by how the command begins; others say it by `-o`, or as their last word."""

FREE = {"BOARD.dtb", "CARD", "HEADERS"}
"""What the reader has, or gives."""


def check(plan: Plan, directory: Path) -> list[str]:
    """What is wrong with the page of a written project; [] if nothing is."""
    lines = (directory / "STEPS.md").read_text(encoding="utf-8").splitlines()
    found: list[str] = []
    own, _ = parser()
    there = {str(path.relative_to(directory)) for path in directory.rglob("*")}
    there |= FREE
    for command in (line[4:] for line in lines if line.startswith("    ")):
        words = shlex.split(command)
        if words[0] == "axiometer":
            try:
                own.parse_args(words[1:])
            except AxiometerError as error:
                found.append(f"STEPS.md: {command}: {error}")
            words = [w for w in words if not w.startswith("ssh:")]
        there |= set(_made(command, words))
        for word in _files(words):
            if word not in there:
                found.append(f"STEPS.md: {word} is not there: {command}")
    if plan.never_run not in "\n".join(lines):
        found.append("STEPS.md does not say that it was never run")
    return found


def _files(words: list[str]) -> Iterator[str]:
    """Words that name a file of the project; what is on the board, or given to make, is none."""
    if words[0] == "ssh":
        return
    for word in words[1:]:
        plain = word.rstrip("/")
        inside = plain.startswith(("boot/", "linux/", "software/"))
        named = inside or re.search(r"\.[A-Za-z]", plain)
        outside = ":" in word or "=" in word or "," in word or word.startswith(("-", "/"))
        if named and not outside:
            yield plain


def _made(command: str, words: list[str]) -> Iterator[str]:
    for beginning, files in MAKES.items():
        if command.startswith(beginning):
            yield from files
    for option in ("-o", "--rows"):
        if option in words:
            yield words[words.index(option) + 1]
    if words[0] in ("mkimage", "mv"):
        yield words[-1]
    if words[0] == "unzip":
        yield words[2]
        yield f"boot/{words[2]}"
    if words[0] == "make":
        yield from ("axiometer-agent", "boot/axm-agent.elf")
        if "drivers/linux" in words:  # its Kbuild names the module
            module = re.search(r"obj-m := (\w+)\.o", (ROOT / "drivers/linux/Kbuild").read_text())
            assert module is not None
            yield f"drivers/linux/{module[1]}.ko"
