"""Faults put into modules, to see that a test, an assertion or a bench notices them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path


def put(sources: Iterable[Path], module: str, good: str, bad: str, folder: Path) -> list[Path]:
    """The sources with `bad` in place of `good` in the file of `module`; that file is a copy in
    `folder`. ValueError if `good` is not there exactly once."""
    made = []
    for path in sources:
        if path.stem == module:
            text = path.read_text()
            if text.count(good) != 1:
                raise ValueError(f"{good!r} is {text.count(good)} times in {path.name}, not once")
            path = folder / path.name
            path.write_text(text.replace(good, bad))
        made.append(path)
    if all(path.parent != folder for path in made):
        raise ValueError(f"{module} is not among the sources")
    return made


def look(faults: Iterable[str], notices: Callable[[str], tuple[bool, str]]) -> int:
    """Whether every fault is noticed, told line by line; only those with a word of the command line
    in their names, if it has any. notices: of a fault, whether it is, and what to print of it.
    The status to exit with."""
    missed = 0
    for what in faults:
        if _wanted(what, sys.argv[1:]):
            seen, words = notices(what)
            missed += not seen
            print(f"{'seen  ' if seen else 'MISSED'} {what}{words and f': {words}'}", flush=True)
    return 1 if missed else 0


def _wanted(what: str, words: Sequence[str]) -> bool:
    return not words or any(word in what for word in words)
