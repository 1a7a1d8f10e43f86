"""The table of `show` for convolution accelerators: their throughput, simulated and published."""

from __future__ import annotations

from axiometer.answer.analysis.results import View
from axiometer.present import labels
from axiometer.present.grid import Column, table
from axiometer.present.text import Style, number

_HEADINGS = {
    "convolutions_M": "MC/s",
    "ddr_efficiency_pct": "DDR efficiency",
    "imbalance": "imbalance",
}


def lines(view: View, style: Style) -> list[str]:
    """A row for each point of accelerators; nothing where there is none."""
    rows = [row for row in view.rows if row.values.get("master") == "convolution"]
    if not rows:
        return []
    columns = [Column(labels.heading(k), numeric=False) for k in view.swept]
    for heading in _HEADINGS.values():
        columns += [Column(heading), Column("published")]
    cells = []
    for row in rows:
        found = row.accelerators or {}
        line = [labels.value_label(k, row.key[k]) if k in row.key else "" for k in view.swept]
        for name in _HEADINGS:
            line += [number(found.get(name)), number(row.printed.get(name))]
        cells.append(line)
    note = (
        "MC/s: million convolutions a second, 192 bytes each. DDR efficiency: % of the DRAM's "
        f"{number(view.facts.dram_peak)} MB/s. imbalance: the fastest port over the slowest."
    )
    return [*table(columns, cells, style), "", style.paint(note, "dim")]
