"""Answers a press of Tab in a shell, by argcomplete, from the parser of the command line.

Offers commands, options, choices, and the names that an argument takes; files where none fits.
The shell runs `axiometer` with `_ARGCOMPLETE` in its environment. To offer names for one more
argument, add its name in the parser to `_NAMES` or `_OF_POINT`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.cli.command_line import COMMANDS, parser

SHELLS = ("bash", "zsh", "fish")


def _boards(prefix: str, **_: object) -> Iterable[str]:
    return _or_files("boards", prefix)


def _experiments(prefix: str, **_: object) -> Iterable[str]:
    return _or_files("experiments", prefix)


def _or_files(kind: str, prefix: str) -> Iterable[str]:
    """The names of a kind that fit, or files where none does."""
    from argcomplete.completers import FilesCompleter

    from axiometer.base import data

    return [n for n in data.names(kind) if n.startswith(prefix)] or FilesCompleter()(prefix)


def _modes(**_: object) -> Iterable[str]:
    from axiometer.experiment.keys import BOTH

    return ("read", "write", BOTH)


def _way(parsed_args: argparse.Namespace, **_: object) -> Iterable[str]:
    return _modes() if parsed_args.where else ()


def _keys(**_: object) -> Iterable[str]:
    from axiometer.experiment.keys import KEYS

    return (f"{key}=" for key in KEYS)


def _ports(prefix: str, parsed_args: argparse.Namespace, **_: object) -> Iterable[str]:
    """The ports of the board that the line names; they are joined by +."""
    from axiometer.published.catalogue import listed

    joined = prefix[: prefix.rfind("+") + 1]
    return (
        joined + port
        for row in listed.platforms()
        if row["name"] in (parsed_args.board, parsed_args.subject)
        for port in f"{row['ports']}+{row['not validated']}".strip("+").split("+")
    )


# An argument, by its name in the parser -> what completes it, called as argcomplete does.
_NAMES = {
    "platform": _boards,
    "board": _boards,
    "subject": _boards,
    "experiment": _experiments,
    "start": _experiments,
}
_OF_POINT = {"way": _way, "mode": _modes, "set": _keys, "where": _ports, "ports": _ports}
"""The same for commands that ask about a point: those with PORTS by their place."""


def script(shell: str) -> str:
    """What a shell evaluates to ask this program at each Tab. AxiometerError if argcomplete is
    missing."""
    try:
        from argcomplete.shell_integration import shellcode
    except ModuleNotFoundError:
        raise AxiometerError(
            "completion needs argcomplete, not installed here",
            remedy="pip install argcomplete",
            status=RUN_FAILED,
        ) from None
    return shellcode(["axiometer"], shell=shell)


def answer() -> None:
    """Write what fits the line in the environment, where the shell reads it, and end the
    process."""
    from argcomplete import autocomplete

    autocomplete(offering(os.environ["COMP_LINE"].split(" ")), always_complete_options=False)


def offering(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of a line of `words`, whose arguments have what completes them."""
    known = len(words) > 2 and words[1] in COMMANDS
    whole, each = parser(words[1:2] if known else COMMANDS)
    for command in each.values():
        _offer(command)
    return whole


def _offer(command: argparse.ArgumentParser) -> None:
    """Give the arguments of a command what completes them."""
    of_point = any(action.dest == "where" for action in command._actions)
    named = {**_NAMES, **_OF_POINT} if of_point else _NAMES
    for action in command._actions:
        if action.dest in named and not action.choices:
            setattr(action, "completer", named[action.dest])  # noqa: B010
