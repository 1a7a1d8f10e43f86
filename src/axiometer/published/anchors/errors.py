"""The model's errors on rows of tables: for each row the simulated use of its wires, and
ln(simulated / measured) of the total. `python -m validate bands --write` makes the shipped ones.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from axiometer.base import packed

SHIPPED = Path(__file__).with_name("errors")
_SHARE, _ERROR = 1e3, 1e4


class RowError(NamedTuple):
    """The error on a row: the simulated rate as a share of its wires' peak, and ln(simulated /
    measured)."""

    share: float
    error: float


def beside(table: Path) -> Path:
    """The path of the errors on a user's table, beside the table."""
    return table.with_suffix(".errors")


@cache
def of(table: Path) -> Mapping[int, RowError]:
    """The errors on a table by line of its file; empty where they are unknown."""
    own = beside(table)
    path = own if own.is_file() else SHIPPED / table.name
    if not packed.is_there(path):
        return {}
    with packed.opened(path) as file:
        return {
            int(line): RowError(int(share) / _SHARE, int(error) / _ERROR)
            for line, share, error in csv.reader(r for r in file if r[0].isdigit())
        }


def text(found: Mapping[int, RowError]) -> str:
    """The text of a file with these errors."""
    lines = [
        f"{line},{round(each.share * _SHARE)},{round(each.error * _ERROR)}"
        for line, each in sorted(found.items())
    ]
    return "\n".join(["line,share,error", *lines, ""])
