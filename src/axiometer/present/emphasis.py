"""Bold and colour in answers: figures bold, limits in the colour of their cause, notes dim.

Each function returns its text unchanged where the style has no colour.
"""

from __future__ import annotations

import re

from axiometer.present import cause_colours
from axiometer.present.text import Style

_FIGURE = re.compile(r"[\d.]+ (?:MB/s|ns|us|ms)")
_NOTE = re.compile(r"\((?:not )?simulated\)")
_WARNING = re.compile(r"(?:STARVED|NOT SETTLED|EXTRAPOLATED|Not validated|Note)\b:?")


def answer(line: str, style: Style) -> str:
    """A line of an answer: its first figure bold, notes dim."""
    return notes(_FIGURE.sub(lambda found: style.paint(found[0], "bold"), line, count=1), style)


def limit(line: str, cause: str, style: Style) -> str:
    """A line that names the limit: its cause coloured, notes dim."""
    return notes(line.replace(cause, name(cause, style), 1), style)


def name(cause: str, style: Style) -> str:
    """The name of a cause in its colour."""
    return style.paint(cause, "bold", *cause_colours.terminal(cause))


def notes(line: str, style: Style) -> str:
    """A line with what it only notes dim."""
    return _NOTE.sub(lambda found: style.paint(found[0], "dim"), line)


def warning(line: str, style: Style) -> str:
    """A line with the word that warns, if it begins with one, in yellow."""
    found = _WARNING.match(line)
    return line if found is None else style.paint(found[0], "yellow") + line[found.end() :]
