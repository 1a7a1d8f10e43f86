"""One declaration an option: a class of a command's options says what argparse reads and what the
command gets.

    class Options(console.Printed):
        board: str = word("the board")
        pl_mhz: str | None = option("clock of the PL: 150MHz")
        set: list[str] = option("another key", metavar="KEY=VALUE")

The type decides how it is read: `bool` is a switch, `list` may be given several times, `Path` is a
file, and what may be None may be left out. Every `axiometer --help` imports this file.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from axiometer.base import atomic_file


@dataclass(frozen=True)
class Argument:
    """An argument of the command line; `flags` are empty for a positional word."""

    help: str
    flags: tuple[str, ...]
    settings: dict[str, Any] = field(default_factory=dict)

    def add(self, to: argparse._ActionsContainer, name: str, kind: str) -> None:
        """Add it for the attribute `name` of type `kind`."""
        settings = {"help": self.help, **self.settings}
        if "Path" in kind:
            settings.setdefault("type", path)
        if not self.flags:
            if kind.endswith("| None") or "default" in settings:
                settings.setdefault("nargs", "?")
            to.add_argument(name, **settings)
            return
        if kind == "bool":
            settings["action"] = "store_true"
        elif kind.startswith("list"):
            settings |= {"action": "append", "default": []}
        to.add_argument(*(self.flags if self.flags[0] else (flag(name),)), dest=name, **settings)


def option(help: str, *flags: str, **settings: Any) -> Any:
    """An option, `--NAME` where no `flags` are given. `settings` are those of `add_argument`;
    options with the same `alone` exclude each other."""
    return Argument(help, flags or ("",), settings)


def word(help: str, **settings: Any) -> Any:
    """A word at its place."""
    return Argument(help, (), settings)


def flag(name: str) -> str:
    """The option of an attribute, or of a key of an experiment."""
    return "--" + name.replace("_", "-")


def path(text: str) -> Any:
    """The file of an argument."""
    from pathlib import Path

    return Path(text)


def place(text: str) -> Any:
    """The file to write of an argument. AxiometerError if it cannot be written, before any work."""
    atomic_file.check(path(text))
    return path(text)


def last(options: type) -> type:
    """Marks options that stand at the end of a command's help."""
    setattr(options, "_stands_last", True)  # noqa: B010
    return options


def add(parser: argparse.ArgumentParser, options: type) -> None:
    """Add all that `options` declares. What has a type but no argument is None at first."""
    groups: dict[str, argparse._MutuallyExclusiveGroup] = {}
    for of in sorted(_classes(options), key=lambda one: "_stands_last" in vars(one)):
        for name, kind in of.__annotations__.items():
            argument = vars(of).get(name)
            if not isinstance(argument, Argument):
                parser.set_defaults(**{name: None})
                continue
            to: argparse._ActionsContainer = parser
            settings = dict(argument.settings)
            if alone := settings.pop("alone", None):
                if alone not in groups:
                    groups[alone] = parser.add_mutually_exclusive_group()
                to = groups[alone]
            Argument(argument.help, argument.flags, settings).add(to, name, kind)


def names(options: type) -> list[str]:
    """The attributes that a class itself declares."""
    return [
        name for name in options.__annotations__ if isinstance(vars(options).get(name), Argument)
    ]


def _classes(options: type) -> Iterator[type]:
    """A class after those that it takes over."""
    found = dict.fromkeys(one for base in options.__bases__ for one in _classes(base))
    yield from (one for one in found if one is not object)
    yield options
