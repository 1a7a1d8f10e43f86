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

_MODULE = re.compile(r"obj-m := (\w+)\.o")
_KBUILD = Path(__file__).resolve().parents[2] / "drivers" / "linux" / "Kbuild"
_MAKES = {
    "vivado": ("system.bit", "system.xsa", "ps7_init.tcl", "psu_init.tcl"),
    "sh build.sh": ("axm.rbf",),
    "bootgen": ("system.bit.bin",),
    "make": ("axiometer-agent", "boot/axm-agent.elf"),
}
"""What a tool leaves, by how the command begins; others say it by `-o`, or as their last word."""
_FREE = {"BOARD.dtb", "CARD", "HEADERS"}
"""What the reader has, or gives."""


def check(plan: Plan, directory: Path) -> list[str]:
    """What is wrong with the page of a written project; [] if nothing is."""
    text = (directory / "STEPS.md").read_text("utf-8")
    found = [] if plan.never_run in text else ["STEPS.md does not say that it was never run"]
    there = {str(path.relative_to(directory)) for path in directory.rglob("*")} | _FREE
    for command in re.findall(r"^    (\S.*)", text, re.M):
        words = shlex.split(command)
        if words[0] == "axiometer":
            try:
                parser()[0].parse_args(words[1:])
            except AxiometerError as error:
                found.append(f"STEPS.md: {command}: {error}")
            words = [word for word in words if not word.startswith("ssh:")]
        there |= set(_made(command, words))
        missing = [word for word in _files(words) if word not in there]
        found += [f"STEPS.md: {word} is not there: {command}" for word in missing]
    return found


def _files(words: list[str]) -> Iterator[str]:
    """Words that name a file of the project; what is on the board, or given to make, is none."""
    for word in words[1:] if words[0] != "ssh" else []:
        plain = word.rstrip("/")
        inside = plain.startswith(("boot/", "linux/", "software/"))
        outside = re.match(r"[-/]", word) or re.search(r"[:=,]", word)
        if (inside or re.search(r"\.[A-Za-z]", plain)) and not outside:
            yield plain


def _made(command: str, words: list[str]) -> Iterator[str]:
    for beginning, files in _MAKES.items():
        if command.startswith(beginning):
            yield from files
    for option in {"-o", "--rows"} & set(words):
        yield words[words.index(option) + 1]
    if words[0] in ("mkimage", "mv"):
        yield words[-1]
    if words[0] == "unzip":
        yield from (words[2], f"boot/{words[2]}")
    if "drivers/linux" in words and (module := _MODULE.search(_KBUILD.read_text("utf-8"))):
        yield f"drivers/linux/{module[1]}.ko"
