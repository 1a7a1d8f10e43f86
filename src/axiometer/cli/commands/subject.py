"""The subject of a command: a board with its ports and a mode, or the file of a design.

    axiometer expect zybo HP0+HP1 read
    axiometer expect system.xsa --board zybo

`axiometer --help` imports this file; so imports are in the functions.
"""

from __future__ import annotations

import argparse
from typing import Protocol

from axiometer.api.file_kinds import DESIGN, EXPERIMENT, ROWS, kind, other
from axiometer.base.errors import AxiometerError


class Subject(Protocol):
    """A board or a design (`add`), after `settle`."""

    subject: str | None
    board: str | None
    design: str | None


class OfPoint(Subject, Protocol):
    """And ports and mode (`add_point`)."""

    where: str | None
    way: str | None
    ports: str | None
    mode: str | None


def add(parser: argparse.ArgumentParser) -> None:
    """Add BOARD|DESIGN, and `--board` for the board of a design."""
    parser.add_argument(
        "subject",
        metavar="BOARD|DESIGN",
        nargs="?",
        help="a board's name or TOML file (axiometer list boards), or your own design: .xsa, .hdf, "
        ".hwh, .tcl, .qsys, csynth.xml of Vitis HLS, the directory of one, or a design file",
    )
    parser.add_argument("--board", metavar="BOARD", help="the board of a design (default: its own)")
    parser.set_defaults(design=None)


def add_point(parser: argparse.ArgumentParser) -> None:
    """As `add`, followed by PORTS and MODE."""
    add(parser)
    parser.add_argument("where", metavar="PORTS", nargs="?", help="ports, joined by +: HP0+HP2")
    parser.add_argument("way", metavar="MODE", nargs="?", help="read, write or both; as --mode")


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
    for at, option in (("where", "ports"), ("way", "mode")):
        given = getattr(args, at)
        if given is None:
            continue
        if getattr(args, option) is not None:
            raise AxiometerError(
                f"two values of {option}: {given} and --{option} {getattr(args, option)}",
                remedy="leave one out",
            )
        setattr(args, option, given)


def board_named(args: Subject) -> str:
    """The named board; AxiometerError without one."""
    if args.board is None:
        raise AxiometerError(
            "no board and no design is given",
            remedy="name a board (axiometer list boards), or give the file of your design",
        )
    return args.board
