"""`axiometer advise`: search for a better setting and give the gain of each choice."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol

from axiometer.base import standard_streams
from axiometer.cli.commands import console, subject

if TYPE_CHECKING:
    from axiometer.api.advising import Subject

HELP = "search for the best ports, bursts and settings for masters, or for your design"


class Options(subject.Subject, console.Printed, Protocol):
    """The values of the command line."""

    start: str | None
    master: list[str]
    objective: str | None
    transfer_bytes: str | None
    mode: str | None
    packets: bool
    set: list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    subject.add(parser)
    parser.add_argument(
        "--from",
        dest="start",
        metavar="EXPERIMENT",
        help="improve an experiment's first point step by step",
    )
    parser.add_argument(
        "--master",
        action="append",
        default=[],
        metavar="MASTER",
        help="a master in the fabric, once for each: "
        "NAME=DIRECTION[,rate=MB/s][,burst=BYTES+BYTES...][,pattern=PATTERN][,outstanding=N]",
    )
    parser.add_argument(
        "--objective",
        help="total, minimum (the slowest master), guarantee (the requested rates; default if a "
        "master has one) or latency (the longest mean); default: minimum",
    )
    parser.add_argument(
        "--transfer-bytes",
        metavar="BYTES",
        help="processor's side: size of a transfer or packet, 4K",
    )
    parser.add_argument("--mode", help="processor's side: ps_to_pl (default) or pl_to_ps")
    parser.add_argument("--packets", action="store_true", help="processor's side: rings of packets")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a key of an experiment for all candidates; values with commas are tried (also of a "
        "figure of the board: qos.HP0.mode=video,best_effort); for a design, a change before the "
        "search",
    )
    console.add_plain(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: Options) -> int:
    from axiometer.api.advising import advised
    from axiometer.present.text import Style

    subject.settle(args)
    of, choices = _asked(args)
    found = advised(
        of,
        args.master,
        args.objective,
        args.transfer_bytes,
        args.mode,
        args.packets,
        choices,
        (lambda _: None) if args.json else standard_streams.tell,
    )
    if args.json:
        console.show_json(found.to_dict())
    else:
        console.show_lines(found.lines(), Style.of_stdout(args.plain))
    return 0


def _asked(args: Options) -> tuple[Subject, dict[str, list[object]]]:
    """The subject, and the values of `--set` by key; those of a design are in the design."""
    from axiometer.api import design_answers
    from axiometer.api.advising import choices_of
    from axiometer.api.design import Design
    from axiometer.base.errors import AxiometerError
    from axiometer.experiment import Experiment, settings
    from axiometer.platform import Platform

    if args.start is not None and (args.board or args.design):
        raise AxiometerError(
            "--from has its own board", remedy="leave out --board, BOARD and DESIGN"
        )
    if args.design is not None:
        return Design(*design_answers.opened(args.design, args.board, args.set)), {}
    asked = []
    for setting in args.set:
        name, value = settings.split(setting)
        words = [settings.literal(word.strip()) for word in value.split(",")]
        asked.append((name, words, f"--set {setting}"))
    choices = choices_of(asked)
    if args.start is not None:
        return Experiment.load(args.start), choices
    return Platform.load(subject.board_named(args)), choices
