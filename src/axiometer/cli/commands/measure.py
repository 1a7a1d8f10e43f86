"""`axiometer measure`: an experiment on a board, beside the model and published figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiometer.api import file_kinds
from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console
from axiometer.cli.options import option, word

if TYPE_CHECKING:
    from pathlib import Path

    from axiometer.experiment import Experiment
    from axiometer.records.store import RunData

HELP = "run an experiment on a board, beside the model and published figures"


DESCRIPTION = (
    "Runs an experiment with the agent on a board that has a design of axiometer build. Prints "
    "the measured rates beside those of the model and published figures."
)


class OfExperiment(console.Stored):
    """An experiment to run and the settings over it."""

    experiment: str = word("name of an experiment, or its TOML file")
    set: list[str] = option(
        "another value of an experiment's key (a,b,c sweeps it; join ports with +), "
        "or of a figure of the board: controller.starve_clocks=32",
        metavar="KEY=VALUE",
    )
    repeats: str | None = option("same as --set repeats=N", metavar="N")
    seed: str | None = option("same as --set seed=N", metavar="N")
    resume: bool = option("continue the latest unfinished run of this experiment, if it fits")
    quiet: bool = option("no progress on stderr")


class OnBoard(OfExperiment):
    """The line to a board and the design on it."""

    ports: str | None = option(
        "ports of the processor system, in the order of the loaded project: HP0+HP1 "
        "(default: those of --project, else the first)",
        metavar="PORTS",
    )
    project: Path | None = option(
        "the project of axiometer build of the loaded design", metavar="DIR"
    )
    bitstream: Path | None = option("the loaded bitstream: the run keeps its hash", metavar="FILE")
    patience: str = option(
        "seconds to wait for a board that restarts (default 120)", metavar="S", default="120"
    )


class AtTarget:
    """The line to the agent."""

    target: str = word(
        "the line to the agent: ssh:USER@HOST[:COMMAND], serial:DEVICE[@BAUD], tcp:HOST:PORT, "
        "pipe:COMMAND, jtag:COMMAND",
        metavar="TARGET",
    )


class Options(AtTarget, OnBoard, console.Printed):
    """The values of the command line."""

    rows: Path | None = option("write the rows for others (contrib/)", metavar="FILE.csv")


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
