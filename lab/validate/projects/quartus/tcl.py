"""Runs a script in a real tclsh and gives back the commands that are not Tcl's own."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from axiometer.base.errors import AxiometerError

LONGEST_S = 60
_RECORDER = Path(__file__).with_name("record.tcl")


@dataclass(frozen=True)
class Command:
    """A command as the tool would get it: `line` of the script, name, words."""

    line: int
    name: str
    words: tuple[str, ...]


def run(script: Path) -> tuple[list[Command], list[str]]:
    """The commands of a script, and why it stops. AxiometerError if there is no tclsh."""
    tclsh = shutil.which("tclsh")
    if tclsh is None:
        raise AxiometerError(
            "the proof runs scripts in tclsh, which is not installed",
            remedy="sudo apt-get install tcl",
        )
    done = subprocess.run(
        [tclsh, str(_RECORDER), str(script)], capture_output=True, text=True, timeout=LONGEST_S
    )
    commands, wrong = [], []
    ended = False
    for row in done.stdout.splitlines():
        line, *words = row.split()
        name, *rest = [bytes.fromhex(word[1:]).decode("utf-8") for word in words]
        if name == "axm_done":
            ended = True
        elif name == "axm_failed":
            wrong.append(f"{script.name}: the script stops: {rest[0]}")
        else:
            commands.append(Command(int(line), name, tuple(rest)))
    if not ended:
        wrong.append(f"{script.name}: tclsh ended early: {done.stderr.strip()}")
    return commands, wrong
