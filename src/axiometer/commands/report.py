"""`axiometer report`: one HTML file of one or more runs, which works offline."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from axiometer import output
from axiometer.commands import console
from axiometer.errors import AxiometerError

if TYPE_CHECKING:
    from axiometer.analysis.results import View

HELP = "write a report of runs, or of your design, as one HTML file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run_refs",
        metavar="RUN",
        nargs="*",
        help="ids of runs, names of experiments, or latest (default); or the file of a design",
    )
    console.add_settings(parser)
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

    views = [_view(ref, args) for ref in args.run_refs or ["latest"]]
    first = views[0].run_id
    path = args.output or console.path(f"{console.path(first).stem}.html")
    output.write_text(path, html.page(views))
    console.say_written(path)
    return 0


def _view(ref: str, args: argparse.Namespace) -> View:
    if console.is_design(ref):
        from axiometer.api import design_answers

        return design_answers.opened_view(ref, args.platform, args.set)
    console.no_settings(args)
    return console.load_view(ref, args.store)


def _board(args: argparse.Namespace) -> int:
    from axiometer.platform import Platform
    from axiometer.present import board, board_page, html

    if args.run_refs:
        raise AxiometerError(
            "--board and RUN exclude each other", remedy="a board's report finds its runs itself"
        )
    name = Platform.load(args.board).name
    files = args.with_files
    runs = board.load(name, args.store, files)
    path = args.output or console.path(f"{name}.html")
    # Figures against burst size need runs that sweep it; any others are shown one after another.
    whole = board_page.render(runs) if runs else html.page(board.others(name, args.store, files))
    output.write_text(path, whole)
    console.say_written(path)
    return 0
