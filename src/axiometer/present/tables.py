"""The tables of `show` and `compare` as lines of text.

Rates in MB/s (1e6 bytes a second). σ is the standard deviation over repeats;
efficiency is average over peak.
"""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.answer.analysis import comparison
from axiometer.answer.analysis.results import DEGRADED_BELOW_PCT, WIDENED, Row, View, modelled
from axiometer.answer.analysis.stats import error_pct
from axiometer.present import (
    anchored_text,
    band_text,
    board_notes,
    clock_text,
    labels,
    measured_text,
    steady,
)
from axiometer.present.grid import Column, table
from axiometer.present.text import Style, number

MARK = "▼"


def theirs(backend: str) -> str:
    """The heading of others' measurements: "published" beside a board's own figures."""
    return "measured" if modelled(backend) else "published"


def differences(
    found: Sequence[tuple[str, str, str]], first: str, second: str, style: Style
) -> list[str]:
    """Settings in which two runs differ, as (setting, value in the first, in the second)."""
    if not found:
        return [f"{first} and {second} have the same settings."]
    lines = [f"Settings that differ, in {first} and in {second}:"]
    for name, *values in found:
        lines += [f"  {style.paint(name, 'bold')}", *(f"    {value}" for value in values)]
    return lines


def title(view: View, style: Style, short: bool = False) -> list[str]:
    """The run's title with warnings, and unless `short` its board, backend and settings."""
    lines = [style.paint(f"{view.title} ({view.how})", "bold")]
    if not short:
        words = [view.facts.title, f"backend {view.backend}", f"run {view.run}"]
        lines += [style.paint(line, "dim") for line in (" · ".join(words), *view.told)]
    if view.unvalidated:
        lines.append(style.paint(labels.unvalidated(view.unvalidated), "yellow"))
    lines += [style.paint(note, "yellow") for note in clock_text.notes(view.clocks)]
    if not view.complete:
        lines.append(
            style.paint(
                f"Incomplete: {len(view.done)} of {len(view.rows)} points have finished; "
                "the rest are shown empty.",
                "yellow",
            )
        )
    return lines


def _key_columns(view: View) -> list[Column]:
    return [Column(labels.heading(k), numeric(view.rows, k)) for k in view.swept]


def numeric(rows: Sequence[Row], key: str) -> bool:
    """Whether a swept key's column is aligned like numbers."""
    values = [row.key[key] for row in rows if key in row.key]
    return labels.is_quantity(key) or (
        bool(values) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    )


def _key_cells(view: View, row: Row) -> list[str]:
    return [labels.value_label(k, row.key[k]) if k in row.key else "" for k in view.swept]


def results(view: View, style: Style) -> list[str]:
    """The paper's columns, swept keys first, with degraded rows marked and a legend."""
    free = any("steady" in row.stats for row in view.done if row.stats)
    met = any(row.theirs is not None for row in view.done)
    anchored = _anchored(view)
    columns = [
        *_key_columns(view),
        *(Column(t) for t in ("average", "minimum", "maximum", "σ", "peak", "efficiency")),
        *([Column("±95 %"), Column("", numeric=False)] if free else []),
        Column("", numeric=False),
        *([Column("anchored")] if anchored else []),
        *([Column(theirs(view.backend)), Column("error %")] if met else []),
    ]
    rows = []
    for row in view.rows:
        total = row.totals
        cells = [
            *_key_cells(view, row),
            *(number(total.get(k)) for k in ("mean", "min", "max")),
            number(total.get("std"), 4),
            number(row.ceiling.value),
            number(row.efficiency_pct) + (" %" if row.efficiency_pct is not None else ""),
            *(steady.cells(row.stats) if free else []),
            MARK if row.degraded else "",
        ]
        if anchored:
            cells.append(number(None if row.guided is None else row.guided.rate))
        if met:
            error = error_pct(row.mean, row.theirs)
            cells += [number(row.theirs), number(error, 2, signed=True)]
        rows.append([style.paint(c, "yellow") for c in cells] if row.degraded else cells)
    return table(columns, rows, style) + ["", *_legend(view, style)]


def _anchored(view: View) -> bool:
    """Whether some point has an anchored rate and the run comes from the model."""
    return modelled(view.backend) and any(row.guided is not None for row in view.done)


def _legend(view: View, style: Style) -> list[str]:
    repeats = sorted({row.total["n"] for row in view.done if row.total})
    over = f"; statistics over {_span(repeats)} repeats" if repeats else ""
    lines = [f"Rates in MB/s (1e6 bytes a second), {view.how}{over}."]
    if any(row.ceiling.value is not None for row in view.rows):
        lines.append(f"peak: {peak_note(view)}")
    marked = sum(row.degraded for row in view.rows)
    if marked:
        lines.append(f"{MARK} efficiency below {DEGRADED_BELOW_PCT:g} % ({marked} rows)")
    lines += steady.legend(view.done)
    if _anchored(view):
        lines.append(f"anchored: {anchored_text.of_column(row.guided for row in view.done)}")
    if any(row.theirs is not None for row in view.done):
        by = measured_text.by(row.measured for row in view.done)
        lines.append(f"{theirs(view.backend)}: {'; '.join(by) or view.citation}")
    lines += [*band_text.legend(view), *board_notes.lines(view.done, view.backend)]
    return [style.paint(line, "dim") for line in lines]


def _span(values: Sequence[int]) -> str:
    return str(values[0]) if len(values) == 1 else f"{values[0]}–{values[-1]}"


def peak_note(view: View) -> str:
    """How the peak rate is computed, with the platform's DRAM peak."""
    facts = view.facts
    note = "width × PL clock, summed over the streams"
    if facts.dram_peak is not None:
        note += (
            f", at most the DRAM's peak of {facts.dram_peak:g} MB/s "
            f"({facts.bus_bits} bit × 2 × {facts.ddr_mhz:g} MHz)"
        )
        other = {
            printed
            for row in view.rows
            if row.ceiling.dram_limits and (printed := row.printed.get("expected"))
        } - {facts.dram_peak}
        if other:
            shown = " or ".join(f"{value:g}" for value in sorted(other))
            note += f"; the published table prints {shown} where the DRAM limits"
    return note + "."


def compared(view: View, other: str, style: Style) -> list[str]:
    """The rows of a comparison: both means, the error, and whether it is inside the min–max."""
    columns = [
        *_key_columns(view),
        Column(view.how),
        Column(other),
        Column("min"),
        Column("max"),
        Column("error %"),
        Column("in range", numeric=False),
        Column("row", numeric=False),
    ]
    rows = []
    for row in view.rows:
        published = row.printed
        error = row.error_pct
        cells = [
            *_key_cells(view, row),
            number(row.mean),
            *(number(published.get(k)) for k in ("mean", "min", "max")),
            number(error, 2, signed=True),
            _range_word(row),
            row.role or "",
        ]
        rows.append([style.paint(c, "yellow") for c in cells] if row.far else cells)
    return table(columns, rows, style)


def _range_word(row: Row) -> str:
    inside, widened = row.inside(), row.inside(WIDENED)
    if inside is None:
        return ""
    return "yes" if inside else f"±{WIDENED * 100:g} %" if widened else "no"


def summary(view: View, other: str, style: Style) -> list[str]:
    """The summary of a comparison; fitted and predicted rows on lines of their own."""
    groups = comparison.split(view.rows)
    every = groups["all"]
    if not every.compared:
        return [f"No row of this run has a counterpart in {other}."]
    lines = [
        f"Points: {len(view.rows)}, compared with {other}: {every.compared}.",
        f"Rows inside the {other} min–max: {every.inside} of {every.ranged}; widened by "
        f"{WIDENED * 100:g} %: {every.inside_widened} of {every.ranged}.",
    ]
    for name in ("fitted", "predicted"):
        g = groups[name]
        if g.compared:
            lines.append(f"{name.capitalize()} rows: {_group_words(g)}.")
    if groups["fitted"].compared and groups["predicted"].compared:
        lines.append(f"Both together (fitted rows included): {_group_words(every)}.")
    elif not (groups["fitted"].compared or groups["predicted"].compared):
        lines.append(f"All rows: {_group_words(every)}.")
    parts = comparison.parts(view.rows)
    if parts:
        far = max(parts, key=lambda part: abs(part.error_pct))
        what = "ports and directions" if any(part.port for part in parts) else "directions"
        lines.append(
            f"Rates of single {what} from {comparison.PARTS_FROM_MBPS:g} MB/s: {len(parts)}, mean "
            f"absolute error {number(comparison.parts_error(parts))} %, worst "
            f"{number(far.error_pct, 2, signed=True)} % "
            f"({far.port + ' ' if far.port else ''}{far.direction}s, "
            f"{labels.key_label(far.row.key)})."
        )
    fitted = [p for p in view.parameters if p.kind == "fitted"]
    if fitted:
        lines.append(f"Parameters of the platform that were fitted ({len(fitted)}):")
        on: dict[str, list[str]] = {}
        for p in fitted:
            on.setdefault(p.note, []).append(f"{p.path} = {p.value}{_unit(p.unit)}")
        lines += [f"  {', '.join(names)}: {note}" for note, names in on.items()]
    selected = [p.path for p in view.parameters if p.kind == "selected"]
    if selected:
        lines.append(
            f"Selected with published rows in sight ({len(selected)}): the report gives reasons."
        )
    return lines


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""


def _group_words(g: comparison.Group) -> str:
    worst = g.worst
    if worst is None:
        return "none"
    return (
        f"{g.compared}, mean absolute error {number(g.mean_abs_error_pct)} %, "
        f"worst {number(worst.error_pct, 2, signed=True)} % ({labels.key_label(worst.key)})"
    )
