"""The manual page, axiometer(1), for `man`."""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.cli.completions.arguments import Argument, Command

_STATUS = (
    ("0", "Done."),
    ("1", "A run failed, or a comparison exceeds its limit."),
    ("2", "Bad usage or bad input."),
    ("130", "Interrupted; finished points of a run are stored."),
    ("141", "The reader of the output is gone."),
)
_ENVIRONMENT = (
    ("AXIOMETER_STORE", "The file with the stored runs (default: in the user's data directory)."),
    (
        "AXIOMETER_CALIBRATION",
        "The directory of your own measurements (default: in the user's data directory).",
    ),
    ("AXIOMETER_REFERENCE", "A directory of published tables that are not part of the package."),
    ("COLUMNS", "The width to print in (default: the terminal's; 80 where there is none)."),
    ("NO_COLOR", "If not empty: no colours."),
)


def text(commands: Sequence[Command], version: str, about: str, examples: str) -> str:
    """The page in roff. `about`: the purpose of the program; `examples`: lines to print
    unchanged."""
    out = [
        f'.TH AXIOMETER 1 "" "axiometer {_roff(version)}" "User Commands"',
        ".SH NAME",
        "axiometer \\- data rates between the processor and the fabric of an FPGA SoC",
        ".SH SYNOPSIS",
        ".B axiometer",
        ".I COMMAND",
        "[arguments]",
        ".SH DESCRIPTION",
        _roff(about),
        ".SH COMMANDS",
    ]
    for command in commands:
        out += [f".SS {_roff(command.name)}", f"{_roff(_sentence(command.about))}", ".PP"]
        out += [".nh", _roff(command.usage), ".hy"]
        for argument in [*command.words, *command.options]:
            out += [".TP", _heading(argument), _roff(_sentence(argument.about)) or "\\&"]
    out += [".SH EXIT STATUS", *_list(_STATUS), ".SH ENVIRONMENT", *_list(_ENVIRONMENT)]
    out += [".SH EXAMPLES", ".nf", *map(_roff, examples.splitlines()), ".fi"]
    return "\n".join(out) + "\n"


def _heading(argument: Argument) -> str:
    if not argument.flags:
        return f"\\fI{_roff(argument.takes)}\\fR"
    flags = ", ".join(f"\\fB{_roff(flag)}\\fR" for flag in argument.flags)
    return flags + (f" \\fI{_roff(argument.takes)}\\fR" if argument.takes else "")


def _list(pairs: Sequence[tuple[str, str]]) -> list[str]:
    return [part for name, what in pairs for part in (".TP", f".B {_roff(name)}", _roff(what))]


def _sentence(words: str) -> str:
    if not words:
        return ""
    return words[0].upper() + words[1:] + ("" if words.endswith((".", ")")) else ".")


def _roff(words: str) -> str:
    """Text that roff prints unchanged."""
    safe = words.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + safe if safe.startswith((".", "'")) else safe
