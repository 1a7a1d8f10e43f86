"""For each thing that a written project says to Intel's tools, public projects that say the same:
a section of ../sources.md.

    python -m validate.projects.quartus.sources_page [--write]

Made by proving `DESIGNS`, in which each lookup of the proof is kept. Prints the section, or writes
it. A test compares them.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from validate import marks
from validate.projects import prove
from validate.projects.quartus import facts

PAGE = Path(__file__).resolve().parents[1] / "sources.md"
COMMAND = "python -m validate.projects.quartus.sources_page --write"
BOARD = "de10-nano"
DESIGNS = (
    "--top dma --ports F2S0+F2S1",
    "--top traffic --ports F2S0+F2H --protocol AXI4",
    "--top msgdma --ports F2S0",
    "--top slave --set FULL=1",
    "--top slave --set FULL=0",
)
"""Which have everything that projects have."""
_WHERE = {
    "component": "`_hw.tcl`", "system": "system script", "project": "`.qsf`",
    "constraints": "`.sdc`", "shell": "`build.sh`",
}  # fmt: skip


def page() -> str:
    """The section."""
    facts.asked.clear()
    for design in DESIGNS:
        with tempfile.TemporaryDirectory(prefix="axiometer-project-") as directory:
            found = prove(BOARD, design, Path(directory)).found
        if found:
            raise SystemExit(f"{design}: {found[0]}")
    sources = facts.table("facts")["source"]
    lines = ["| source | repository | commit |", "|---|---|---|"]
    for name, about in sources.items():
        commit = about["commit"]
        lines.append(f"| {name} | {about['repository']} | {commit[:8]} |")
    versions = ", ".join(facts.table("facts")["versions"])
    lines += [
        "",
        f"Versions of the tool: {versions}.",
        "",
        "| what | where | projects | such as |",
        "|---|---|---|---|",
    ]
    for kind, of, name in sorted(facts.asked):
        lines.append(_row(kind, of, name))
    return "\n".join([*lines, "", f"{len(facts.asked)} things."])


def _row(kind: str, of: str, name: str) -> str:
    shown = facts.table("facts")[kind].get(of, {}) if of else facts.table("facts")[kind]
    where = _WHERE.get(of, f"{kind} of {of}" if of else kind).replace("words of ", "")
    if name not in shown:
        told = facts.table("documents")[kind][of][name]
        return f"| `{name}` | {where} | | {told} |"
    count, *names = shown[name]
    return f"| `{name}` | {where} | {count} | {', '.join(names)} |"


def main() -> int:
    if "--write" in sys.argv[1:]:
        marks.write(PAGE, COMMAND, page())
    else:
        print(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
