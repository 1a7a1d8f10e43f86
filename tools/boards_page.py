"""docs/boards.md: every board, its memory, and what to expect at each of its ports.

Usage: python tools/boards_page.py [--write] [--jobs N]

Prints the page, or writes it: some three minutes on one core. Rates are those of
`axiometer expect --repeats 3` with nothing else said. A test compares a few rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.platform.port_sets import all_at_once, at_memory
from axiometer.present import boards as words
from axiometer.published import catalogue
from axiometer.runs.backends import model

PAGE = Path(__file__).resolve().parents[1] / "docs" / "boards.md"
REPEATS = 3
HEAD = f"""\
# Boards
For those who ask whether their board is there, and what it gives. `axiometer list boards` has their
other names; any is a `--board`.

Rates are MB/s (1e6 bytes a second), *read / write* as the memory sees it, simulated: what
`axiometer expect --board BOARD --ports PORT --mode read --repeats {REPEATS}` says, at the clock
of the fabric under *PL*, each port at its full width. *All* is every port of the chip's greatest
width that reaches the memory past no cache, at once; *all, fast* the same at the highest clock that
the chip's fabric may have.
*PLL* is what the board's registers set for the fabric's clock, which is it over a product of two
whole numbers up to 63; a design may set it otherwise.

*Figures*: *measured* if somebody published rates of the board; otherwise where its figures come
from. Ports marked with * have no published measurement on any board.

Not here: `dlc21` (SmartLynq+, zynqmp-dlc21-revA), which decodes. Its DDR4 has 32 bits, so a column
command moves 32 bytes, and the 4096 bytes that a path of Zynq UltraScale+ may have under way are
128 of them; the model holds 64.
"""
TAIL = "\nMade by `tools/boards_page.py --write`; do not edit it.\n"
LEGEND = ("board", "figures", "DRAM", "bits", "MiB", "MT/s", "peak", "PLL, MHz", "PL, MHz")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    with ProcessPoolExecutor(args.jobs) as pool:
        text = page(pool)
    if args.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


def page(pool: ProcessPoolExecutor) -> str:
    """The whole page, its rows made by `pool`."""
    parts = [HEAD]
    for chip in catalogue.chips():
        error = words.documents([chip])[0]["chip_error_percent"]
        platform = Platform.load(chip.boards[0].name)
        titles = [*LEGEND, *map(_title(platform), at_memory(platform)), "all", "all, fast"]
        parts += [f"\n## {chip.title}\n{words.error_words(error)}\n\n", _line(titles)]
        parts.append("|---" * len(titles) + "|\n")
        parts += pool.map(row, chip.boards)
    return "".join([*parts, TAIL])


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
    """What stands in a board's line before its rates."""
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
