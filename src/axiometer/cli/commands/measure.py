"""`axiometer measure`: an experiment on a board, beside the model and published figures."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol

from axiometer.api import file_kinds
from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console

if TYPE_CHECKING:
    from pathlib import Path

    from axiometer.experiment import Experiment
    from axiometer.records.store import RunData

HELP = "run an experiment on a board, beside the model and published figures"


class OfExperiment(Protocol):
    """An experiment to run and the settings over it."""

    experiment: str
    set: list[str]
    repeats: str | None
    seed: str | None
    resume: bool
    store: str | None
    quiet: bool


class OnBoard(OfExperiment, Protocol):
    """The line to a board and the design on it (`add_target`)."""

    ports: str | None
    project: Path | None
    bitstream: Path | None
    patience: str


class Options(console.Printed, OnBoard, Protocol):
    """The values of the command line."""

    target: str
    rows: Path | None


def add_target(parser: argparse.ArgumentParser) -> None:
    """The options of the line to a board and of the design on it."""
    parser.add_argument(
        "--ports",
        metavar="PORTS",
        help="ports of the processor system, in the order of the loaded project: HP0+HP1 "
        "(default: those of --project, else the first)",
    )
    parser.add_argument(
        "--project",
        metavar="DIR",
        type=console.path,
        help="the project of axiometer build of the loaded design",
    )
    parser.add_argument(
        "--bitstream",
        metavar="FILE",
        type=console.path,
        help="the loaded bitstream: the run keeps its hash",
    )
    parser.add_argument(
        "--patience",
        metavar="S",
        default="120",
        help="seconds to wait for a board that restarts (default 120)",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Runs an experiment with the agent on a board that has a design of axiometer build. Prints "
        "the measured rates beside those of the model and published figures."
    )
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="the line to the agent: ssh:USER@HOST[:COMMAND], serial:DEVICE[@BAUD], tcp:HOST:PORT, "
        "pipe:COMMAND, jtag:COMMAND; or emulated[:CHIP]: no board, but the verilated design with "
        "an emulated processor",
    )
    parser.add_argument("experiment", help="name of an experiment, or its TOML file")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="as of axiometer run"
    )
    parser.add_argument("--repeats", metavar="N", help="same as --set repeats=N")
    parser.add_argument("--seed", metavar="N", help="same as --set seed=N")
    parser.add_argument(
        "--resume", action="store_true", help="continue the latest unfinished run, if it fits"
    )
    add_target(parser)
    parser.add_argument("--store", metavar="PATH", help="the file with the stored runs")
    parser.add_argument(
        "--rows", metavar="FILE.csv", type=console.path, help="write the rows for others (contrib/)"
    )
    console.add_plain(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")


def run(args: Options) -> int:
    from axiometer.api.measuring import Measured
    from axiometer.experiment import Experiment
    from axiometer.present.text import Style

    file_kinds.must_be(file_kinds.EXPERIMENT, args.experiment)
    experiment = Experiment.load(args.experiment, overlay(args))
    found = Measured(measured(args, args.target, experiment))
    if not args.quiet:
        standard_streams.tell("simulating the same points")
    document = found.to_dict()
    if args.rows is not None:
        found.write_rows(args.rows)
    if args.json:
        console.show_json(document)
    else:
        style = Style.of_stdout(args.plain)
        console.show_lines(found.lines(style), style)
    if args.rows is not None:
        console.say_written(args.rows)
    return 0


def overlay(args: OfExperiment) -> list[str]:
    """The settings over the experiment: those of --set, then --repeats and --seed."""
    more = ("repeats", args.repeats), ("seed", args.seed)
    return [*args.set, *(f"{name}={value}" for name, value in more if value is not None)]


def measured(args: OnBoard, target: str, experiment: Experiment) -> RunData:
    """The run of `experiment` on `target`."""
    from axiometer.api import measuring

    try:
        patience_s = float(args.patience)
    except ValueError:
        raise AxiometerError(
            f"--patience is {args.patience!r}", remedy="give seconds, such as 120"
        ) from None
    ports = None if args.ports is None else args.ports.split("+")
    on = measuring.OnBoard(ports, args.project, args.bitstream, patience_s)
    say = (lambda _: None) if args.quiet else standard_streams.tell
    return measuring.measured(
        target, experiment, on, args.store, args.resume, say, quiet=args.quiet
    )
