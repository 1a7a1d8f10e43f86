"""The model's errors on rows of tables: of each row how full its wires are simulated to be, and
ln(simulated / measured) of the total. `python -m validate.bands --write` makes those that ship.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

SHIPPED = Path(__file__).with_name("errors")
_SHARE, _ERROR = 1e3, 1e4


class RowError(NamedTuple):
    """Of a row: the simulated rate as a share of what its wires carry, and ln(simulated /
    measured)."""

    share: float
    error: float


def beside(table: Path) -> Path:
    """The file of the errors on a table of the user's, which is beside it."""
    return table.with_suffix(".errors")


@cache
def of(table: Path) -> Mapping[int, RowError]:
    """The errors on a table, by line of its file; none where none are known."""
    own = beside(table)
    path = own if own.is_file() else SHIPPED / table.name
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {
            int(line): RowError(int(share) / _SHARE, int(error) / _ERROR)
            for line, share, error in csv.reader(r for r in file if r[0].isdigit())
        }


def text(found: Mapping[int, RowError]) -> str:
    """The file of these errors."""
    lines = [
        f"{line},{round(each.share * _SHARE)},{round(each.error * _ERROR)}"
        for line, each in sorted(found.items())
    ]
    return "\n".join(["line,share,error", *lines, ""])
