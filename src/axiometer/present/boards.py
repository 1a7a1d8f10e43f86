"""The list of boards, by chip: as text, and as a document. Not for: one board's report
(`board_page.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TypedDict

from axiometer.base.data import TO_HAVE_A_BOARD
from axiometer.present.grid import Column, table
from axiometer.present.text import Style, listing
from axiometer.published.catalogue import MEASURED, Chip, Error, together


class ErrorDocument(TypedDict):
    """Errors in percent of some rows."""

    mean: float
    nine_of_ten_within: float
    rows: int
    boards: str
    page: str


class Entry(TypedDict):
    """A board of the list."""

    name: str
    aliases: list[str]
    chip: str
    title: str
    figures: str
    experiments: list[str]
    error_percent: dict[str, ErrorDocument]
    chip_title: str
    chip_error_percent: dict[str, ErrorDocument]


def documents(chips: Sequence[Chip]) -> list[Entry]:
    """One entry a board, chip by chip. `error_percent` is by direction (read, write, both): of the
    board itself where it is measured, otherwise of all measured boards of its chip, named."""
    return [
        {
            "name": board.name,
            "aliases": list(board.aliases),
            "chip": chip.name,
            "title": board.title,
            "figures": board.origin,
            "experiments": list(board.experiments),
            "error_percent": _errors(
                together([board.name]) if board.origin == MEASURED else chip.errors
            ),
            "chip_title": chip.title,
            "chip_error_percent": _errors(chip.errors),
        }
        for chip in chips
        for board in chip.boards
    ]


def _errors(found: Mapping[str, Error]) -> dict[str, ErrorDocument]:
    return {
        direction: {
            "mean": round(error.mean, 2),
            "nine_of_ten_within": error.most,
            "rows": error.rows,
            "boards": error.board,
            "page": error.page,
        }
        for direction, error in found.items()
    }


def lines(rows: Sequence[Entry], style: Style) -> list[str]:
    """The text for `documents`."""
    out: list[str] = []
    for _, group in groupby(rows, key=lambda row: row["chip"]):
        its = list(group)
        out += [style.paint(f"{its[0]['chip_title']} ({its[0]['chip']})", "bold")]
        out += [error_words(its[0]["chip_error_percent"]), *_table(its, style), ""]
    return [
        *out,
        "A board that is not here:",
        TO_HAVE_A_BOARD.rpartition(". ")[0] + ".",
    ]


def error_words(found: Mapping[str, ErrorDocument]) -> str:
    """A sentence on the model's error on measured boards."""
    if not found:
        return "No board of this chip is measured: the model's error is not known."
    parts = [
        f"{direction} {error['mean']:.1f} ({error['nine_of_ten_within']:.1f})"
        for direction, error in found.items()
    ]
    names = dict.fromkeys(n for e in found.values() for n in e["boards"].split(", "))
    return (
        f"Mean error in % (in brackets: nine of ten rows are within) on {listing(list(names))}: "
        f"{', '.join(parts)}. Boards that are not measured may have larger errors."
    )


def _table(rows: Sequence[Entry], style: Style) -> list[str]:
    columns = [Column("board", False), Column("figures", False), Column("title", False)]
    columns.insert(1, Column("also called", False))
    columns.insert(3, Column("error read/write/both %", False))
    cells = [
        [
            row["name"],
            ", ".join(row["aliases"]),
            row["figures"],
            _cell(row),
            row["title"],
        ]
        for row in rows
    ]
    return table(columns, cells, style)


def _cell(row: Entry) -> str:
    """The errors of the board itself, or "as the chip's" where the board has none."""
    errors = row["error_percent"]
    if row["figures"] != MEASURED:
        return "as the chip's" if errors else "not known"
    if not errors:
        return "processor's side only"
    means = (errors.get(direction) for direction in ("read", "write", "both"))
    return " / ".join("-" if error is None else f"{error['mean']:.1f}" for error in means)
