"""Makes untrusted text (files, stores, command lines) harmless where it is shown.

Control characters command a terminal, and some characters reverse the direction of text: both could
make a title misleading. Files that contain them are refused (`toml_source`, `reference`,
`store.row_checks`); messages and names show them as `\\x1b`.
"""

from __future__ import annotations

import re

# Controls except tab and newline, line separators, direction marks, surrogates.
_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def found_in(text: str) -> str | None:
    """The first harmful character of `text`, escaped for display; None if there is none."""
    match = _HARMFUL.search(text)
    return _shown(match) if match else None


def text(value: str, most: int | None = None) -> str:
    """`value` escaped for display; if it is longer than `most`, its beginning and length."""
    if most is not None and len(value) > most:
        value = f"{value[:most]}... ({len(value)} characters)"
    return _HARMFUL.sub(_shown, value)


def line(value: str, most: int | None = None) -> str:
    """`text` on one line, for names in tables and in quotes."""
    return text(value, most).replace("\n", "\\x0a").replace("\t", "\\x09")


def quoted(value: object, most: int = 80) -> str:
    """`repr(value)` escaped for display, for values of any length and depth."""
    try:
        return text(repr(value), most)
    except (RecursionError, ValueError):  # nested too deeply; a number of too many digits
        return f"a {type(value).__name__} that is too large to show"


def cell(value: object) -> object:
    """`value` for a cell of a CSV file: a spreadsheet must not read text as a formula."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        try:
            float(value)
        except ValueError:
            return f"'{value}"
    return value


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
