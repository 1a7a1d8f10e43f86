"""Proves the projects of boards: `python -m validate.projects [BOARD ...] [--design OPTIONS]`.

Exit status 1 with what is wrong, 2 where a project cannot be proven.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from axiometer.base.errors import AxiometerError
from validate.projects import boards, designs, prove, quartus


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m validate.projects",
        description="Proves written projects without the vendors' tools and without a board.",
    )
    parser.add_argument("board", nargs="*", metavar="BOARD", help="default: all with projects")
    parser.add_argument(
        "--design",
        metavar="OPTIONS",
        help='only this project, as options of `axiometer build`: "--top dma --ports HP0+HP2"',
    )
    args = parser.parse_args(words)
    if shutil.which("dtc") is None:
        print(
            "Device trees are not proven, as dtc is not installed: "
            "sudo apt-get install device-tree-compiler"
        )
    wrong = 0
    try:
        for board in args.board or boards():
            asked = designs(board) if args.design is None else [args.design]
            wrong += sum(not proven(board, design) for design in asked)
    except AxiometerError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    return 1 if wrong else 0


def proven(board: str, design: str) -> bool:
    """Whether a project is proven; prints that, or the faults."""
    with tempfile.TemporaryDirectory(prefix="axiometer-project-") as directory:
        proof = prove(board, design, Path(directory))
    it = proof.recorded
    if isinstance(it, quartus.Recorded):
        summary = (
            f"{it.commands} commands, {len(it.kinds)} cores, {len(it.connections)} connections"
        )
    else:
        summary = (
            f"{it.commands} commands, {len(it.cells)} cells, {len(it.buses)} buses, "
            f"{len(it.addresses)} address segments"
        )
    lines = [f"wrong: {finding}" for finding in proof.found] or [f"proven: {summary}"]
    print(f"{board} {design}:", *lines, sep="\n  ", flush=True)
    return not proof.found


if __name__ == "__main__":
    sys.exit(main())
