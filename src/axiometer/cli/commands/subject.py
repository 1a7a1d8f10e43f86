"""The subject of a command: a board with its ports and a mode, or the file of a design.

    axiometer expect zybo HP0+HP1 read
    axiometer expect system.xsa --board zybo

`axiometer --help` imports this file; so imports are in the functions.
"""

from __future__ import annotations

from axiometer.api.file_kinds import DESIGN, EXPERIMENT, ROWS, kind, other
from axiometer.base.errors import AxiometerError
from axiometer.cli.options import option, word


class Subject:
    """A board or a design, after `settle`."""

    subject: str | None = word(
        "a board's name or TOML file (axiometer list boards), or your own design: .xsa, .hdf, "
        ".hwh, .tcl, .qsys, csynth.xml of Vitis HLS, the directory of one, or a design file",
        metavar="BOARD|DESIGN",
    )
    board: str | None = option("the board of a design (default: its own)", metavar="BOARD")
    design: str | None


class OfPoint(Subject):
    """And ports and mode."""

    where: str | None = word("ports, joined by +: HP0+HP2", metavar="PORTS")
    way: str | None = word("read, write or both; as --mode", metavar="MODE")
    ports: str | None
    mode: str | None


def settle(args: Subject) -> None:
    """Move positional words into the options. AxiometerError if two boards are named, or a file is
    of another kind."""
    if args.subject is not None:
        found = kind(args.subject)
        if found in (EXPERIMENT, ROWS):
            raise other(args.subject, found)
        if found == DESIGN:
            args.design = args.subject
        elif args.board is not None:
            raise AxiometerError(
                f"two boards: {args.subject} and --board {args.board}",
                remedy="leave one out; --board goes with a design",
            )
        else:
            args.board = args.subject


def settle_point(args: OfPoint) -> None:
    """As `settle`, with ports and mode."""
    settle(args)
    for at, name in (("where", "ports"), ("way", "mode")):
        given = getattr(args, at)
        if given is None:
            continue
        if getattr(args, name) is not None:
            raise AxiometerError(
                f"two values of {name}: {given} and --{name} {getattr(args, name)}",
                remedy="leave one out",
            )
        setattr(args, name, given)


def board_named(args: Subject) -> str:
    """The named board; AxiometerError without one."""
    if args.board is None:
        raise AxiometerError(
            "no board and no design is given",
            remedy="name a board (axiometer list boards), or give the file of your design",
        )
    return args.board
