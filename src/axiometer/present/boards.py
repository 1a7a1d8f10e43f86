"""The list of boards, by chip: as text, and as a document. Not for: one board's report
(`board_page.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TypedDict

from axiometer.base.data import TO_HAVE_A_BOARD
from axiometer.present.grid import Column, table
from axiometer.present.text import Style
from axiometer.published.catalogue import Chip, Error


class PartDocument(TypedDict):
    """Some of a set's rows, and the mean of their errors in percent."""

    rows: int
    mean: float


class ErrorDocument(TypedDict):
    """The errors of a set of published rows (`catalogue.Error`), in percent."""

    measured_on: str
    simulated_on: list[str]
    what: str
    rows: int
    fitted: int
    mean: float
    nine_of_ten_within: float
    at_wires: PartDocument | None
    below_wires: PartDocument | None
    page: str


class Entry(TypedDict):
    """A board of the list."""

    name: str
    aliases: list[str]
    chip: str
    title: str
    figures: str
    experiments: list[str]
    chip_title: str
    chip_errors: list[ErrorDocument]


ERROR_HEADS = ("measured on", "what", "rows", "fitted", "mean", "90 %", "at the wires", "below")
ERROR_NOTE = (
    "Errors of the model in % of the published rate: mean, and what nine of ten rows are within. "
    "Fitted: rows on which a figure was fitted. At the wires: how many rows have the rate that "
    "their ports' wires carry, and their mean error; below: the other rows, which the memory, the "
    "start of a transfer or software decides. Boards that are not measured may have larger errors."
)


def documents(chips: Sequence[Chip]) -> list[Entry]:
    """One entry a board, chip by chip. `chip_errors`: of all sets of published rows that are
    simulated on boards of its chip."""
    return [
        {
            "name": board.name,
            "aliases": list(board.aliases),
            "chip": chip.name,
            "title": board.title,
            "figures": board.origin,
            "experiments": list(board.experiments),
            "chip_title": chip.title,
            "chip_errors": [error_document(error) for error in chip.errors],
        }
        for chip in chips
        for board in chip.boards
    ]


def error_document(error: Error) -> ErrorDocument:
    """The errors of a set as a document."""
    below = error.rows - error.at_wires
    return {
        "measured_on": error.measured_on,
        "simulated_on": list(error.boards),
        "what": error.what,
        "rows": error.rows,
        "fitted": error.fitted,
        "mean": error.mean,
        "nine_of_ten_within": error.most,
        "at_wires": _part(error.at_wires, error.at_wires_mean),
        "below_wires": _part(below, error.below_wires_mean),
        "page": error.page,
    }


def _part(rows: int, mean: float | None) -> PartDocument | None:
    return None if mean is None else {"rows": rows, "mean": mean}


def error_cells(error: ErrorDocument) -> list[str]:
    """The cells of a set below `ERROR_HEADS`."""
    parts = (error["at_wires"], error["below_wires"])
    return [
        error["measured_on"],
        error["what"],
        str(error["rows"]),
        str(error["fitted"]),
        f"{error['mean']:.1f}",
        f"{error['nine_of_ten_within']:.1f}",
        *("" if part is None else f"{part['rows']}: {part['mean']:.1f}" for part in parts),
    ]


def lines(rows: Sequence[Entry], style: Style) -> list[str]:
    """The text for `documents`."""
    out: list[str] = []
    for _, group in groupby(rows, key=lambda row: row["chip"]):
        its = list(group)
        out += [style.paint(f"{its[0]['chip_title']} ({its[0]['chip']})", "bold")]
        out += [*_table(its, style), "", *_errors(its[0]["chip_errors"], style), ""]
    return [
        *out,
        ERROR_NOTE,
        "A board that is not here:",
        TO_HAVE_A_BOARD.rpartition(". ")[0] + ".",
    ]


NOT_MEASURED = "No board of this chip is measured: the model's error is not known."


def _errors(found: Sequence[ErrorDocument], style: Style) -> list[str]:
    if not found:
        return [NOT_MEASURED]
    columns = [Column(head, numeric=n > 1) for n, head in enumerate(ERROR_HEADS)]
    return table(columns, [error_cells(error) for error in found], style)


def _table(rows: Sequence[Entry], style: Style) -> list[str]:
    columns = [Column(head, False) for head in ("board", "also called", "figures", "title")]
    cells = [[row["name"], ", ".join(row["aliases"]), row["figures"], row["title"]] for row in rows]
    return table(columns, cells, style)
