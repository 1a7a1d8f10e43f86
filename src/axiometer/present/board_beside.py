"""A board's figures beside the model's and the published ones, a row a point."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.answer.analysis.results import MEASURED, View
from axiometer.answer.analysis.stats import error_pct
from axiometer.present import board_notes, labels
from axiometer.present.grid import Column, table
from axiometer.present.tables import numeric
from axiometer.present.text import Style, number

EMULATED_NOTE = (
    "Emulated board: its memory and processor are no chip's. These rates are no figures of any "
    "board; they only show that everything works."
)


def lines(view: View, simulated: Mapping[int, float], style: Style) -> list[str]:
    """The table with its notes. simulated: the model's MB/s by point."""
    of_a_board = view.backend == MEASURED
    own = "board" if of_a_board else "emulated"
    columns = [Column(labels.heading(key), numeric(view.rows, key)) for key in view.swept]
    columns += [Column(head) for head in (f"{own} MB/s", "min", "max", "σ")]
    off = [Column("off %")] if of_a_board else []
    columns += [Column("model"), *off, Column("published"), *off]
    rows = []
    for row in view.done:
        total, model = row.totals, simulated.get(row.index)
        rows.append(
            [
                *(labels.value_label(k, row.key[k]) if k in row.key else "" for k in view.swept),
                *(number(total[name]) for name in ("mean", "min", "max")),
                number(total["std"], 4),
                *_beside(model, total["mean"] if of_a_board else None),
                *_beside(row.theirs, total["mean"] if of_a_board else None),
            ]
        )
    head = style.paint(f"{view.title} ({view.how}, {view.facts.title})", "bold")
    found = [head, "", *table(columns, rows, style), ""]
    if of_a_board:
        found.append(style.paint("Rates in MB/s; off: from the board's mean.", "dim"))
    else:
        found.append(style.paint(EMULATED_NOTE, "yellow"))
    if view.citation:
        found.append(style.paint(f"published: {view.citation}", "dim"))
    return [*found, *board_notes.lines(view.done, view.backend)]


def _beside(rate: float | None, board: float | None) -> list[str]:
    """A rate, and its error against the board's rate, if there is one."""
    off = [] if board is None else [number(error_pct(rate, board), 2, signed=True)]
    return [number(rate), *off]


def document(view: View, simulated: Mapping[int, float]) -> dict[str, object]:
    """The same as JSON: MB/s by point."""
    return {
        "run": view.run_id,
        "backend": view.backend,
        "figures": view.how,
        "complete": view.complete,
        "points": [
            {
                **{key: row.key[key] for key in view.swept if key in row.key},
                "total_MBps": dict(row.totals),
                "model_MBps": simulated.get(row.index),
                "published_MBps": row.theirs,
            }
            for row in view.done
        ],
        "notes": board_notes.lines(view.done, view.backend),
    }
