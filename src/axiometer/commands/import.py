"""`axiometer import`: a public dataset, as it was published, into a table to compare with."""  # noqa: N999

from __future__ import annotations

import argparse
import importlib
import os
from pathlib import Path

from axiometer.errors import AxiometerError, did_you_mean
from axiometer.present import common

HELP = "make a table of a public dataset, to compare with"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", metavar="DATASET", help="such as zynq7000-time-measurements")
    parser.add_argument("directory", metavar="DIR", type=Path, help="where it was unpacked")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=common.path,
        help="(default: its place in the directory that AXIOMETER_REFERENCE names)",
    )


def run(args: argparse.Namespace) -> int:
    from axiometer.imports import DATASETS

    if args.dataset not in DATASETS:
        raise AxiometerError(
            f"no dataset is called {args.dataset!r}",
            remedy=did_you_mean(args.dataset, DATASETS, "known datasets"),
        )
    if not args.directory.is_dir():
        raise AxiometerError(
            f"there is no directory {args.directory}",
            remedy="name the directory that the dataset was unpacked in",
        )
    dataset = importlib.import_module(DATASETS[args.dataset])
    output = args.output
    if output is None:
        root = os.environ.get("AXIOMETER_REFERENCE")
        if not root:
            raise AxiometerError(
                "there is no place for the table",
                remedy="name a file with -o FILE, or a directory in AXIOMETER_REFERENCE",
            )
        output = Path(root) / dataset.TARGET
    from axiometer.present import flat

    rows = dataset.read(args.directory)
    output.parent.mkdir(parents=True, exist_ok=True)
    common.write_text(output, flat.to_csv(rows))
    common.say_written(output)
    return 0
