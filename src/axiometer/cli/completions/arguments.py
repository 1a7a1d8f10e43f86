"""The options and words of each command, from its parser, with the values that a shell offers."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# An argument, by its name in the parser -> the kind of names that it accepts.
_NAMES = {
    "platform": "boards",
    "board": "boards",
    "subject": "boards",
    "experiment": "experiments",
    "start": "experiments",
}
_OF_POINT = {"way": "modes", "mode": "modes", "set": "keys"}
"""The same for commands that ask about a point: those with PORTS by their place."""
_PORTS = ("where", "ports")


@dataclass(frozen=True)
class Argument:
    """An option (its `flags`, none for a word by its place). `takes`: its value in the help, ""
    where it has none; `values`: the words that it may be, none where any may; `is_ports`: whether
    it is ports of the board that the command line names."""

    flags: Sequence[str]
    takes: str
    values: Sequence[str]
    about: str
    many: bool = False
    is_ports: bool = False


@dataclass(frozen=True)
class Command:
    """`words`: arguments by their place."""

    name: str
    about: str
    usage: str
    options: Sequence[Argument]
    words: Sequence[Argument]


def commands(
    each: Mapping[str, argparse.ArgumentParser], names: Mapping[str, Sequence[str]]
) -> list[Command]:
    """All commands of `each`; `names`: boards, experiments, modes and keys of a point."""
    return [_command(name, parser, names) for name, parser in each.items()]


def _command(
    name: str, parser: argparse.ArgumentParser, names: Mapping[str, Sequence[str]]
) -> Command:
    found = [_argument(action, parser, names) for action in parser._actions]
    return Command(
        name,
        parser.description or "",
        " ".join(parser.format_usage().removeprefix("usage: ").split()),
        [argument for argument in found if argument.flags],
        [argument for argument in found if not argument.flags],
    )


def _argument(
    action: argparse.Action, parser: argparse.ArgumentParser, names: Mapping[str, Sequence[str]]
) -> Argument:
    of_point = any(other.dest == "where" for other in parser._actions)
    kinds = {**_NAMES, **_OF_POINT} if of_point else _NAMES
    values = [str(choice) for choice in action.choices or names.get(kinds.get(action.dest, ""), ())]
    takes = ""
    if action.nargs != 0:
        takes = str(action.metavar or action.dest.upper())
        if action.choices and action.metavar is None:
            takes = "{" + ",".join(map(str, action.choices)) + "}"
    # A per cent sign is doubled in help texts, and defaults are filled in.
    about = parser._get_formatter()._expand_help(action) if action.help else ""
    return Argument(
        tuple(action.option_strings),
        takes,
        values,
        " ".join(about.split()),
        action.nargs == "*",
        of_point and action.dest in _PORTS,
    )


def boards_by_ports(ports: Mapping[str, Sequence[str]]) -> Mapping[Sequence[str], Sequence[str]]:
    """The boards of `ports` (the ports of each board) that have the same ports, by these."""
    found: dict[Sequence[str], list[str]] = {}
    for board, of in ports.items():
        found.setdefault(tuple(of), []).append(board)
    return found
