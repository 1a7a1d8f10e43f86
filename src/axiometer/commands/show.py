"""`axiometer show`: the table of a run, its curve, and its picture."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from axiometer.present import common

if TYPE_CHECKING:
    from axiometer.present.view import View

HELP = "show the table (and curve) of a run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_run(parser)
    common.add_pictures(parser)
    common.add_plain(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    from axiometer.present import sources

    path = common.picture_path(args)
    data = sources.load(args.run_ref, args.store)
    if path is not None:
        from axiometer.present import pictures

        pictures.write(pictures.of_run(sources.view(data)), path)
        common.say_written(path)
    if args.json:
        from axiometer.document import document

        common.show_json(document(data))
    elif path is None:
        _print(sources.view(data), args.plain)
    return 0


def _print(view: View, plain: bool) -> None:
    from axiometer.present import convolutions, curves, tables
    from axiometer.present.layout import layout
    from axiometer.present.text import Style

    style = Style.of_stdout(plain)
    lines = [*tables.title(view, style), "", *tables.results(view, style)]
    if accelerated := convolutions.lines(view, style):
        lines += ["", *accelerated]
    shape = layout(view)
    if shape.curve:
        for panel in shape.panels:
            lines += ["", *([panel.title] if panel.title else []), *curves.of(view, panel, style)]
    common.show_lines(lines, style)
