"""`axiometer export`: a run as CSV, Parquet or a LaTeX table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiometer.base import atomic_file
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console
from axiometer.cli.options import option, place

if TYPE_CHECKING:
    from pathlib import Path

HELP = "export a run as CSV, Parquet or a LaTeX table"


class Options(console.OfRun):
    """The values of the command line."""

    format: str = option(
        "csv (default), parquet or latex", choices=("csv", "parquet", "latex"), default="csv"
    )
    output: Path | None = option(
        "the file to write (default: stdout)", "-o", "--output", metavar="FILE", type=place
    )
    raw: bool = option("one row for each repeat (csv, parquet)")


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
