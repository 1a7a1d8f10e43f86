"""`axiometer advise`: search for a better setting and give the gain of each choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiometer.base import standard_streams
from axiometer.cli.commands import console, subject
from axiometer.cli.options import option

if TYPE_CHECKING:
    from axiometer.api.advising import Subject

HELP = "search for the best ports, bursts and settings for masters, or for your design"


class Options(subject.Subject, console.Printed):
    """The values of the command line."""

    start: str | None = option(
        "improve an experiment's first point step by step", "--from", metavar="EXPERIMENT"
    )
    master: list[str] = option(
        "a master in the fabric, once for each: "
        "NAME=DIRECTION[,rate=MB/s][,burst=BYTES+BYTES...][,pattern=PATTERN][,outstanding=N]",
        metavar="MASTER",
    )
    objective: str | None = option(
        "total, minimum (the slowest master), guarantee (the requested rates; default if a "
        "master has one) or latency (the longest mean); default: minimum"
    )
    transfer_bytes: str | None = option(
        "processor's side: size of a transfer or packet, 4K", metavar="BYTES"
    )
    mode: str | None = option("processor's side: ps_to_pl (default) or pl_to_ps")
    packets: bool = option("processor's side: rings of packets")
    set: list[str] = option(
        "a key of an experiment for all candidates; values with commas are tried (also of a "
        "figure of the board: qos.HP0.mode=video,best_effort); for a design, a change before the "
        "search",
        metavar="KEY=VALUE",
    )


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
