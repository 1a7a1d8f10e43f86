"""Write docs/boards/: for each board with projects, the steps from the SD card to the first table.

Usage: python tools/board_pages.py [--write]

Without --write, print the names of outdated pages; exit status 1 if there are any. A page is the
STEPS.md of `axiometer build BOARD --top dma` (UltraScale+: traffic); a test compares some.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from axiometer.bringup.projects import devicetree, plan, steps
from axiometer.bringup.projects.make import make
from axiometer.bringup.projects.quartus import board as intel

PAGES = Path(__file__).resolve().parents[1] / "docs" / "boards"
END = "`python tools/board_pages.py --write` makes this page; do not edit it."


def page(board: str) -> str:
    """The page of a board, as text."""
    top = steps.usual_top(board)
    made = make(board, top)
    return f"{steps.text(made, devicetree.choose(made), f'{board} --top {top}')}\n{END}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--write", action="store_true", help="write the pages")
    write = parser.parse_args().write
    stale = []
    for board in [*plan.boards(), *intel.boards()]:
        text = page(board)
        file = PAGES / f"{board}.md"
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            stale.append(file.name)
            if write:
                PAGES.mkdir(exist_ok=True)
                file.write_text(text, encoding="utf-8")
    print("\n".join(stale) or "all pages are current")
    return 1 if stale and not write else 0


if __name__ == "__main__":
    raise SystemExit(main())
