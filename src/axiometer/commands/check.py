"""`axiometer check design`: mistakes of a design that can be seen before synthesis."""

from __future__ import annotations

import argparse

from axiometer.commands import console

HELP = "find mistakes in a design before synthesis"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("design",), help="what to check")
    parser.add_argument(
        "file",
        metavar="FILE",
        type=console.path,
        help=".xsa, .hdf, .hwh, .hwh.xz or .qsys, the directory of an export, or a design file",
    )
    console.add_plain(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """0 without mistakes, 1 with; advice does not count."""
    from axiometer import designs
    from axiometer.designs.checks import MISTAKE, check
    from axiometer.errors import RUN_FAILED
    from axiometer.present import design as words
    from axiometer.present.text import Style

    design = designs.load(args.file)
    found = check(design)
    if args.json:
        console.show_json(words.findings_document(design, found))
    else:
        style = Style.of_stdout(args.plain)
        console.show_lines(words.findings(design, found, style), style)
    return RUN_FAILED if any(finding.level == MISTAKE for finding in found) else 0
