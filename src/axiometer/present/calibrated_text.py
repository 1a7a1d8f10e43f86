"""The user's own measurements, in words and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence

from axiometer.answer.analysis.stats import error_pct
from axiometer.present.grid import Column, table
from axiometer.present.text import Style, number
from axiometer.published import own, tables

Rated = tuple[int, float, float]
"""A line of the file, and MB/s measured and simulated."""


def lines(name: str, board: str, found: Sequence[Rated], style: Style) -> list[str]:
    """The saved rows, each with its error, and the mean error."""
    columns = [Column(head) for head in ("line", "measured", "simulated", "error")]
    cells = [
        [
            str(line),
            number(was, 1),
            number(rate, 1),
            f"{number(error_pct(rate, was), 1, signed=True)} %",
        ]
        for line, was, rate in found
    ]
    return [
        *table(columns, cells, style),
        "",
        f"{len(found)} measurements of {board} are saved as {name}. MB/s; the simulated rate is on "
        f"average {number(_mean(found), 1)} % off.",
        "Answers for the same set-up (board, clock, direction, program, ...) are now anchored on "
        "them; simulated rates do not change.",
        f"Remove them with: axiometer calibrate --remove {name}",
    ]


def _mean(found: Sequence[Rated]) -> float:
    return math.fsum(abs(error_pct(rate, was) or 0.0) for _, was, rate in found) / len(found)


def document(name: str, board: str, found: Sequence[Rated]) -> dict[str, object]:
    """The same as JSON. MB/s."""
    return {
        "name": name,
        "board": board,
        "mean_abs_error_pct": _mean(found),
        "rows": [
            {"line": line, "measured_MBps": was, "simulated_MBps": rate}
            for line, was, rate in found
        ],
    }


def kept() -> list[dict[str, object]]:
    """The saved tables: name, board, rows."""
    mine = set(own.paths())
    return [
        {"name": table.path.stem, "board": table.board, "rows": sum(1 for _ in tables.every(table))}
        for table in tables.tables()
        if table.path in mine
    ]


def listed(found: Sequence[dict[str, object]]) -> list[str]:
    """The same in lines."""
    if not found:
        return ["No measurements are saved. Add: axiometer calibrate FILE.csv --board BOARD"]
    return [f"{each['name']}: {each['rows']} measurements of {each['board']}" for each in found]
