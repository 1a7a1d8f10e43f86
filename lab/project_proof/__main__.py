"""Proves the projects of boards: `python -m project_proof [BOARD ...] [--design OPTIONS]`;
`--write` writes the snapshots anew.

Exit status 1 with what is wrong, 2 where a project cannot be proven.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from axiometer.base.errors import AxiometerError
from project_proof import boards, check, designs, snapshot, written


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m project_proof", description=__doc__)
    parser.add_argument("board", nargs="*", metavar="BOARD", help="default: all with projects")
    parser.add_argument("--design", metavar="OPTIONS", help="only this one, as of axiometer build")
    parser.add_argument("--write", action="store_true", help="write the snapshots instead")
    args = parser.parse_args(words)
    if args.write:
        for name in snapshot.DESIGNS:
            snapshot.file(name).write_text(snapshot.text(name), "utf-8")
        return 0
    wrong = 0
    for board in args.board or boards():
        asked = designs(board) if args.design is None else [args.design]
        wrong += sum(not proven(board, design) for design in asked)
    return 1 if wrong else 0


def proven(board: str, design: str) -> bool:
    """Whether a project is proven; prints that, or the faults."""
    with tempfile.TemporaryDirectory(prefix="axiometer-project-") as directory:
        count, found = check(written(board, design, Path(directory)), Path(directory))
    lines = [f"wrong: {finding}" for finding in found] or [f"proven: {count} commands"]
    print(f"{board} {design}:", *lines, sep="\n  ", flush=True)
    return not found


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AxiometerError as error:
        print(error, error.remedy or "", file=sys.stderr)
        sys.exit(2)
