"""A run as flat rows for CSV and Parquet: one a point, or one a repeat.

Columns of a point: every swept key, then rates in MB/s, latency in PL clocks, published figures
and the error in percent. A missing value is empty (CSV) or null (Parquet).
"""

from __future__ import annotations

import csv
import importlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from axiometer.answer.analysis.results import Row, View, modelled
from axiometer.answer.analysis.stats import rate_of
from axiometer.base import atomic_file, harmless
from axiometer.base.errors import AxiometerError
from axiometer.experiment import listed
from axiometer.experiment.keys_shared import split_background
from axiometer.present import anchored_text, measured_text
from axiometer.published import measured

Table = list[dict[str, object]]


def points(view: View) -> Table:
    """One row a point: keys, statistics, published figures, error."""
    out: Table = []
    any_measured = any(row.measured for row in view.rows)
    for row in view.rows:
        stats = row.stats
        line: dict[str, object] = {k: _scalar(row.key.get(k)) for k in view.swept}
        line["repeats"] = 0 if row.total is None else row.total["n"]
        line["expected_MBps"] = row.ceiling.value
        for way in ("total", "read", "write"):
            described: Mapping[str, object] = {} if stats is None else {**rate_of(stats, way)}
            for what in ("mean", "min", "max", "std"):
                line[f"{way}_MBps_{what}"] = described.get(what)
        line["efficiency_pct"] = row.efficiency_pct
        mean = row.mean
        known = row.band if modelled(view.backend) and mean is not None else None
        line["band_low_MBps"] = None if known is None or mean is None else mean * known.low
        line["band_high_MBps"] = None if known is None or mean is None else mean * known.high
        line |= anchored_text.columns(None if not modelled(view.backend) else row.anchored)
        line["extrapolated"] = None if known is None else bool(known.extrapolated)
        if not all(map(listed.has_ports_name, listed.masters(row.values))):
            line |= _of_masters(row, not modelled(view.backend))
        cycles = None if stats is None else stats["latency_cycles"]
        latency: Mapping[str, object] = {} if cycles is None else {**cycles}
        for what in ("mean", "min", "max", "p50", "p99"):
            line[f"latency_cycles_{what}"] = latency.get(what)
        for what, value in () if stats is None else stats.get("steady", {}).items():
            line[f"steady_{what}"] = value
        for what in ("mean", "min", "max", "std"):
            line[f"published_MBps_{what}"] = row.printed.get(what)
        if any_measured:
            of = measured.chosen(row.measured)
            line["measured_by"] = "" if of is None else measured_text.source(of)
        line["error_pct"] = row.error_pct
        line["row_role"] = row.role
        line["backend"] = view.backend
        line |= _of_run(view)
        if view.unvalidated:
            used = {*row.values["ports"], *split_background(row.values.get("background"))}
            used.add(view.facts.target)
            line["validated"] = not used & set(view.unvalidated)
        out.append(line)
    return out


def _of_masters(row: Row, measured: bool) -> dict[str, object]:
    """MB/s of each master in each direction, and the ends of its band."""
    found: dict[str, object] = {}
    for name, direction, rate, band in row.each:
        known = None if measured else band
        found[f"{name}_{direction}_MBps"] = rate
        found[f"{name}_{direction}_band_low_MBps"] = None if known is None else rate * known.low
        found[f"{name}_{direction}_band_high_MBps"] = None if known is None else rate * known.high
    return found


def repeats(view: View) -> Table:
    """One row a repeat: keys, its rates, every DRAM time class in seconds, command counts."""
    out: Table = []
    for row in view.rows:
        for record in row.records:
            line: dict[str, object] = {k: _scalar(row.key.get(k)) for k in view.swept}
            for what in ("repeat", "elapsed_s", "bytes", "total_MBps", "read_MBps", "write_MBps"):
                line[what] = record.get(what)
            for port, rates in (record.get("by_port") or {}).items():
                for what, value in rates.items():
                    line[f"{port}_{what}"] = value
            for what, value in (record.get("latency_cycles") or {}).items():
                if not isinstance(value, Mapping):  # a histogram has no place in one cell
                    line[f"latency_cycles_{what}"] = value
            dram = record.get("dram")
            if dram:
                line |= {f"dram_{what}_s": s for what, s in dram["classes_s"].items()}
                line |= {f"dram_{what}": count for what, count in dram["counts"].items()}
            for what, value in (record.get("steady") or {}).items():
                line[f"steady_{what}"] = value
            processor = record.get("processor")
            if processor:
                line |= {f"processor_{what}_s": s for what, s in processor["classes_s"].items()}
                beats = processor.get("beats")
                if beats:
                    line |= {f"between_{what}": of for what, of in beats["between"].items()}
            line["backend"] = view.backend
            line |= _of_run(view)
            out.append(line)
    return out


def _of_run(view: View) -> dict[str, object]:
    """The run's name, settings and note, those that it has."""
    texts = {"run_name": view.called, "settings": " ".join(view.settings), "note": view.note}
    return {name: value for name, value in texts.items() if value}


def _scalar(value: object) -> object:
    """A swept value as one cell: lists joined by `+`, tables by their text."""
    if isinstance(value, (list, tuple)):
        return "+".join(str(v) for v in value)
    return str(value) if isinstance(value, Mapping) else value


def columns(table: Sequence[Mapping[str, object]]) -> list[str]:
    """All column names, in the order of their first row."""
    return list(dict.fromkeys(name for row in table for name in row))


def to_csv(table: Table) -> str:
    """The table as CSV (RFC 4180 quoting, `\\n` line ends)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = columns(table)
    writer.writerow([harmless.cell(name) for name in names])
    writer.writerows([harmless.cell(row.get(name, "")) for name in names] for row in table)
    return out.getvalue()


def to_parquet(table: Table, path: Path) -> None:
    """Write the table as Parquet. AxiometerError when pyarrow is not installed."""
    try:
        arrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise AxiometerError(
            "Parquet needs pyarrow, which is not installed",
            remedy="pip install 'axiometer[parquet]'",
        ) from None
    names = columns(table)
    data = {name: _one_type([row.get(name) for row in table]) for name in names}
    with atomic_file.whole(path) as place:
        parquet.write_table(arrow.table(data), place)


def _one_type(values: list[object]) -> list[object]:
    """A column that mixes text with numbers becomes text: Parquet columns have one type."""
    if any(isinstance(v, str) for v in values):
        return [None if v is None else str(v) for v in values]
    return values
