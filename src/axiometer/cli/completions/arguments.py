"""What each command takes, as the parser says it: options, words, what may stand for each."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# What an argument means, by its name in the parser -> the kind of data whose names it takes.
_NAMES = {
    "platform": "platforms",
    "board": "platforms",
    "experiment": "experiments",
    "start": "experiments",
}


@dataclass(frozen=True)
class Argument:
    """An option (its `flags`, none for a word by its place). `takes`: what stands for its value in
    the help, "" where it has none; `values`: the words that it may be, none where any may."""

    flags: Sequence[str]
    takes: str
    values: Sequence[str]
    about: str
    many: bool = False


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
    """All commands of `each`; `names`: names of platforms and experiments, by their kind."""
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
    values = [
        str(choice) for choice in action.choices or names.get(_NAMES.get(action.dest, ""), ())
    ]
    takes = ""
    if action.nargs != 0:
        takes = str(action.metavar or action.dest.upper())
        if action.choices and action.metavar is None:
            takes = "{" + ",".join(map(str, action.choices)) + "}"
    # A per cent sign is doubled in help texts, and defaults are filled in.
    about = parser._get_formatter()._expand_help(action) if action.help else ""
    return Argument(
        tuple(action.option_strings), takes, values, " ".join(about.split()), action.nargs == "*"
    )
