"""`axiometer calibrate`: your own measurements as a source that answers are anchored on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console
from axiometer.cli.options import option, word

if TYPE_CHECKING:
    from axiometer.present.text import Style

HELP = "add measurements of your own board: answers near them are anchored on them"


class Options(console.Printed):
    """The values of the command line."""

    file: Path | None = word(
        "measured rates: columns with keys of an experiment (ports, mode, pl_mhz, "
        "burst_bytes, ...) and total_MBps",
        metavar="FILE.csv",
    )
    board: str | None = option("the measured board, by name or TOML file", metavar="BOARD")
    name: str | None = option("the name of the measurements (default: that of the file)")
    list: bool = option("list the stored measurements")
    remove: str | None = option("remove measurements", metavar="NAME")


def run(args: Options) -> int:
    from axiometer.present import calibrated_text as words
    from axiometer.present.text import Style
    from axiometer.published import anchors, own

    style = Style.of_stdout(args.plain)
    asked = sum((args.file is not None, args.list, args.remove is not None))
    if asked != 1:
        raise AxiometerError(
            "give one of FILE.csv, --list, --remove NAME",
            remedy="axiometer calibrate rates.csv --board zybo",
        )
    if args.remove is not None:
        own.remove(args.remove)
        anchors.forget()
        if not args.json:
            console.show_lines([f"Removed {args.remove}."], style)
            return 0
    if args.file is None:
        kept = words.kept()
        if args.json:
            console.show_json({"directory": str(own.directory()), "sources": kept})
        else:
            console.show_lines(words.listed(kept), style)
        return 0
    return _calibrate(args, args.file, style)


def _calibrate(args: Options, file: Path, style: Style) -> int:
    from axiometer.api.calibration import calibrate
    from axiometer.present import calibrated_text as words

    if args.board is None:
        raise AxiometerError(
            "the measured board is not given",
            remedy="add --board with its name (axiometer list boards) or its TOML file",
        )
    name = args.name or file.stem
    found = calibrate(file, args.board, name)
    rows = [(each.line, each.measured, each.simulated) for each in found]
    if args.json:
        console.show_json(words.document(name, args.board, rows))
    else:
        console.show_lines(words.lines(name, args.board, rows, style), style)
    return 0
