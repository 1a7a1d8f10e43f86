"""`axiometer report`: one HTML file of one or more runs, which works offline."""

from __future__ import annotations

import argparse

from axiometer.present import common

HELP = "write a report of runs as one HTML file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run_refs",
        metavar="RUN",
        nargs="*",
        help="ids of runs, names of experiments, or latest (default)",
    )
    parser.add_argument("--store", metavar="PATH", help="the file that keeps the runs")
    parser.add_argument(
        "-o", "--output", metavar="FILE.html", type=common.path, help="(default: RUN.html)"
    )


def run(args: argparse.Namespace) -> int:
    from axiometer.present import html

    views = [common.load_view(ref, args.store) for ref in args.run_refs or ["latest"]]
    path = args.output or common.path(f"{views[0].run_id}.html")
    common.write_text(path, html.page(views))
    common.say_written(path)
    return 0
