"""The kind of a file that a user names: a design, a board, an experiment or measured rows.

`axiometer --help` imports this file; so imports are in the functions.
"""

from __future__ import annotations

import re
from pathlib import Path

from axiometer.base.errors import AxiometerError

EXPORTS = (*(".xsa", ".hdf", ".hwh", ".bd", ".tcl", ".qsys", ".sopcinfo", ".xz", ".rpt", ".xml"),)
"""Suffixes of designs, except design files (.toml)."""
DESIGN, BOARD, EXPERIMENT, ROWS = "design", "board", "experiment", "rows"
UNKNOWN = "unknown"
_TAKERS = {
    DESIGN: "axiometer expect {0} (or check, advise, explain, curve, report)",
    BOARD: "axiometer expect {0} PORTS (or advise, curve, selftest)",
    EXPERIMENT: "axiometer run {0}",
    ROWS: "axiometer check {0}, or compare RUN --with {0}",
}
"""The commands for a file, by its kind."""
_LOOKED_AT = 65536
_SIGNS = {
    DESIGN: re.compile(r"^((tool|part)[ \t]*=|\[\[port\]\])", re.MULTILINE),
    EXPERIMENT: re.compile(r"^(platform[ \t]*=|\[(sweep|defaults)\])", re.MULTILINE),
    BOARD: re.compile(r"^(chip[ \t]*=|\[(clocks|dram|controller)\b)", re.MULTILINE),
}
"""Signs of the kind of a TOML file in its first characters."""


def kind(text: str) -> str:
    """DESIGN, EXPERIMENT, ROWS, BOARD (for any other name), or UNKNOWN."""
    path = Path(text)
    suffix = path.suffix.lower()
    if suffix in (".csv", ".toml"):
        return ROWS if suffix == ".csv" else _of_toml(path)
    return DESIGN if suffix in EXPORTS or _is_folder(path, text) else BOARD


def _is_folder(path: Path, text: str) -> bool:
    try:
        return path.is_dir() and ("/" in text or not _is_board(text))
    except OSError:  # no file can have this name
        return False


def _is_board(text: str) -> bool:
    from axiometer.base import data

    return text in data.names("platforms") or text in data.aliases("platforms")


def is_design(text: str) -> bool:
    """Whether it is the file of a design, or a directory that is called like no board."""
    return kind(text) == DESIGN


def must_be(wanted: str, text: str) -> None:
    """AxiometerError with the right command, if `text` is a file of another kind."""
    from axiometer.base.input_bounds import is_file

    path = Path(text)
    found = kind(text)
    # A name without a suffix may be a file too: its reader reports unknown names.
    if found not in (wanted, UNKNOWN) and path.suffix and is_file(path):
        raise other(text, found)


def other(file: str, found: str) -> AxiometerError:
    """The error for a file of another kind, with the right command."""
    words = {DESIGN: "a design", BOARD: "a board", EXPERIMENT: "an experiment", ROWS: "rows"}
    return AxiometerError(f"{file} is {words[found]}", remedy=_TAKERS[found].format(file))


def _of_toml(path: Path) -> str:
    """The kind by the beginnings of lines; UNKNOWN without a sign, or if unreadable."""
    from axiometer.base.input_bounds import is_file

    if not is_file(path):
        return UNKNOWN
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(_LOOKED_AT)
    except OSError:
        return UNKNOWN
    return next((found for found, sign in _SIGNS.items() if sign.search(text)), UNKNOWN)
