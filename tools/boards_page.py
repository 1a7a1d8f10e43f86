"""Every board, its memory, and the rates of its ports: a section of docs/boards.md.

Usage: python tools/boards_page.py [--write] [--jobs N]

Prints the section, or writes it: half a minute on one core. Rates are those of
`axiometer expect --repeats 3` with defaults. A test compares a few rows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.platform.port_sets import all_at_once, at_memory
from axiometer.published import catalogue
from axiometer.runs.backends import model

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lab"))
from validate import marks  # noqa: E402

PAGE = ROOT / "docs" / "boards.md"
COMMAND = "python tools/boards_page.py --write"
REPEATS = 3
LEGEND = ("board", "figures", "DRAM", "bits", "MiB", "MT/s", "peak", "PLL, MHz", "PL, MHz")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    with ProcessPoolExecutor(args.jobs) as pool:
        text = page(pool)
    if args.write:
        marks.write(PAGE, COMMAND, text)
    else:
        print(text)
    return 0


def page(pool: ProcessPoolExecutor) -> str:
    """The section, its rows made by `pool`."""
    parts = []
    for chip in catalogue.chips():
        platform = Platform.load(chip.boards[0].name)
        titles = [*LEGEND, *map(_title(platform), at_memory(platform)), "all", "all, fast"]
        parts += [f"\n### {chip.title}\n", _line(titles)]
        parts.append("|---" * len(titles) + "|\n")
        parts += pool.map(row, chip.boards)
    return "".join(parts).strip("\n")


def row(board: catalogue.Board) -> str:
    """The line of a board in the table of its chip; a clock is the platform's default."""
    platform = Platform.load(board.name)
    every = "+".join(all_at_once(platform))
    highest = platform.leaf("clocks.pl_mhz").max
    return _line(
        [
            *facts(board, platform),
            *(rates(platform, port) for port in at_memory(platform)),
            rates(platform, every) if "+" in every else "",
            rates(platform, every, pl_mhz=highest),
        ]
    )


def facts(board: catalogue.Board, platform: Platform) -> list[str]:
    """The cells of a board's line before its rates."""
    value = platform.value
    mhz, bits = value("clocks.ddr_mhz"), value("dram.bus_bits")
    pll = value("clocks.pl_pll_mhz", None)
    return [
        f"`{board.name}`",
        board.origin,
        value("dram.type"),
        str(bits),
        str(value("dram.size_MiB")),
        f"{2 * mhz:.0f}",
        f"{2 * mhz * bits / 8:.0f}",
        "" if pll is None else f"{pll:.6g}",
        f"{value('clocks.pl_mhz'):g}",
    ]


def rates(platform: Platform, ports: str, **keys: object) -> str:
    """Mean rates of reading and of writing, in MB/s."""
    found = []
    for mode in ("read", "write"):
        given = {"ports": ports, "mode": mode, "repeats": REPEATS, **keys}
        records = model.run_repeats(platform, points.single(platform, given), 0, 0, REPEATS)
        found.append(sum(record["total_MBps"] for record in records) / REPEATS)
    return " / ".join(f"{rate:.0f}" for rate in found)


def _title(platform: Platform):
    return lambda port: f"{port}*" if platform.unvalidated([port]) else port


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    raise SystemExit(main())
