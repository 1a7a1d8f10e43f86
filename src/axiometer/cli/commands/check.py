"""`axiometer check`: find mistakes in a design before synthesis, or in measured rows."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console, needs, subject

if TYPE_CHECKING:
    from pathlib import Path

    from axiometer.answer.verdicts.needs import Carried
    from axiometer.designs import Design
    from axiometer.designs.checks import Finding
    from axiometer.designs.costs import Cost

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
    found_kind = subject.kind(str(args.file))
    if found_kind == subject.ROWS:
        return _rows(args)
    if found_kind == subject.EXPERIMENT or (found_kind == subject.BOARD and args.file.is_file()):
        raise subject.other(str(args.file), found_kind)
    from axiometer import designs
    from axiometer.base.errors import RUN_FAILED
    from axiometer.designs.checks import MISTAKE, check
    from axiometer.present import design as words
    from axiometer.present.text import Style

    design = designs.load(args.file)
    found = check(design)
    met = needs.judged(args, lambda: _carried(design, args))
    costs, on = ([], "") if args.no_costs or not found else _costs(design, found, args)
    if args.json:
        document = words.findings_document(design, found, costs, on)
        console.show_json({**document, **needs.document(args, met)})
    else:
        style = Style.of_stdout(args.plain)
        listed = words.findings(design, found, style, costs, on, args.verbose)
        console.show_lines([*needs.lines(met, style), *listed], style)
    mistakes = any(finding.level == MISTAKE for finding in found)
    return RUN_FAILED if mistakes else needs.status(met)


def _carried(design: Design, args: Options) -> Carried:
    """The rates that the design carries with all masters at once, simulated on its board."""
    from axiometer.api import design_answers
    from axiometer.designs.platform import platform_of

    return needs.of_design(
        design_answers.answer(design, platform_of(design, args.file, args.board))
    )


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


def _costs(design: Design, found: Sequence[Finding], args: Options) -> tuple[Sequence[Cost], str]:
    """The cost of each finding, and a sentence with the board of the simulation, or why not."""
    from axiometer.designs.costs import costs
    from axiometer.designs.platform import platform_of

    try:
        placed = platform_of(design, args.file, args.board)
    except AxiometerError as error:
        if args.board:
            raise
        return [], f"No costs: {error.message}. {error.remedy or ''}".strip()
    return costs(design, placed.platform, found), f"Costs are simulated on {placed.why}."
