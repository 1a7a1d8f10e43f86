"""`axiometer report`: one HTML file of one or more runs, which works offline."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol

from axiometer.base import output
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console

if TYPE_CHECKING:
    from pathlib import Path

    from axiometer.answer.analysis.results import View
    from axiometer.platform import Platform

HELP = "write a report of runs, or of your design, as one HTML file"


class Options(console.Changes, Protocol):
    """What the command line says."""

    run_refs: list[str]
    store: str | None
    board: str | None
    with_files: list[str]
    output: Path | None


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
        help="all runs of a board, with the figures of its publication redrawn; of one that was "
        "not run, what its ports give",
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
        type=console.place,
        help="(default: RUN.html or PLATFORM.html)",
    )


def run(args: Options) -> int:
    from axiometer.present import drawing

    drawing.check()
    if args.board:
        return _board(args.board, args)
    if args.with_files:
        raise AxiometerError("--with needs --board", remedy="give --board PLATFORM as well")
    from axiometer.present import html

    views = [_view(ref, args) for ref in args.run_refs or ["latest"]]
    first = views[0].run_id
    path = args.output or console.path(f"{console.path(first).stem}.html")
    output.write_text(path, html.page(views))
    console.say_written(path)
    return 0


def _view(ref: str, args: Options) -> View:
    if console.is_design(ref):
        from axiometer.api import design_answers

        return design_answers.opened_view(ref, args.platform, args.set)
    console.no_settings(args)
    return console.load_view(ref, args.store)


def _board(named: str, args: Options) -> int:
    from axiometer.platform import Platform
    from axiometer.present import board, board_page, html
    from axiometer.records.store import opened

    if args.run_refs:
        raise AxiometerError(
            "--board and RUN exclude each other", remedy="a board's report finds its runs itself"
        )
    platform = Platform.load(named)
    name, files = platform.name, args.with_files
    # Nobody who asks for a board alone must have a store; one that is named must be there.
    kept = opened.is_there(args.store)
    swept = opened.of_experiments(board.experiments(name), args.store) if kept else []
    runs = board.of_runs(swept, files)
    others = opened.of_platform(name, args.store) if kept and not runs else []
    views = [board.view(run, files) for run in others]
    path = args.output or console.path(f"{name}.html")
    # Figures against burst size need runs that sweep it; any others are shown one after another.
    if runs:
        whole = board_page.render(runs)
    elif views:
        whole = html.page(views, f"{len(views)} runs of {platform.title}")
    else:
        whole = html.page(_survey(platform, files), platform.title)
    output.write_text(path, whole)
    console.say_written(path)
    return 0


def _survey(platform: Platform, files: list[str]) -> list[View]:
    """What the board gives, simulated for the page. AxiometerError where `files` of published
    figures want a run beside them."""
    import os

    from axiometer.api import survey
    from axiometer.base.errors import RUN_FAILED

    known = survey.experiments(platform)
    if files:
        raise AxiometerError(
            f"no experiment of {platform.name} has been run, so nothing is beside {files[0]}",
            remedy=f"run one first: axiometer run {known[0] if known else 'EXPERIMENT.toml'}",
            status=RUN_FAILED,
        )
    return survey.survey(platform, len(os.sched_getaffinity(0)))
