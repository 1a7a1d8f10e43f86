"""Wraps lines to a width.

A line is broken only between words; a number stays with its unit, and a word wider than the room (a
path, an address) gets its own line. Widths are printed columns without colour codes; a colour
continues in the next line. Not for: widths of a table's columns (`present/grid.py`), which uses
this for its cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_UNITS = "%|MB/s|GB/s|MC/s|GMAC/s|MHz|kHz|Hz|s|ms|µs|us|ns|ps|B|KiB|MiB|GiB|bits?|clocks?|beats?"
_BREAK = re.compile(rf"(?<!\d) +|(?<=\d) +(?!(?:{_UNITS})(?![\w/]))")
_INDENT = re.compile(r" *(?:(?:\d+\.|[-*→]|->|[Nn]ote:) +)?")
_COMMAND = "axiometer "


def width(text: str) -> int:
    """Printed width of `text` in columns, without colour codes."""
    return len(_ANSI.sub("", text))


def longest_word(text: str) -> int:
    """The least width that `text` needs: of its widest word, or of the first word with its
    indent."""
    first = len(text) - len(text.lstrip(" ")) + width(next(filter(None, _BREAK.split(text)), ""))
    return max(first, *map(width, _BREAK.split(text)))


def wrap(text: str, room: int, hang: str = "") -> list[str]:
    """`text` as lines of at most `room` columns, except for wider words; all lines but the first
    begin with `hang`."""
    out: list[str] = []
    line, used = "", 0
    for word, gap in _words(text):
        wide = width(word)
        if line and used + wide > room and line.strip():
            out.append(line.rstrip())
            line, used = hang, len(hang)
        line += word + gap
        used += wide + len(gap)
    return _colours([*out, line.rstrip()])


def lines(found: Iterable[str], room: int) -> list[str]:
    """The lines, wrapped to `room` columns. Continuation lines keep the indent and are aligned with
    the first word of a list's entry. Commands stay fit for copying."""
    out: list[str] = []
    for line in (part for text in found for part in text.split("\n")):
        if width(line) <= room:
            out.append(line)
            continue
        plain = _ANSI.sub("", line)
        if plain.lstrip().startswith(_COMMAND):
            hang = " " * (len(plain) - len(plain.lstrip()) + 2)
            *first, last = wrap(line, room - 2, hang)
            out += [*(f"{part} \\" for part in first), last]
            continue
        indent = _INDENT.match(plain)
        hang = " " * len(indent[0] if indent else "")
        out += wrap(line, room, hang + ("  " if plain.startswith("  ") and plain[2:3] else ""))
    return out


def _words(text: str) -> Iterable[tuple[str, str]]:
    """Each word with the space after it; the first also with the space before it."""
    start = len(text) - len(text.lstrip(" "))
    at = 0
    for gap in _BREAK.finditer(text, start):
        yield text[at : gap.start()], gap[0]
        at = gap.end()
    yield text[at:], ""


def _colours(found: list[str]) -> list[str]:
    """End colours at the end of each line and restart them in the next."""
    out, going = [], ""
    for line in found:
        body = line.lstrip(" ") if going else line
        line = f"{' ' * (len(line) - len(body))}{going}{body}"
        for code in _ANSI.findall(body):
            going = "" if code in ("\x1b[0m", "\x1b[m") else going + code
        out.append(line + ("\x1b[0m" if going else ""))
    return out
