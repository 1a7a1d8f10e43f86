"""The notation of a table: the separator of its cells and its decimal mark.

Many spreadsheets write `;` between cells and a decimal comma. A table has one decimal mark: with
both, `1.599` could be a rate of 1.6 or of 1600 MB/s.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

_DECIMAL = re.compile(r"[+-]?\d*([.,])\d*(?:[eE][+-]?\d+)?")


class CellError(ValueError):
    """A mistake in a cell, and its remedy."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message, self.remedy = message, remedy


def separator(header: str) -> str:
    """The separator of a table with this header: `;` if it has more of them than commas, else a
    comma."""
    return ";" if header.count(";") > header.count(",") else ","


@dataclass
class Numbers:
    """The numbers of one table. `separator`: a result of `separator`; `marks`: the decimal marks
    found, with the line of the first."""

    separator: str = ","
    marks: dict[str, int] = field(default_factory=dict)

    def plain(self, cell: str, line: int) -> str:
        """The number in `cell` with a decimal point; other text unchanged. CellError if its mark is
        ambiguous."""
        text = cell.strip()
        found = _DECIMAL.fullmatch(text)
        if found:
            self._mark(found[1], text, line)
            return text.replace(",", ".")
        if re.fullmatch(r"[+-]?\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d+)?", text):
            raise CellError(
                f"{text!r} has marks between thousands", "remove them: 1599.84, not 1,599.84"
            )
        return text

    def number(self, cell: str, line: int) -> float:
        """The finite number in `cell`; ValueError if there is none."""
        number = float(self.plain(cell, line))
        if not math.isfinite(number):
            raise ValueError(cell)
        return number

    def _mark(self, mark: str, text: str, line: int) -> None:
        if mark == "," and self.separator == ",":
            raise CellError(
                f"{text!r} has a decimal comma in a table with commas between its cells",
                "write a decimal point, or ; between the cells",
            )
        other = next((line_of for seen, line_of in self.marks.items() if seen != mark), None)
        if other is not None:
            raise CellError(
                f"{text!r} has another decimal mark than line {other}",
                "use one decimal mark in the whole table",
            )
        self.marks.setdefault(mark, line)
