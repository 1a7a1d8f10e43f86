"""Refuses TOML files that are too large, too deep, or slow to parse.

The bounds keep the time to refuse a file short; files of this project stay far below them.
"""

from __future__ import annotations

import errno
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from axiometer.base import harmless
from axiometer.base.errors import AxiometerError

MAX_BYTES = 4 * 2**20
MAX_COMMAS = 120_000  # an experiment's 100 000 points, and its other lists
MAX_KEYS = 80_000  # and tables
MAX_PARTS = 32  # of a dotted key, and tables within tables
_INT64 = 2**63
# `tomllib` needs quadratic time for dotted keys; the search for a chain starts at words.
_CHAIN = re.compile(
    r"(?<![\w\"'.-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+)"
    f"{{{MAX_PARTS}}}"
)
_TABLE = re.compile(r"^[ \t]*+\[", re.M)
_LONG_NUMBER = re.compile(r"(?<![\d_])\d[\d_]{1000}")
_KINDS = {
    stat.S_ISDIR: "a directory",
    stat.S_ISFIFO: "a pipe (FIFO)",
    stat.S_ISSOCK: "a socket",
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a device",
}

Place = tuple[str | int, ...]


def not_a_file(path: Path) -> str | None:
    """A phrase on the thing at `path` if it exists and is not a plain file; else None."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "is a symbolic link to itself"
        if error.errno == errno.EACCES:
            return "is in a directory that may not be entered"
        return "has a name that is too long" if error.errno == errno.ENAMETOOLONG else None
    except ValueError:
        return "has an invalid name"
    return next((f"is {words}" for is_kind, words in _KINDS.items() if is_kind(mode)), None)


def is_file(path: Path) -> bool:
    """Whether there is a plain file at `path`; False for an invalid name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def check_plain(path: Path, most: int, example: str) -> None:
    """AxiometerError if there is no plain file at `path`, or one of more than `most` bytes."""
    odd = not_a_file(path)
    if odd:
        raise AxiometerError(
            f"cannot be read: it {odd}", file=path, remedy=f"name {example} itself"
        )
    with suppress(OSError):  # opening the file reports the error
        if path.stat().st_size > most:
            raise AxiometerError(
                f"is larger than {most >> 20} MiB",
                file=path,
                remedy=f"is it {example}? If it is, split it",
            )


def read(path: Path, most: int = MAX_BYTES, example: str = "the TOML file") -> bytes:
    """The bytes of the plain file at `path`. AxiometerError if it is not a plain file, has more
    than `most` bytes, or cannot be read."""
    check_plain(path, most, example)
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise AxiometerError(
            f"cannot be read: {error.strerror}",
            file=path,
            remedy="check the path and its permissions",
        ) from None
    if len(content) > most:
        raise AxiometerError(
            f"is larger than {most >> 20} MiB",
            file=path,
            remedy=f"is it {example}? If it is, split it",
        )
    return content


def check_text(text: str, file: object) -> None:
    """AxiometerError where parsing `text` would take long, or fail without a clear message."""
    # An = within a text counts too; a file of this project has some hundred.
    if text.count("=") + sum(1 for _ in _TABLE.finditer(text)) > MAX_KEYS:
        raise AxiometerError(
            f"more than {MAX_KEYS} keys and tables",
            file=file,
            line=1,
            remedy="write less: points that differ in a value are a list under [sweep]",
        )
    if text.count(",") > MAX_COMMAS:
        raise AxiometerError(
            f"lists of more than {MAX_COMMAS} values",
            file=file,
            line=1,
            remedy="list fewer: an experiment has at most 100000 points",
        )
    for pattern, what, remedy in (
        (_CHAIN, f"a key of more than {MAX_PARTS} parts", "nest tables less deeply"),
        (_LONG_NUMBER, "a number of more than 1000 digits", "write it shorter, such as 1e6"),
    ):
        found = pattern.search(text)
        if found:
            line = text.count("\n", 0, found.start()) + 1
            raise AxiometerError(what, file=file, line=line, remedy=remedy)


def first_trap(content: Mapping[str, object]) -> tuple[Place, str, str] | None:
    """Place, mistake and remedy of the first value that is invalid for every key; None without
    one."""
    for place, value in _walk(content):
        if len(place) > MAX_PARTS:
            return place, "nested too deeply", "nest tables less deeply"
        if isinstance(value, int) and not -_INT64 <= value < _INT64:
            return place, "a whole number of more than 64 bits", "give a smaller number"
        for text in (value, place[-1]):
            shown = harmless.found_in(text) if isinstance(text, str) else None
            if shown:
                return place, f"text with the control character {shown}", "remove it"
    return None


def _walk(content: Mapping[str, object]) -> Iterator[tuple[Place, object]]:
    waiting: list[tuple[Place, object]] = [((), content)]
    while waiting:
        place, value = waiting.pop()
        if place:
            yield place, value
        if isinstance(value, dict):
            waiting += [((*place, key), child) for key, child in value.items()]
        elif isinstance(value, list):
            waiting += [((*place, index), child) for index, child in enumerate(value)]
