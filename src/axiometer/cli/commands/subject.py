"""What a command is asked about: a board by its name, its ports and a mode, or a design's file.

    axiometer expect zybo HP0+HP1 read
    axiometer expect system.xsa --board zybo

`axiometer --help` imports this, so functions import what they need themselves.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Protocol

from axiometer.base.errors import AxiometerError

EXPORTS = (".xsa", ".hdf", ".hwh", ".tcl", ".qsys", ".xz")
"""How names of designs' files end, but for design files (.toml)."""
DESIGN, BOARD, EXPERIMENT, ROWS = "design", "board", "experiment", "rows"
UNKNOWN = "unknown"
_TAKERS = {
    DESIGN: "axiometer expect {0} (or check, advise, explain, curve, report)",
    BOARD: "axiometer expect {0} PORTS (or advise, curve, selftest)",
    EXPERIMENT: "axiometer run {0}",
    ROWS: "axiometer check {0}, or compare RUN --with {0}",
}
"""Which command takes a file, by its kind."""
_LOOKED_AT = 65536
_SIGNS = {
    DESIGN: re.compile(r"^((tool|part)[ \t]*=|\[\[port\]\])", re.MULTILINE),
    EXPERIMENT: re.compile(r"^(platform[ \t]*=|\[(sweep|defaults)\])", re.MULTILINE),
    BOARD: re.compile(r"^(chip[ \t]*=|\[(clocks|dram|controller)\b)", re.MULTILINE),
}
"""What shows the kind of a TOML file in its first characters."""


class Subject(Protocol):
    """A board or a design (`add`), as `settle` leaves it."""

    subject: str | None
    board: str | None
    design: str | None


class OfPoint(Subject, Protocol):
    """And where on the board (`add_point`)."""

    where: str | None
    way: str | None
    ports: str | None
    mode: str | None


def add(parser: argparse.ArgumentParser) -> None:
    """BOARD or DESIGN by its place, and `--board`: with a design, the board that it runs on."""
    parser.add_argument(
        "subject",
        metavar="BOARD|DESIGN",
        nargs="?",
        help="a board's name or TOML file (axiometer list boards), or your own design: .xsa, .hdf, "
        ".hwh, .tcl, .qsys, the directory of an export, or a design file",
    )
    parser.add_argument(
        "--board", metavar="BOARD", help="the board that a design runs on (default: its own)"
    )
    parser.set_defaults(design=None)


def add_point(parser: argparse.ArgumentParser) -> None:
    """As `add`, with PORTS and MODE behind it."""
    add(parser)
    parser.add_argument("where", metavar="PORTS", nargs="?", help="ports, joined by +: HP0+HP2")
    parser.add_argument("way", metavar="MODE", nargs="?", help="read, write or both; as --mode")


def settle(args: Subject) -> None:
    """Puts what stands by its place where options have it. AxiometerError where nothing is named,
    or a file is of another kind."""
    if args.subject is not None:
        found = kind(args.subject)
        if found in (EXPERIMENT, ROWS):
            raise other(args.subject, found)
        if found == DESIGN:
            args.design = args.subject
        elif args.board is not None:
            raise AxiometerError(
                f"two boards are named: {args.subject} and --board {args.board}",
                remedy="leave one out; --board goes with a design",
            )
        else:
            args.board = args.subject


def settle_point(args: OfPoint) -> None:
    """As `settle`, for ports and mode too."""
    settle(args)
    for at, option in (("where", "ports"), ("way", "mode")):
        given = getattr(args, at)
        if given is None:
            continue
        if getattr(args, option) is not None:
            raise AxiometerError(
                f"{option} twice: {given} and --{option} {getattr(args, option)}",
                remedy="leave one out",
            )
        setattr(args, option, given)


def board_named(args: Subject) -> str:
    """The board that is named; AxiometerError if there is none."""
    if args.board is None:
        raise AxiometerError(
            "no board and no design is named",
            remedy="name a board (axiometer list boards), or give the file of your design",
        )
    return args.board


def kind(text: str) -> str:
    """DESIGN, EXPERIMENT, ROWS, BOARD (which any name may be), or UNKNOWN."""
    path = Path(text)
    suffix = path.suffix.lower()
    if suffix in (".csv", ".toml"):
        return ROWS if suffix == ".csv" else _of_toml(path)
    is_folder = len(path.parts) > 1 and path.is_dir()
    return DESIGN if suffix in EXPORTS or is_folder else BOARD


def is_design(text: str) -> bool:
    """Whether it is the file of a design, or a directory by its path."""
    return kind(text) == DESIGN


def must_be(wanted: str, text: str) -> None:
    """AxiometerError with the command that takes it, if `text` is a file of another kind."""
    from axiometer.base.input_bounds import is_file

    path = Path(text)
    found = kind(text)
    # A name without a suffix may be that of a file too: its reader says what is known.
    if found not in (wanted, UNKNOWN) and path.suffix and is_file(path):
        raise other(text, found)


def other(file: str, found: str) -> AxiometerError:
    """That a file is of a kind that a command does not take, with the command that does."""
    words = {DESIGN: "a design", BOARD: "a board", EXPERIMENT: "an experiment", ROWS: "rows"}
    return AxiometerError(f"{file} is {words[found]}", remedy=_TAKERS[found].format(file))


def _of_toml(path: Path) -> str:
    """By what begins its lines; UNKNOWN where nothing shows it, or it cannot be read."""
    from axiometer.base.input_bounds import is_file

    if not is_file(path):
        return UNKNOWN
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(_LOOKED_AT)
    except OSError:
        return UNKNOWN
    return next((found for found, sign in _SIGNS.items() if sign.search(text)), UNKNOWN)
