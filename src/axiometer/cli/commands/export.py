"""`axiometer export`: a run as CSV, Parquet or a LaTeX table."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol

from axiometer.base import atomic_file
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console

if TYPE_CHECKING:
    from pathlib import Path

HELP = "export a run as CSV, Parquet or a LaTeX table"


class Options(console.OfRun, Protocol):
    """The values of the command line."""

    format: str
    output: Path | None
    raw: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    console.add_run(parser)
    parser.add_argument(
        "--format",
        choices=("csv", "parquet", "latex"),
        default="csv",
        help="csv (default), parquet or latex",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=console.place,
        help="the file to write (default: stdout)",
    )
    parser.add_argument("--raw", action="store_true", help="one row for each repeat (csv, parquet)")


def run(args: Options) -> int:
    if args.format == "latex" and args.raw:
        raise AxiometerError("a LaTeX table has no raw repeats", remedy="use --format csv --raw")
    if args.format == "parquet" and args.output is None:
        raise AxiometerError("Parquet needs a file", remedy="write -o FILE.parquet")
    from axiometer.present import flat, latex

    view = console.load_view(args.run_ref, args.store)
    if args.format == "latex":
        text = latex.document(view)
    else:
        table = flat.repeats(view) if args.raw else flat.points(view)
        if args.format == "parquet" and args.output is not None:
            flat.to_parquet(table, args.output)
            console.say_written(args.output)
            return 0
        text = flat.to_csv(table)
    if args.output is None:
        print(text, end="")
    else:
        atomic_file.write_text(args.output, text)
        console.say_written(args.output)
    return 0
