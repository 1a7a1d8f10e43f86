"""Plain-text building blocks: number formats, aligned tables, colour that respects the terminal.

Numbers in tables are rounded half to even by Python's formatting; a missing
value is an en dash (a hyphen in plain output), never a zero.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from axiometer.base import colours, wrap
from axiometer.base.units import significant

USUAL_COLUMNS = 80
"""The width of what is no terminal, unless COLUMNS says another."""
_LEAST_COLUMNS = 40
TIMES, MOST_TIMES = 10, 1000
"""Growth from which it is told in times, and up to which their number says something."""
_ASCII = str.maketrans(
    {
        "–": "-", "—": "-", "σ": "sd", "×": "x", "±": "+/-", "▼": "!", "●": "o", "·": "|",
        "≥": ">=", "≤": "<=", "→": "->", "█": "#", "─": "-", "│": "|", "‰": "/1000",
        "’": "'", "“": '"', "”": '"', "\u202f": " ", "\u00a0": " ", "✓": "y", "∅": "-",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Style:
    """How text may look: `colour` allows ANSI codes, `unicode` allows more than ASCII,
    `columns` is the width to draw in."""

    colour: bool = False
    unicode: bool = True
    columns: int = USUAL_COLUMNS

    @classmethod
    def of_stdout(cls, plain: bool = False) -> Style:
        """The style that standard output can show; `plain` (or NO_COLOR) switches colour off."""
        tty = sys.stdout.isatty()
        encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
        return cls(
            colours.allowed(sys.stdout, plain),
            not plain and encoding.startswith("utf"),
            _columns(tty),
        )

    def paint(self, text: str, *names: str) -> str:
        """`text` in the named colours, or as it is where colour is off."""
        return colours.paint(text, *names) if self.colour else text

    def fit(self, lines: Sequence[str]) -> str:
        """Lines as printed: no wider than `columns`, in characters of this style."""
        return "\n".join(wrap.lines(map(self.finish, lines), self.columns))

    def finish(self, text: str) -> str:
        """`text` as this style may print it: reduced to ASCII unless `unicode`."""
        if self.unicode:
            return text
        return text.translate(_ASCII).encode("ascii", "replace").decode("ascii")


def _columns(tty: bool) -> int:
    """The width of standard output: COLUMNS, or that of the terminal."""
    given = os.environ.get("COLUMNS", "")
    columns = int(given) if given.isascii() and given.isdecimal() and len(given) < 5 else 0
    if tty and not columns:
        try:
            columns = os.get_terminal_size(sys.stdout.fileno()).columns
        except (OSError, ValueError):
            columns = 0
    return max(_LEAST_COLUMNS, columns or USUAL_COLUMNS)


def number(value: float | None, decimals: int = 2, signed: bool = False) -> str:
    """`value` with a fixed number of decimals; an en dash where there is none."""
    if value is None:
        return "–"
    text = f"{value:+.{decimals}f}" if signed else f"{value:.{decimals}f}"
    # A sign on a rounded zero would claim a direction that the rounding took away.
    return f"{0:.{decimals}f}" if float(text) == 0 else text


def minus(text: str) -> str:
    """A signed number with a true minus, which is as wide as a plus."""
    return text.replace("-", "−")


def percent(share: float, decimals: int = 0) -> str:
    """A share (0–1) as a percentage; a share that rounds to zero but is not zero is `< 1 %`."""
    smallest = 0.5 * 10.0 ** (-decimals - 2)
    if 0 < share < smallest:
        return f"< {10.0**-decimals:.{decimals}f} %"
    return f"{share * 100:.{decimals}f} %"


def gain(share: float, decimals: int | None = None) -> str:
    """The growth of a rate (0.38: `+38 %`), with at least two digits or these decimals; in times
    where a percentage says nothing."""
    if decimals is None:
        decimals = 0 if abs(share) >= 0.0995 else 1
    return times(share) or f"{share * 100:+.{decimals}f} %"


def times(share: float) -> str:
    """A growth of `TIMES` or more in times (759.6: `761 times`); "" for a smaller one."""
    if share < TIMES:
        return ""
    return f"over {MOST_TIMES} times" if share > MOST_TIMES else f"{1 + share:.0f} times"


def unevenness(rates: Sequence[float]) -> float | None:
    """The largest rate over the smallest: 1 is even. None where one gets nothing."""
    return max(rates) / min(rates) if min(rates) > 0 else None


def size(n: int) -> str:
    """A number of bytes in the largest binary unit that divides it: 33554432 → `32 MiB`."""
    for unit, scale in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if n >= scale and n % scale == 0:
            return f"{n // scale} {unit}"
    return f"{n} B"


def seconds(value: float) -> str:
    """A time with three significant digits and the unit that suits it."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(value) >= scale:
            return f"{significant(value / scale, 3)} {unit}"
    return f"{significant(value / 1e-9, 3)} ns" if value else "0 s"


def ns(value: float) -> str:
    """A time with its significant digits: `231 ns`, `4.08 us`."""
    if value < 1e3:
        return f"{value:.0f} ns"
    scale, unit = (1e3, "us") if value < 1e6 else (1e6, "ms")
    return f"{significant(value / scale, 3)} {unit}"


def listing(items: Sequence[str], last: str = "and") -> str:
    """Items as prose: `a`, `a and b`, `a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
