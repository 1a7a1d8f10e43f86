"""`axiometer report`: one HTML file of one or more runs, which works offline."""

from __future__ import annotations

import argparse

from axiometer import output
from axiometer.commands import console
from axiometer.errors import AxiometerError

HELP = "write a report of runs as one HTML file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run_refs",
        metavar="RUN",
        nargs="*",
        help="ids of runs, names of experiments, or latest (default)",
    )
    parser.add_argument("--store", metavar="PATH", help="the file that keeps the runs")
    parser.add_argument(
        "--board",
        metavar="PLATFORM",
        help="all experiments of a board, with the figures of its publication redrawn",
    )
    parser.add_argument(
        "--with",
        dest="with_files",
        action="append",
        default=[],
        metavar="FILE.csv",
        help="with --board: published figures of your own; give it again for more",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE.html",
        type=console.path,
        help="(default: RUN.html or PLATFORM.html)",
    )


def run(args: argparse.Namespace) -> int:
    if args.board:
        return _board(args)
    if args.with_files:
        raise AxiometerError("--with needs --board", remedy="give --board PLATFORM as well")
    from axiometer.present import html

    views = [console.load_view(ref, args.store) for ref in args.run_refs or ["latest"]]
    path = args.output or console.path(f"{views[0].run_id}.html")
    output.write_text(path, html.page(views))
    console.say_written(path)
    return 0


def _board(args: argparse.Namespace) -> int:
    from axiometer.platform import Platform
    from axiometer.present import board, board_page

    if args.run_refs:
        raise AxiometerError(
            "--board and RUN exclude each other", remedy="a board's report finds its runs itself"
        )
    name = Platform.load(args.board).name
    runs = board.load(name, args.store, args.with_files)
    path = args.output or console.path(f"{name}.html")
    output.write_text(path, board_page.render(runs))
    console.say_written(path)
    return 0
