"""`axiometer import`: the user's own design or board, or a public dataset into a table."""  # noqa: N999

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from axiometer.base import atomic_file
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.cli.commands import console

if TYPE_CHECKING:
    from axiometer.designs import Design

HELP = "read a design or a board from the export of a tool, or make a table of a public dataset"
_DESIGN, _BOARD = "design", "board"
_OF_BOARDS = ("chip", "crystal")


class Options(console.Printed, Protocol):
    """The values of the command line."""

    dataset: str
    directory: Path
    output: Path | None
    chip: str | None
    crystal: str | None
    board: Path | None
    hls: list[Path]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "dataset",
        metavar="design|board|DATASET",
        help="design, board, or a dataset such as zynq7000-time-measurements",
    )
    parser.add_argument(
        "directory",
        metavar="FILE|DIR",
        type=console.path,
        help="the design's .xsa, .hdf, .hwh, .hwh.xz, .qsys, its block design's Tcl, csynth.xml of "
        "Vitis HLS, or the directory of one; the board's ps7_init or psu_init (.tcl, .c, or the "
        "export with it), the directory of its sdram_config.h and pll_config.h or of its hps.xml "
        "and emif.xml, or the output of devmem, xsdb mrd or U-Boot md; or the directory of the "
        "dataset",
    )
    parser.add_argument(
        "-o",
        "--output",
        "--out",
        metavar="FILE|DIR",
        type=console.path,
        help="the design or board file to write (default: only print it); or the table to write, "
        "a directory for a dataset with several (default: in the directory AXIOMETER_REFERENCE)",
    )
    parser.add_argument(
        "--chip", metavar="CHIP", help="for a board: its chip (default: from the registers)"
    )
    parser.add_argument(
        "--crystal",
        metavar="MHZ",
        help="for a board: rate of the PS's reference clock, 33.333MHz or 100/3 (default: the "
        "usual rate that fits the refresh interval)",
    )
    parser.add_argument(
        "--board",
        metavar="FILE",
        type=console.place,
        help="for a design: write a board file from the registers in its export",
    )
    parser.add_argument(
        "--hls",
        action="append",
        default=[],
        metavar="REPORT",
        type=console.path,
        help="for a design: add the bursts of an HLS core from its csynth.xml, or the directory of "
        "its solution; several cores: several times",
    )
    console.add_plain(parser)
    parser.add_argument(
        "--json", action="store_true", help="print the design or board as one JSON document"
    )


def run(args: Options) -> int:
    if args.dataset == _BOARD:
        from axiometer.cli.commands import import_board

        return import_board.run(args)
    given = next((name for name in _OF_BOARDS if getattr(args, name)), None)
    if given is not None:
        raise AxiometerError(f"--{given} is only for import board", remedy=f"leave out --{given}")
    if args.hls and args.dataset != _DESIGN:
        raise AxiometerError("--hls is only for import design", remedy="leave out --hls")
    return _design(args) if args.dataset == _DESIGN else _dataset(args)


def _design(args: Options) -> int:
    from axiometer import designs
    from axiometer.designs import design_file, hls
    from axiometer.designs.platform import platform_of
    from axiometer.present import design as words
    from axiometer.present import design_platform
    from axiometer.present.text import Style

    design = designs.load(args.directory)
    for report in args.hls:
        design = hls.completed(design, hls.read(report))
    if args.output is not None:
        atomic_file.write_text(args.output, design_file.dumps(design))
        console.say_written(args.output)
    if args.board is not None:
        _own_board(design, args.directory, args.board)
    try:
        placed = platform_of(design, args.directory)
    except AxiometerError as error:
        placed, why = None, f"No board: {error.message}. {error.remedy or ''}".strip()
    style = Style.of_stdout(args.plain)
    if args.json:
        found = design_platform.document(placed) if placed else {"platform": None, "why": why}
        console.show_json({**words.document(design), "runs_on": found})
    else:
        board = design_platform.lines(placed, style) if placed else [why]
        console.show_lines([*words.lines(design, style), "", *board], style)
    return 0


def _own_board(design: Design, export: Path, file: Path) -> None:
    """Write a board file from the registers of the design."""
    from axiometer.designs.platform import own_board, registers_of

    own = registers_of(design, export)
    if own is None:
        raise AxiometerError(
            "the export has no initialisation (ps7_init, psu_init), and so no registers of a board",
            file=export,
            remedy="give the .xsa or .hdf of the design, or leave out --board",
        )
    atomic_file.write_text(file, own_board(design, own))
    console.say_written(file)


def _dataset(args: Options) -> int:
    from axiometer.imports import DATASETS

    if args.json:
        raise AxiometerError(
            "import DATASET has no JSON document", remedy="leave out --json and read the table"
        )
    if args.dataset not in DATASETS:
        raise AxiometerError(
            f"no dataset is called {args.dataset!r}",
            remedy=did_you_mean(args.dataset, [*DATASETS, _DESIGN, _BOARD], "known datasets"),
        )
    if not args.directory.is_dir():
        raise AxiometerError(
            f"there is no directory {args.directory}",
            remedy="give the directory of the unpacked dataset",
        )
    dataset = importlib.import_module(DATASETS[args.dataset])
    place = args.output
    if place is None:
        root = os.environ.get("AXIOMETER_REFERENCE")
        if not root:
            raise AxiometerError(
                "no file for the table is given",
                remedy="add -o FILE, or set AXIOMETER_REFERENCE to a directory",
            )
        place = Path(root) / dataset.TARGET
    if hasattr(dataset, "tables"):
        found = {place / name: rows for name, rows in dataset.tables(args.directory).items()}
    else:
        found = {place: dataset.read(args.directory)}
    _write(found)
    return 0


def _write(tables: Mapping[Path, list[dict[str, object]]]) -> None:
    """Write all tables; none if one cannot be written."""
    from axiometer.present import flat

    with ExitStack() as stack:
        for path, rows in tables.items():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise atomic_file.cannot_write(path, error) from None
            place = stack.enter_context(atomic_file.whole(path))
            place.write_text(flat.to_csv(rows), encoding="utf-8", newline="\n")
    for path in tables:
        console.say_written(path)
