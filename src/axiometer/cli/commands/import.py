"""`axiometer import`: the user's own design or board."""  # noqa: N999

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from axiometer.base import atomic_file
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.cli.commands import console, import_board
from axiometer.cli.options import option, word

if TYPE_CHECKING:
    from axiometer.designs import Design
    from axiometer.designs.platform import Placed

HELP = "read a design or a board from the export of a tool"
# What can be imported, and the options that only it has.
_ONLY_OF = {"design": ("board", "hls"), "board": ("chip", "crystal")}


class Kind:
    """What to import."""

    kind: str = word("what to read", metavar="design|board")


class Options(Kind, import_board.Options):
    """The values of the command line."""

    board: str | None = option("the board of a design (default: its own)", metavar="BOARD")
    hls: list[Path] = option(
        "for a design: add the bursts of an HLS core from its csynth.xml, or the directory of "
        "its solution; several cores: several times",
        metavar="REPORT",
    )


def run(args: Options) -> int:
    if args.kind not in _ONLY_OF:
        raise AxiometerError(
            f"nothing to import is called {args.kind!r}",
            remedy=did_you_mean(args.kind, list(_ONLY_OF), "what can be imported"),
        )
    for kind, options in _ONLY_OF.items():
        given = next((name for name in options if kind != args.kind and getattr(args, name)), None)
        if given is not None:
            raise AxiometerError(
                f"--{given} is only for import {kind}", remedy=f"leave out --{given}"
            )
    if args.kind == "board":
        return import_board.run(args)
    return _design(args)


def _design(args: Options) -> int:
    from axiometer import designs
    from axiometer.designs import design_file, hls
    from axiometer.designs.platform import platform_of
    from axiometer.present import design as words
    from axiometer.present import design_platform
    from axiometer.present.text import Style

    design = designs.load(args.directory)
    for report in args.hls:
        design = hls.completed(design, hls.read(report))
    if args.output is not None:
        atomic_file.write_text(args.output, design_file.dumps(design))
        console.say_written(args.output)
    try:
        placed = platform_of(design, args.directory, args.board)
    except AxiometerError as error:
        if args.board is not None:
            raise
        placed, why = None, f"No board: {error.message}. {error.remedy or ''}".strip()
    style = Style.of_stdout(args.plain)
    asked = _command(design, placed)
    if args.json:
        found = design_platform.document(placed) if placed else {"board": None, "why": why}
        console.show_json({**words.document(design), "runs_on": found, "command": asked})
    else:
        board = design_platform.lines(placed, style) if placed else [why]
        board += [f"The same of the board: {asked}"] if asked else []
        console.show_lines([*words.lines(design, style), "", *board], style)
    return 0


def _command(design: Design, placed: Placed | None) -> str:
    """The command that asks the board about the design's masters; "" where there is none."""
    from axiometer.designs import masters
    from axiometer.designs.plan import planned
    from axiometer.experiment import expect_command

    try:
        if placed is not None:
            point = masters.of(placed.platform, planned(design)).point()
            return expect_command.command(placed.platform, point.values, repeats=False)
    except AxiometerError:
        pass  # no master moves data, or the board cannot run the list: no command asks it
    return ""
