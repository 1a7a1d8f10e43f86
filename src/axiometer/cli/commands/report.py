"""`axiometer report`: one HTML file of one or more runs; it works offline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiometer.api import file_kinds
from axiometer.base import atomic_file
from axiometer.base.errors import AxiometerError
from axiometer.cli import options
from axiometer.cli.commands import console
from axiometer.cli.options import option, place, word

if TYPE_CHECKING:
    from pathlib import Path

    from axiometer.answer.analysis.results import View
    from axiometer.platform import Platform

HELP = "write a report of runs, or of your design, as one HTML file"


class Options(console.Changes, console.Stored):
    """The values of the command line."""

    run_refs: list[str] = word(
        "ids of runs, names of experiments, or latest (default); the file of a design; or a "
        "board (name or TOML file): all its runs beside its published figures, or the rates of "
        "its ports if it has no runs",
        metavar="RUN",
        nargs="*",
    )
    with_files: list[str] = option(
        "for a board: your own published figures; repeat it for further files",
        "--with",
        metavar="FILE.csv",
    )
    output: Path | None = option(
        "the file to write (default: RUN.html or BOARD.html)",
        "-o",
        "--output",
        metavar="FILE.html",
        type=place,
    )


def run(args: Options) -> int:
    from axiometer.present import drawing
    from axiometer.simulate.remembered import remembering

    drawing.check()
    with remembering({}):  # ports alike, and points of several runs, are simulated once
        return _report(args)


def _report(args: Options) -> int:
    refs = args.run_refs or ([] if args.board else ["latest"])
    named = _named_board(refs, args.board)
    if named is not None:
        return _board(named, args)
    if args.with_files:
        raise AxiometerError(
            "--with is for a board", remedy="write: axiometer report BOARD --with FILE.csv"
        )
    from axiometer.present import html

    views = [_view(ref, args) for ref in refs]
    first = views[0].run_id
    path = args.output or options.path(f"{options.path(first).stem}.html")
    atomic_file.write_text(path, html.page(views))
    console.say_written(path)
    return 0


def _named_board(refs: list[str], board: str | None) -> str | None:
    """The board of the report; None for runs and designs."""
    from axiometer.base import data

    if not refs:
        return board
    known = {*data.names("platforms"), *data.aliases("platforms")}
    boards = [ref for ref in refs if ref in known or _is_board_file(ref)]
    if not boards:
        return None
    if len(refs) > 1 or board is not None:
        raise AxiometerError(
            f"{boards[0]} is a board, and its report has no other subject",
            remedy=f"give it alone: axiometer report {boards[0]}",
        )
    return boards[0]


def _is_board_file(ref: str) -> bool:
    return ref.endswith(".toml") and file_kinds.kind(ref) == file_kinds.BOARD


def _view(ref: str, args: Options) -> View:
    if file_kinds.is_design(ref):
        from axiometer.api import design_answers

        return design_answers.opened_view(ref, args.board, args.set)
    console.no_settings(args)
    return console.load_view(ref, args.store)


def _board(named: str, args: Options) -> int:
    from axiometer.platform import Platform
    from axiometer.present import board, board_page, html
    from axiometer.records.store import opened

    platform = Platform.load(named)
    name, files = platform.name, args.with_files
    # A board needs no store, but a named store must exist.
    kept = opened.is_there(args.store)
    swept = opened.of_experiments(board.experiments(name), args.store) if kept else []
    runs = board.of_runs(swept, files)
    others = opened.of_platform(name, args.store) if kept and not runs else []
    views = [board.view(run, files) for run in others]
    path = args.output or options.path(f"{name}.html")
    # Figures against burst size need runs that sweep it; other runs are shown one after another.
    if runs:
        whole = board_page.render(runs)
    elif views:
        whole = html.page(views, f"{len(views)} runs of {platform.title}")
    else:
        whole = html.page(_survey(platform, files), platform.title)
    atomic_file.write_text(path, whole)
    console.say_written(path)
    return 0


def _survey(platform: Platform, files: list[str]) -> list[View]:
    """The rates of the board, simulated for the page. AxiometerError if `files` with published
    figures need a run."""
    from axiometer.api import survey
    from axiometer.base.errors import RUN_FAILED

    known = survey.experiments(platform)
    if files:
        raise AxiometerError(
            f"{platform.name} has no run to compare with {files[0]}",
            remedy=f"run one first: axiometer run {known[0] if known else 'EXPERIMENT.toml'}",
            status=RUN_FAILED,
        )
    return survey.survey(platform)
