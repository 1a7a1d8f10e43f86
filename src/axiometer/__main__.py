"""The `axiometer` command: finds the command that is meant, and turns errors into exit statuses.

0: done. 1: a run failed, or a comparison exceeds its limit. 2: bad usage or bad input.
130: interrupted. 141: whoever read the output went away.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import re
import sys
from collections.abc import Sequence

from axiometer import __version__, streams
from axiometer.errors import RUN_FAILED, AxiometerError, did_you_mean

# One line a command; each is a module of axiometer.commands with HELP, add_arguments and run.
COMMANDS = (
    "list",
    "run",
    "runs",
    "show",
    "compare",
    "explain",
    "expect",
    "curve",
    "advise",
    "report",
    "export",
    "import",
    "build",
    "doctor",
    "check",
    "selftest",
    "vm",
)

_DESCRIPTION = (
    "How fast does data move between the processor and the fabric of an FPGA SoC, and why not "
    "faster? Figures come from a calibrated model of the chip unless a command says otherwise."
)
_EXAMPLE = """\
first steps:
  axiometer list                      platforms, experiments and runs
  axiometer run zybo-hp-bandwidth     reproduce a published table
  axiometer COMMAND --help            what a command takes
"""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in the form of all other errors."""

    def error(self, message: str) -> None:
        choice = re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message)
        if choice:
            known = [name.strip(" '") for name in choice[2].split(",")]
            raise AxiometerError(
                f"{self.prog} has no {choice[1]!r}", remedy=did_you_mean(choice[1], known)
            )
        raise AxiometerError(message, remedy=f"{self.prog} --help tells what it takes")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: this process's) and return the exit status."""
    try:
        if argv is None:
            streams.prepare()
        status = _dispatch(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return status
    except AxiometerError as error:
        streams.tell(f"axiometer: {error}")
        return error.status
    except KeyboardInterrupt as interrupt:
        notes = "".join(f"; {note}" for note in interrupt.args)
        streams.tell(f"axiometer: interrupted{notes}")
        return 130
    except BrokenPipeError:
        # Python flushes stdout once more at exit; nobody is there to read it.
        streams.silence(sys.stdout)
        return 141
    except (OSError, MemoryError) as error:
        streams.tell(f"axiometer: {_told(error)}")
        # What stdout still holds may not be writable at exit either.
        streams.silence(sys.stdout)
        return RUN_FAILED


def _told(error: OSError | MemoryError) -> str:
    """What the system refused, and what to do."""
    if isinstance(error, MemoryError):
        return "memory ran out\n  give fewer points, repeats or --jobs"
    where = f"{error.filename}: " if error.filename else ""
    if error.errno == errno.ENOSPC:
        return f"{where}no space left on the device\n  free some space and try again"
    what = error.strerror or error
    return f"{where}the system says: {what}\n  check the file, its place and its permissions"


def _dispatch(argv: list[str]) -> int:
    parser = _Parser(
        prog="axiometer",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"axiometer {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    wanted = argv[0] if argv else ""
    if wanted and not wanted.startswith("-") and wanted not in COMMANDS:
        raise AxiometerError(
            f"there is no command {wanted!r}", remedy=did_you_mean(wanted, COMMANDS, "commands")
        )
    for name in [wanted] if wanted in COMMANDS else COMMANDS:
        module = importlib.import_module(f"axiometer.commands.{name}")
        sub = commands.add_parser(
            name, help=module.HELP, description=module.HELP, allow_abbrev=False
        )
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    if not argv:
        parser.print_help(sys.stderr)
        return 2
    arguments, unknown = parser.parse_known_args(argv)
    if arguments.command is None:
        parser.error("no command is given")
    if unknown:
        options = commands.choices[arguments.command].format_usage()
        raise AxiometerError(
            f"axiometer {arguments.command} does not take {unknown[0]!r}",
            remedy=did_you_mean(unknown[0], re.findall(r"--[a-z-]+", options), "options"),
        )
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
