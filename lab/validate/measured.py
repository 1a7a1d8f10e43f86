"""The tables of measurements that ship, from public sources.

`measured.toml` lists the datasets, `others.toml` the figures of other benches. Each becomes a CSV
in reference/measured/, packed: a head with its source, keys of an experiment, rates to six digits,
and the number of reads in flight.
"""

from __future__ import annotations

import csv
import io
import itertools
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from axiometer.base import data, packed
from axiometer.published.reference import Reference
from axiometer.published.reference.table import ANY
from validate import measured_benches
from validate.compared import ROOT, Outcome

ABOUT = Path(__file__).with_suffix(".toml")
TABLES = ROOT / "reference" / "measured"
_FIGURES = {
    "read_MBps": ("read_MBps", "mean"),
    "write_MBps": ("write_MBps", "mean"),
    "reads_in_flight": ("reads_in_flight", "mean"),
    "read_latency_avg_cycles": ("read_latency_cycles", "mean"),
    "max_read_inactivity_cycles": ("read_inactivity_cycles", "max"),
}
"""Columns, and what their figures are called in a row: part and statistic."""
_RANGE = ("min", "max", "std")
_LAST = ("port", "read_MBps", "write_MBps", "total_MBps", *(f"total_MBps_{of}" for of in _RANGE),
         "reads_in_flight", "read_latency_avg_cycles", "max_read_inactivity_cycles")  # fmt: skip


def found(pattern: str) -> list[Path]:
    """Files of the datasets that are at hand."""
    readme = data.find_external("README.md")
    return sorted(readme.parent.glob(pattern)) if readme else []


def head(facts: Mapping[str, str]) -> str:
    """The lines before the columns."""
    return "".join(f"# {name} = {value}\n" for name, value in facts.items())


def means(parts: Mapping[str, Any]) -> dict[str, str]:
    """The columns of figures of directions that there are, as cells; a port's total with them."""
    found = {
        column: f"{parts[part][of]:.6g}"
        for column, (part, of) in _FIGURES.items()
        if of in parts.get(part, ())
    }
    if "total_MBps" in parts:
        found["total_MBps"] = f"{parts['total_MBps']['mean']:.6g}"
    return found


def totals(figures: Mapping[str, float], ranges: bool) -> dict[str, str]:
    """The columns of the total rate; its range where one is wanted."""
    found = {"total_MBps": f"{figures['mean']:.6g}"}
    if ranges:
        found |= {f"total_MBps_{of}": f"{figures[of]:.6g}" for of in _RANGE}
    return found


def rows_of(path: Path, behind: str, ranges: bool) -> Iterator[dict[str, str]]:
    """The rows of a dataset, and of each port, as cells of a table; `behind`: the one port that the
    first of its ports are masters of; `ranges`: with least and most rates."""
    rows = Reference.load(path).rows
    every = max((row.conditions["ports"] for row in rows), key=len)
    for row in rows:
        keys = {name: _cell(value) for name, value in row.conditions.items()}
        if behind:
            blocks = row.conditions["ports"]
            if blocks != every[: len(blocks)]:
                continue
            keys |= {"ports": behind, "masters_per_port": str(len(blocks))}
            if len(blocks) == 1:  # several pass the multiplexer that is theirs
                keys["through"] = "smartconnect"
        if keys.pop("duration_s", None):
            keys["duration"] = "free"
        yield keys | means(row.parts) | totals(row.figures, ranges)
        for port, of in ({} if behind else row.parts.get("by_port", {})).items():
            yield keys | {"port": port} | means(of)


def _cell(value: Any) -> str:
    if value is ANY:
        return "free"
    return "+".join(value) if isinstance(value, list) else str(value)


def text(facts: Mapping[str, str], rows: Sequence[Mapping[str, str]]) -> str:
    """A table: columns that no row has something in are left out."""
    names = dict.fromkeys(name for row in rows for name, cell in row.items() if cell)
    columns = [n for n in names if n not in _LAST] + [n for n in _LAST if n in names]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return head(facts) + out.getvalue()


def tables() -> Iterator[tuple[str, str]]:
    """Name and text of each table whose dataset is at hand."""
    for table in tomllib.loads(ABOUT.read_text(encoding="utf-8"))["table"]:
        for path in (path for pattern in table["files"] for path in found(pattern)):
            board = path.stem.split("__")[0] if table["board"] == "{stem}" else table["board"]
            cite = table["cite"].format(file=path.name)
            facts = {
                "title": table["title"],
                "source": table["source"],
                "cite": cite,
                "board": board,
            }
            rows = rows_of(path, table.get("behind", ""), table.get("ranges", False))
            yield path.name, text(facts, [row | keys_of(table, row) for row in rows])


def benches() -> Iterator[tuple[str, str]]:
    """The same of figures of other benches."""
    for name, (facts, rows) in measured_benches.tables().items():
        yield name, text(facts, rows)


def keys_of(table: Mapping[str, Any], row: Mapping[str, str]) -> dict[str, str]:
    """Facts that a row's columns lack."""
    found = dict(table.get("always", {}))
    for some in table.get("also", ()):
        if some["when"].items() <= row.items():
            found |= some["keys"]
    return found


def run() -> Outcome:
    """The tables."""
    made = dict(itertools.chain(tables(), benches()))
    files = {packed.of(TABLES / name): text for name, text in made.items()}
    return Outcome(f"{len(files)} tables", files=files)
