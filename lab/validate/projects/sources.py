"""For each construct of Vivado projects a public project that has it: a section of sources.md.

`python -m validate.projects.sources --write` proves the projects of a board of each chip; what the
proof asked of `facts.json` on the way is what the page lists.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

from validate import marks
from validate.projects import designs, facts, prove

PAGE = Path(__file__).parent / "sources.md"
BOARDS = ("zybo", "zcu102")
_KINDS = {
    "core": "Cores",
    "setting": "Settings of cores, and their values",
    "pin": "Pins that are wired",
    "interface": "Interfaces that are wired",
    "space": "Address spaces",
    "segment": "Address segments",
    "rule": "Automation of the processor system, with what it is given",
    "command": "Commands, with their options",
    "property": "Properties",
    "element": "component.xml: elements and attributes",
    "parameter": "component.xml: parameters of buses",
    "target": "Device tree: what is put into nodes of the kernel's",
    "node": "Device tree: properties of nodes",
}
COMMAND = "python -m validate.projects.sources --write"
_HEAD = """\
Each construct is shown by some of the {repositories} repositories that were read, made with Vivado
{first} to {last} ({versions} versions). The table has how many, and one of them with path, commit
and version.
"""


def page(used: Collection[facts.Key]) -> str:
    """The section for the facts `used`."""
    repositories, versions = facts.extent()
    lines = [_HEAD.format(repositories=repositories, first=versions[0], last=versions[-1],
                          versions=len(versions))]  # fmt: skip
    for kind, title in _KINDS.items():
        lines += [f"### {title}", "| construct | of | for one |", "|---|---|---|"]
        lines += [row(key) for key in sorted(used) if key[0] == kind]
        lines.append("")
    return "\n".join(lines).rstrip()


def row(key: facts.Key) -> str:
    """A line of the page. KeyError if no export shows the construct."""
    count, places = facts.places(*key)
    one = places[0]
    version = f", {one.version}" if one.version else ""
    name = " ".join(part.removeprefix("xilinx.com:") for part in key[1:])
    return f"| `{name}` | {count} | {one.repository} `{one.path}` ({one.commit[:10]}{version}) |"


def main(words: Sequence[str]) -> int:
    for board in BOARDS:
        for design in designs(board):
            with tempfile.TemporaryDirectory(prefix="axiometer-project-") as directory:
                for finding in prove(board, design, Path(directory)).found:
                    print(f"{board} {design}: {finding}")
                    return 1
    text = page(facts.used)
    if "--write" in words:
        marks.write(PAGE, COMMAND, text)
    print(f"{len(facts.used)} constructs")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
