"""Colour codes of a terminal (ANSI), and whether a stream may show them.

Not for: what has which colour (`present/emphasis.py`).
"""

from __future__ import annotations

import os
from typing import TextIO

CODES = {
    "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "94",
    "magenta": "35", "cyan": "36",
}  # fmt: skip
"""By name. Blue is the bright one: the other is hard to read on black."""


def allowed(stream: TextIO, plain: bool = False) -> bool:
    """Whether `stream` is a terminal that shows colours, and nobody switched them off: `plain` is
    `--plain`; NO_COLOR (https://no-color.org) counts if it is not empty."""
    try:
        terminal = stream.isatty()
    except (ValueError, AttributeError):  # closed, or none
        return False
    switched_off = plain or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return terminal and not switched_off


def paint(text: str, *names: str) -> str:
    """`text` in the named colours."""
    return f"\x1b[{';'.join(CODES[n] for n in names)}m{text}\x1b[0m" if names and text else text
