"""`axiometer check`: find mistakes in a design before synthesis, or in measured rows."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol

from axiometer.api import file_kinds
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console, needs

if TYPE_CHECKING:
    from pathlib import Path

HELP = "find mistakes in a design before synthesis, or in a file of measured rows"


class Options(console.Printed, Protocol):
    """The values of the command line."""

    file: Path
    board: str | None
    no_costs: bool
    need: str | None
    verbose: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        type=console.path,
        help=".xsa, .hdf, .hwh, .hwh.xz, .tcl or .qsys, the directory of an export, or a design "
        "file; or a CSV file of axiometer measure --rows",
    )
    parser.add_argument(
        "--board",
        metavar="BOARD",
        help="the board to simulate costs and --need on (default: the design's own)",
    )
    parser.add_argument(
        "--no-costs",
        action="store_true",
        help="list the findings without simulating their costs",
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="every finding with its reason and cost"
    )
    needs.add(parser)
    console.add_plain(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: Options) -> int:
    """0 without mistakes and with all needs met, else 1; advice does not count."""
    from axiometer.base.errors import RUN_FAILED

    if file_kinds.kind(str(args.file)) == file_kinds.ROWS:
        return _rows(args)
    from axiometer.api.checking import check
    from axiometer.present.text import Style

    found = check(args.file, need=args.need, platform=args.board, costs=not args.no_costs)
    if args.json:
        console.show_json(found.to_dict())
    else:
        style = Style.of_stdout(args.plain)
        console.show_lines(found.lines(style, args.verbose), style)
    return 0 if found.passed else RUN_FAILED


def _rows(args: Options) -> int:
    from axiometer.present.text import Style
    from axiometer.published import contributed

    if args.need is not None:
        raise AxiometerError(
            "--need is for a design; rows are measured rates",
            remedy="leave --need out, or use: axiometer expect BOARD PORTS --need RATE",
        )
    found = contributed.check(args.file)
    if args.json:
        console.show_json({"file": str(args.file), "rows": found})
    else:
        console.show_lines([f"{args.file}: {found}"], Style.of_stdout(args.plain))
    return 0
