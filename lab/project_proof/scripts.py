"""Runs a Tcl script of a project in a real tclsh, and gives back the commands of the vendor's tool
that it calls (`stub.tcl` answers them)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from axiometer.base.errors import AxiometerError

LIMIT_S = 60
_STUB = Path(__file__).with_name("stub.tcl")


@dataclass(frozen=True)
class Call:
    """A command as the tool would get it, and the line of the script."""

    where: str
    name: str
    words: tuple[str, ...]

    def option(self, name: str) -> str:
        """The word behind an option; "" if it is not given."""
        return self.words[self.words.index(name) + 1] if name in self.words else ""


def run(script: Path, answers: Mapping[str, str] | None = None) -> tuple[list[Call], list[str]]:
    """The calls of a script, and why it stops. answers: of the tool, by command or by command and
    first word. AxiometerError if there is no tclsh."""
    tclsh = needed("tclsh", "tcl")
    words = " ".join(f"{{{word}}}" for pair in (answers or {}).items() for word in pair)
    done = subprocess.run(
        [tclsh, _STUB, script], cwd=script.parent, env={**os.environ, "AXM_ANSWERS": words},
        capture_output=True, text=True, timeout=LIMIT_S, check=False,
    )  # fmt: skip
    calls, wrong = [], []
    for row in done.stdout.splitlines():
        file, line, name, *rest = [bytes.fromhex(word[1:]).decode() for word in row.split()]
        if name == "axm_failed":
            wrong.append(f"{script.name}: stops: {rest[0]}")
        elif name != "axm_done":
            calls.append(Call(f"{Path(file).name}:{line}", name, tuple(rest)))
    if "axm_done" not in bytes.fromhex((done.stdout.split() or ["x"])[-1][1:]).decode():
        wrong.append(f"{script.name}: tclsh ended early: {done.stderr.strip()}")
    return calls, wrong


def needed(program: str, package: str) -> str:
    """Where a program is. AxiometerError if it is not installed."""
    found = shutil.which(program)
    if found is None:
        raise AxiometerError(
            f"the proof needs {program}, which is not installed",
            remedy=f"sudo apt-get install {package}",
        )
    return found


def declared(wrapper: Path) -> list[tuple[str, str, int]]:
    """Name, direction (in, out, inout) and bits of the ports of a Verilog module."""
    header = wrapper.read_text("utf-8").partition(");")[0]
    found = re.findall(r"(input|output|inout) wire (?:\[(\d+):0\] )?(\w+)", header)
    return [(name, way.removesuffix("put"), int(high or 0) + 1) for way, high, name in found]
