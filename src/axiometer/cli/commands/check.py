"""`axiometer check`: find mistakes in designs before synthesis, or in measured rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from axiometer.api import file_kinds
from axiometer.base import standard_streams
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.cli.commands import console, github, needs
from axiometer.cli.options import option, word

if TYPE_CHECKING:
    from pathlib import Path

    from axiometer.api.checking import Check

HELP = "find mistakes in designs before synthesis, or in a file of measured rows"
FAIL_ON = ("mistake", "advice", "never")


class Options(needs.Options, console.Printed):
    """The values of the command line."""

    files: list[Path] = word(
        ".xsa, .hdf, .hwh, .hwh.xz, .tcl, .qsys, csynth.xml of Vitis HLS, the directory of "
        "one, or a design file, one or several; or a CSV file of axiometer measure --rows",
        metavar="FILE",
        nargs="+",
    )
    board: str | None = option(
        "the board to simulate costs and --need on (default: the design's own)", metavar="BOARD"
    )
    no_costs: bool = option("list the findings without simulating their costs")
    fail_on: str = option(
        "the findings that make the exit status 1 (default: mistake)",
        choices=FAIL_ON,
        default=FAIL_ON[0],
    )
    github: bool = option(
        "in a job of GitHub Actions: annotate the files; rates and findings go to the job's "
        "summary, figures to the step's outputs"
    )
    verbose: bool = option("every finding with its reason and cost", "-v", "--verbose")


def run(args: Options) -> int:
    """0 without mistakes and with all needs met, else 1; advice does not count unless `--fail-on`.
    Of several files, the worst: a file that cannot be checked is told and counts as 2."""
    if len(args.files) == 1 and file_kinds.kind(str(args.files[0])) == file_kinds.ROWS:
        return _rows(args.files[0], args)
    from axiometer.api.checking import check

    checked: dict[Path, Check] = {}
    refused: dict[Path, AxiometerError] = {}
    with github.unread(args.github):
        for file in args.files:
            try:
                checked[file] = check(
                    file,
                    need=args.need,
                    platform=args.board,
                    costs=not args.no_costs,
                    rates=args.github,
                )
            except AxiometerError as error:
                if len(args.files) == 1 and not args.github:
                    raise
                standard_streams.tell_error(f"axiometer: {error}", args.plain)
                refused[file] = error
        _show(checked, args)
    status = max(
        [error.status for error in refused.values()]
        + [_status(of, args.fail_on) for of in checked.values()]
    )
    if args.github:
        _tell_job(checked, refused, status == 0)
    return status


def _status(of: Check, fail_on: str) -> int:
    counted = {"mistake": len(of.mistakes), "advice": len(of.findings), "never": 0}[fail_on]
    return RUN_FAILED if counted or not all(met.is_met for met in of.met or ()) else 0


def _show(checked: Mapping[Path, Check], args: Options) -> None:
    from axiometer.present.text import Style

    if args.json:
        documents = [of.to_dict() for of in checked.values()]
        console.show_json(documents[0] if len(args.files) == 1 else {"designs": documents})
        return
    style = Style.of_stdout(args.plain)
    for number, (file, of) in enumerate(checked.items()):
        lines = of.lines(style, args.verbose)
        if of.met and len(args.files) > 1:
            lines = [style.paint(f"{file}:", "bold"), *lines]
        console.show_lines(["", *lines] if number else lines, style)


def _tell_job(
    checked: Mapping[Path, Check], refused: Mapping[Path, AxiometerError], passed: bool
) -> None:
    from axiometer.present import github as words

    every: Sequence[words.Checked] = [
        words.Checked(str(file), of.design, of.findings, of.costs, of.on, of.answer, of.met or ())
        for file, of in checked.items()
    ]
    told = [words.of_error(str(file), error) for file, error in refused.items()]
    told += [line for of in every for line in words.annotated(of)]
    github.tell(
        told, [line for of in every for line in words.summary(of)], words.outputs(every, passed)
    )


def _rows(file: Path, args: Options) -> int:
    from axiometer.present.text import Style
    from axiometer.published import contributed

    if args.need is not None:
        raise AxiometerError(
            "--need is for a design; rows are measured rates",
            remedy="leave --need out, or use: axiometer expect BOARD PORTS --need RATE",
        )
    found = contributed.check(file)
    if args.json:
        console.show_json({"file": str(file), "rows": found})
    else:
        console.show_lines([f"{file}: {found}"], Style.of_stdout(args.plain))
    return 0
