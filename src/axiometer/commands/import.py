"""`axiometer import`: a public dataset, as it was published, into a table to compare with."""  # noqa: N999

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from axiometer import output
from axiometer.commands import console
from axiometer.errors import AxiometerError, did_you_mean

HELP = "make a table of a public dataset, to compare with"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", metavar="DATASET", help="such as zynq7000-time-measurements")
    parser.add_argument("directory", metavar="DIR", type=Path, help="where it was unpacked")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE|DIR",
        type=console.path,
        help="file to write, or directory where a dataset has several tables (default: its place "
        "in the directory that AXIOMETER_REFERENCE names)",
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
                remedy="name it with -o FILE, or a directory in AXIOMETER_REFERENCE",
            )
        output = Path(root) / dataset.TARGET
    if hasattr(dataset, "tables"):
        found = {output / name: rows for name, rows in dataset.tables(args.directory).items()}
    else:
        found = {output: dataset.read(args.directory)}
    _write(found)
    return 0


def _write(tables: Mapping[Path, list]) -> None:
    """Write all tables or, where one cannot be written, none."""
    from axiometer.present import flat

    with ExitStack() as stack:
        for path, rows in tables.items():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise output.cannot_write(path, error) from None
            place = stack.enter_context(output.whole(path))
            place.write_text(flat.to_csv(rows), encoding="utf-8", newline="\n")
    for path in tables:
        console.say_written(path)
