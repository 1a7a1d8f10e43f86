"""`axiometer measure`: an experiment on a board, beside the model and published figures."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol

from axiometer.api import file_kinds
from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from axiometer.experiment import Experiment
    from axiometer.records.store import RunData, Store
    from axiometer.runs.board.session import Measurement, Target

HELP = "run an experiment on a board, beside the model and published figures"
_MODEL_REPEATS = 3


class OnBoard(Protocol):
    """The line to a board and the design on it (`add_target`)."""

    ports: str | None
    project: Path | None
    bitstream: Path | None
    patience: str


class Options(console.Printed, OnBoard, Protocol):
    """The values of the command line."""

    target: str
    experiment: str
    set: list[str]
    repeats: str | None
    seed: str | None
    resume: bool
    store: str | None
    rows: Path | None
    quiet: bool


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
    from axiometer.answer.analysis import collect
    from axiometer.experiment import Experiment
    from axiometer.present import board_beside
    from axiometer.present.text import Style

    overlay = list(args.set)
    overlay += [f"repeats={args.repeats}"] if args.repeats is not None else []
    overlay += [f"seed={args.seed}"] if args.seed is not None else []
    file_kinds.must_be(file_kinds.EXPERIMENT, args.experiment)
    experiment = Experiment.load(args.experiment, overlay)
    finished = measured(args, args.target, experiment, args.store, args.resume, args.quiet)
    if not args.quiet:
        standard_streams.tell("simulating the same points")
    simulated = _simulated(finished)
    view = collect.view(finished)
    if args.rows is not None:
        from axiometer.published import contributed

        contributed.write(args.rows, finished)
    if args.json:
        console.show_json(board_beside.document(view, simulated))
    else:
        style = Style.of_stdout(args.plain)
        console.show_lines(
            [
                *board_beside.lines(view, simulated, style),
                f"Stored as {finished.id}: axiometer show, compare, explain, report, export",
            ],
            style,
        )
    if args.rows is not None:
        console.say_written(args.rows)
    return 0


def measured(
    on: OnBoard,
    name: str,
    experiment: Experiment,
    store: str | None,
    resume: bool,
    quiet: bool,
) -> RunData:
    """The run of `experiment` on the target `name`: the points that fit its design. An emulated
    board loads one design after the other."""
    from axiometer.records.store import opened

    say = (lambda text: None) if quiet else standard_streams.tell
    finished = None
    with opened.to_keep(store) as kept:
        for target in _targets(on, name, experiment, say):
            with target as at:
                again = resume or finished is not None
                finished = _run(kept, experiment, at, again, quiet, say)
    assert finished is not None  # without a target there was an error
    return finished


def _targets(
    on: OnBoard, name: str, experiment: Experiment, say: Callable[[str], None]
) -> list[AbstractContextManager[Target]]:
    from axiometer.bringup import targets

    if name.partition(":")[0] == targets.EMULATED:
        return targets.emulated(name, experiment, say)
    ports, bitstream = _ports(on, experiment), _hash(on.bitstream)
    return [targets.at_line(name, ports, _patience(on.patience), bitstream)]


def _ports(on: OnBoard, experiment: Experiment) -> tuple[str, ...]:
    """The ports of the processor system in the order of the design; none if not given."""
    if on.ports is not None:
        return tuple(port.strip() for port in on.ports.split("+"))
    if on.project is None:
        return ()
    from axiometer.bringup.doctor import expected

    named = expected.of_project(on.project).widths or ()
    return tuple(name for name in named if name in experiment.platform.ports)


def _patience(text: str) -> float:
    import math

    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 86400:
        raise AxiometerError(f"--patience is {text!r}", remedy="give seconds, such as 120")
    return value


def _hash(file: Path | None) -> str:
    import hashlib

    from axiometer.base import input_bounds

    if file is None:
        return ""
    return hashlib.sha256(input_bounds.read(file, example="the bitstream")).hexdigest()


def _run(
    kept: Store,
    experiment: Experiment,
    target: Target,
    resume: bool,
    quiet: bool,
    say: Callable[[str], None],
) -> RunData:
    from axiometer.runs.board.session import Measurement

    session = Measurement(kept, experiment, target, resume, say)
    for line in _beginning(session):
        say(line)
    try:
        return session.execute(quiet)
    except (KeyboardInterrupt, AxiometerError) as error:
        notes = _kept(kept, session)
        if isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt(notes) from None
        error.remedy = "\n  ".join(filter(None, (error.remedy, notes)))
        raise


def _kept(kept: Store, session: Measurement) -> str:
    """What the store has of an unfinished run."""
    try:
        done = len(kept.finished(session.run))
        begun = sum(map(len, kept.repeats(session.run).values()))
        if not done and not begun and kept.discard(session.run):
            return "nothing was stored"
    except AxiometerError:
        return "list the stored runs with: axiometer list runs"
    return (
        f"{done} of {len(session.points)} points and {begun} repeats of others are stored in "
        f"{session.run}: continue with --resume"
    )


def _beginning(session: Measurement) -> list[str]:
    goes = "continues" if session.resumed else "starts"
    lines = [f"{session.run} {goes} on {session.target.name}: {len(session.todo)} points to run"]
    if session.agent["emulated"]:
        lines.append("emulated board: its rates are not figures of any chip")
    reasons: dict[str, int] = {}
    for why in session.others.values():
        reasons[why] = reasons.get(why, 0) + 1
    lines += [
        f"not possible on the loaded design: {count} point{'s' * (count > 1)}; {why}"
        for why, count in reasons.items()
    ]
    if reasons:
        lines.append("load another design (axiometer build) and continue with --resume")
    return lines


def _simulated(finished: RunData) -> dict[int, float]:
    """The mean rate of the model at each finished point."""
    import statistics

    from axiometer.runs.backends import model

    wanted = {point.index for point in finished.points}
    found = {}
    for point in finished.experiment.points():
        if point.index in wanted:
            count = min(point.values["repeats"], _MODEL_REPEATS)
            seed = point.values["seed"]
            records = model.run_repeats(finished.platform, point, seed, 0, count)
            found[point.index] = statistics.fmean(record["total_MBps"] for record in records)
    return found
