"""The `axiometer` command: runs the named command and turns errors into exit statuses.

0: done. 1: a run failed, or a comparison exceeds its limit. 2: bad usage or bad input.
130: interrupted. 141: the reader of the output is gone.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Sequence

from axiometer.base import progress, standard_streams
from axiometer.base.errors import RUN_FAILED, AxiometerError, did_you_mean
from axiometer.cli.command_line import COMMANDS, parser

_OTHER_WORDS = {"min": "need", "minimum": "need", "at_least": "need", "require": "need"}
"""Words that people try for an option that is no key."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: this process's) and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    plain = "--plain" in words
    try:
        if argv is None:
            standard_streams.prepare()
            if "_ARGCOMPLETE" in os.environ:
                from axiometer.cli import completion

                completion.answer()
        status = _dispatch(words)
        sys.stdout.flush()
        return status
    except AxiometerError as error:
        standard_streams.tell_error(f"axiometer: {error}", plain)
        return error.status
    except KeyboardInterrupt as interrupt:
        notes = "".join(f"; {note}" for note in interrupt.args)
        standard_streams.tell_error(f"axiometer: interrupted{notes}", plain)
        return 130
    except BrokenPipeError:
        # Python flushes stdout once more at exit, without a reader.
        standard_streams.silence(sys.stdout)
        return 141
    except (OSError, MemoryError) as error:
        standard_streams.tell_error(f"axiometer: {_told(error)}", plain)
        # The rest of stdout may not be writable at exit either.
        standard_streams.silence(sys.stdout)
        return RUN_FAILED


def _told(error: OSError | MemoryError) -> str:
    """What the system refused, with a remedy."""
    if isinstance(error, MemoryError):
        return "memory ran out\n  give fewer points, repeats or --jobs"
    where = f"{error.filename}: " if error.filename else ""
    if error.errno == errno.ENOSPC:
        return f"{where}no space left on the device\n  free some space and try again"
    what = error.strerror or error
    return f"{where}{what}\n  check the file, its directory and its permissions"


def _dispatch(argv: list[str]) -> int:
    wanted = argv[0] if argv else ""
    if wanted and not wanted.startswith("-") and wanted not in COMMANDS:
        raise AxiometerError(
            f"there is no command {wanted!r}", remedy=did_you_mean(wanted, COMMANDS, "commands")
        )
    whole, each = parser([wanted] if wanted in COMMANDS else COMMANDS)
    if not argv:
        standard_streams.tell_error(whole.format_help().rstrip())
        return 2
    arguments, unknown = whole.parse_known_args(argv)
    if arguments.command is None:
        whole.error("no command is given")
    if unknown:
        options = re.findall(r"--[a-z-]+", each[arguments.command].format_usage())
        raise AxiometerError(
            f"axiometer {arguments.command} has no {unknown[0]!r}",
            remedy=_option_meant(unknown, options),
        )
    with progress.heard(standard_streams.transient):
        try:
            status: int = arguments.run(arguments)
            return status
        finally:
            standard_streams.clear()


def _option_meant(unknown: Sequence[str], options: Sequence[str]) -> str:
    """What to write in the place of the first of the `unknown` words of a command line: an option,
    or `--set` where an experiment has a key of that name."""
    from axiometer.experiment import key_names
    from axiometer.experiment.keys import KEYS

    option, _, value = unknown[0].partition("=")
    name = option.removeprefix("--").replace("-", "_")
    if option.startswith("--"):
        by_key = {found.removeprefix("--").replace("-", "_"): found for found in options}
        keys = [name] if name in KEYS else key_names.meant(name, [*by_key, *KEYS])
        given = value or (unknown[1] if len(unknown) > 1 else "VALUE")
        if (other := by_key.get(_OTHER_WORDS.get(name, ""))) is not None:
            return f"did you mean {other} {given}?"
        settings = [f"--set {key}={given}" for key in keys if "--set" in options and key in KEYS]
        words = [by_key[key] for key in keys if key in by_key] or settings
        if words:
            return f"did you mean {' or '.join(words)}?"
    return did_you_mean(option, options, "options")


if __name__ == "__main__":
    sys.exit(main())
