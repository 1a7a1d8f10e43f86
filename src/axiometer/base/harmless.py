"""Text from strangers (files, stores, command lines) made harmless where it is shown.

A terminal obeys control characters, and some characters turn the direction of what is written
around them: both would let a title say what it is not. Files that contain them are refused
(`toml_source`, `reference`, `store.row_checks`); messages and names show them as `\\x1b`.
"""

from __future__ import annotations

import re

# Controls but tab and newline, line separators, turners of direction, halves of characters.
_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def found_in(text: str) -> str | None:
    """The first harmful character of `text` in a form that can be shown; None if it has none."""
    match = _HARMFUL.search(text)
    return _shown(match) if match else None


def text(value: str, most: int | None = None) -> str:
    """`value` as it may be shown; of one that is longer than `most`, beginning and length."""
    if most is not None and len(value) > most:
        value = f"{value[:most]}... ({len(value)} characters)"
    return _HARMFUL.sub(_shown, value)


def line(value: str, most: int | None = None) -> str:
    """`text`, on one line: a name stands in a table, and between quotes in a file."""
    return text(value, most).replace("\n", "\\x0a").replace("\t", "\\x09")


def quoted(value: object, most: int = 80) -> str:
    """`repr(value)` as it may be shown, however long or deep `value` is."""
    try:
        return text(repr(value), most)
    except (RecursionError, ValueError):  # nested too deeply; a number of too many digits
        return f"a {type(value).__name__} that is too large to show"


def cell(value: object) -> object:
    """`value` for a cell of a CSV file: a spreadsheet must not take text for a formula."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        try:
            float(value)
        except ValueError:
            return f"'{value}"
    return value


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
