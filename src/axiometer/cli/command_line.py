"""The parser of the command line: which commands there are, and what each takes.

What the commands do is theirs; how errors become exit statuses is `__main__`'s.
"""

from __future__ import annotations

import argparse
import importlib
import re
import shutil
from collections.abc import Mapping, Sequence
from typing import NoReturn

from axiometer import __version__
from axiometer.base import wrap
from axiometer.base.errors import AxiometerError, did_you_mean

# One line a command; each is a module of axiometer.cli.commands with HELP, add_arguments and run.
COMMANDS = (
    "list",
    "run",
    "measure",
    "runs",
    "show",
    "compare",
    "explain",
    "expect",
    "curve",
    "calibrate",
    "advise",
    "report",
    "export",
    "import",
    "build",
    "doctor",
    "check",
    "selftest",
    "vm",
    "completion",
)

DESCRIPTION = (
    "How fast does data move between the processor and the fabric of an FPGA SoC, and why not "
    "faster? Figures come from a calibrated model of the chip unless a command says otherwise."
)
EXAMPLE = """\
first steps:
  axiometer list                      boards, experiments and runs
  axiometer run zybo-hp-bandwidth     reproduce a published table
  axiometer COMMAND --help            the options of a command
"""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Has the help of the longest command beside it: argparse forgets how far these are set in."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = max(map(len, COMMANDS)) + 4

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Lines as they are, where there are several; one is a sentence, which fits the width."""
        if "\n" in text:
            return super()._fill_text(text, width, indent)
        return argparse.HelpFormatter._fill_text(self, text, width, indent)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in the form of all other errors; its help is no wider than there is room:
    argparse breaks no alternatives in a usage line."""

    def format_help(self) -> str:
        return "\n".join(wrap.lines([super().format_help()], shutil.get_terminal_size().columns))

    def error(self, message: str) -> NoReturn:
        choice = re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message)
        if choice:
            known = [name.strip(" '") for name in choice[2].split(",")]
            raise AxiometerError(
                f"{self.prog} has no {choice[1]!r}", remedy=did_you_mean(choice[1], known)
            )
        raise AxiometerError(message, remedy=f"{self.prog} --help tells what it takes")


def parser(
    names: Sequence[str] = COMMANDS,
) -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """The parser of the whole command line, and that of each command in `names`, which are those
    that it knows."""
    whole = _Parser(
        prog="axiometer",
        description=DESCRIPTION,
        epilog=EXAMPLE,
        formatter_class=_Formatter,
    )
    whole.add_argument("--version", action="version", version=f"axiometer {__version__}")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    each = {}
    for name in names:
        module = importlib.import_module(f"axiometer.cli.commands.{name}")
        each[name] = commands.add_parser(
            name, help=module.HELP, description=module.HELP, allow_abbrev=False
        )
        module.add_arguments(each[name])
        each[name].set_defaults(run=module.run)
    return whole, each
