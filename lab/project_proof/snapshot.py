"""What is written for a design of each top, one board a chip (`snapshots/`): whole for the first
design of a chip, then what differs from it. A test compares, so that a change of a project is seen
in review; `python -m project_proof --write` writes them anew.

Left out: RTL, the first experiment (tests run it), the plan, and the .qsys (`quartus` holds it
against the script). Of `component.xml` there are the bus interfaces and constraints, of the wrapper
the parameters.
"""

from __future__ import annotations

import difflib
import itertools
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from project_proof import component, facts, written

DESIGNS = facts.LISTED["snapshots"]
_NOTICE = "Written by `python -m project_proof --write`: do not edit it."


def file(name: str) -> Path:
    return Path(__file__).parent / "snapshots" / f"{name}.txt"


def text(name: str) -> str:
    """The snapshot as it is now."""
    first = _files(*DESIGNS[name][0])
    lines = [_NOTICE, ""]
    for number, (board, design) in enumerate(DESIGNS[name]):
        lines += [f"==== {board} --top {design}", ""]
        here = first if number == 0 else _files(board, design)
        for file in sorted(first.keys() | here.keys()):
            if number == 0:
                lines += [f"---- {file}", *here[file], ""]
            elif file not in here:
                lines += [f"---- {file}: not written", ""]
            elif changed := list(_changed(first.get(file, []), here.get(file, []))):
                lines += [f"---- {file}", *changed, ""]
    return "\n".join(lines)


def _changed(old: list[str], new: list[str]) -> Iterator[str]:
    for line in difflib.unified_diff(old, new, n=0, lineterm=""):
        if not line.startswith(("@@", "---", "+++")):
            yield line


def _files(board: str, design: str) -> dict[str, list[str]]:
    """The lines of every written file of a project, in which TOP is the top's name."""
    with tempfile.TemporaryDirectory(prefix="axiometer-project-") as directory:
        place = Path(directory)
        made = written(board, f"--top {design}", place)
        left_out = {path.name for path in (*made.headers, *made.sources)}
        left_out |= {"first.toml", "axm_system.qsys", "plan.json"}
        names = re.compile(rf"{made.module.name}|axm_{made.identifier}(?=_|\b)")
        found: dict[str, list[str]] = {}
        for path in place.rglob("*"):
            name = path.relative_to(place)
            if path.is_file() and path.name not in left_out and name.parts[0] != "software":
                found[names.sub("TOP", str(name))] = [names.sub("TOP", s) for s in _short(path)]
        return found


def _short(path: Path) -> list[str]:
    """The lines of a file, where those that repeat what another says are left out."""
    if path.name == "component.xml":
        return component.digest(path)
    text = path.read_text("utf-8")
    if path.name.endswith("_ip.v"):  # its ports are the component's
        return re.findall(r"\.\w+\((?:32'd)?\d+\)", text)
    if path.name.endswith("_hw.tcl"):  # what follows with the same command is in one line
        lines = (line.partition(" ") for line in text.splitlines() if ".sv" not in line)
        return [
            f"{command} {'; '.join(rest for *_, rest in same)}"
            for command, same in itertools.groupby(lines, lambda parts: parts[0])
        ]
    return text.splitlines()
