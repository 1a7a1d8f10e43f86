"""The parser of the command line: the commands and their arguments.

Not for: the work of commands (`commands/`), nor exit statuses (`__main__`).
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
from axiometer.cli import options

# One line a command; each is a module of axiometer.cli.commands with HELP, Options and run.
COMMANDS = (
    "list",
    "run",
    "measure",
    "runs",
    "show",
    "compare",
    "explain",
    "expect",
    "sweep",
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
    "serve",
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
    """Keeps the help of the longest command on its line: argparse ignores the indent."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = max(map(len, COMMANDS)) + 4

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Several lines unchanged; a single line wrapped to the width."""
        if "\n" in text:
            return super()._fill_text(text, width, indent)
        return argparse.HelpFormatter._fill_text(self, text, width, indent)


class _Parser(argparse.ArgumentParser):
    """Reports errors as AxiometerError, and wraps help to the terminal: argparse does not break
    alternatives in a usage line."""

    def format_help(self) -> str:
        return "\n".join(wrap.lines([super().format_help()], shutil.get_terminal_size().columns))

    def error(self, message: str) -> NoReturn:
        choice = re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message)
        if choice:
            known = [name.strip(" '") for name in choice[2].split(",")]
            raise AxiometerError(
                f"{self.prog} has no {choice[1]!r}", remedy=did_you_mean(choice[1], known)
            )
        raise AxiometerError(message, remedy=f"list its options with: {self.prog} --help")


def parser(
    names: Sequence[str] = COMMANDS,
) -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """The parser of the command line with the commands `names`, and the parser of each."""
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
            name,
            help=module.HELP,
            description=getattr(module, "DESCRIPTION", module.HELP),
            allow_abbrev=False,
        )
        options.add(each[name], module.Options)
        each[name].set_defaults(run=module.run)
    return whole, each
