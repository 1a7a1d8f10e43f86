"""The tables of measurements that ship, from public sources.

`measured.toml` lists the datasets. `others.toml` lists rows of reference/others/
measured_by_others.csv, and their keys; `table` and `source` of a bench are its table and its
author; `memory` is the measured memory, where no board of ours has it, or `target` what masters
reached. Each becomes a CSV in reference/measured/, packed: a head with its source, keys of an
experiment, rates to six digits, and the number of reads in flight.
"""

from __future__ import annotations

import csv
import io
import statistics
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from axiometer.base import data, packed
from axiometer.base.errors import AxiometerError
from axiometer.experiment.keys import KEYS
from axiometer.published.reference import Reference
from axiometer.published.reference.table import ANY
from validate import others
from validate.compared import ROOT, Outcome

Facts = dict[str, str]
Row = dict[str, str]

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


def keys_of(table: Mapping[str, Any], row: Mapping[str, str]) -> dict[str, str]:
    """Facts that a row's columns lack."""
    found = dict(table.get("always", {}))
    for some in table.get("also", ()):
        if some["when"].items() <= row.items():
            found |= some["keys"]
    return found


def of_benches() -> dict[str, tuple[Facts, list[Row]]]:
    """The head and the rows of each table of another bench, by its file; none where the figures are
    not at hand. Of rows that differ only by a length that keys do not describe, the longest are
    taken; of several of one length their mean, and their range."""
    path = data.find_external(others.FILE)
    found: dict[str, tuple[Facts, list[Row]]] = {}
    for bench in others.about()["bench"] if path else ():
        assert path is not None
        memory = bench.get("memory") or bench.get("target", "").upper()
        alike: dict[str, tuple[Row, dict[str, list[float]]]] = {}
        # The longest last: of rows that keys do not distinguish it is taken for all.
        for row in sorted(others.printed(path, bench), key=others.length):
            keys = bench_keys(bench, row)
            _, by_length = alike.setdefault(repr(keys), (keys, {}))
            figure = float(row["value"]) * others.MBPS[row["unit"]]
            by_length.setdefault(row["transfer_bytes"], []).append(figure)
            whose = others.about()["source"][bench["source"]]
            facts = {
                "title": whose["title"],
                "source": bench["source"],
                "cite": whose["cite"],
                **_boards(row["board"], bench["platform"]),
                **({"memory": memory} if memory else {}),
            }
        rate = bench.get("rate", "total_MBps")
        found.setdefault(bench["table"], (facts, []))[1].extend(
            keys | _figures(rate, [*by_length.values()][-1]) for keys, by_length in alike.values()
        )
    return found


def _figures(rate: str, measured: list[float]) -> Row:
    found = {rate: f"{statistics.fmean(measured):.6g}"}
    if len(measured) > 1:
        found |= {f"{rate}_min": f"{min(measured):.6g}", f"{rate}_max": f"{max(measured):.6g}"}
    return found


def bench_keys(bench: Mapping[str, Any], row: Mapping[str, str]) -> Row:
    """The keys of a row's point, as cells."""
    keys = others.keys(bench, row)
    del keys["repeats"]
    if "masters" in keys:  # no operating system
        (master,) = keys.pop("masters")
        keys = {"ports": "", "master": master["kind"], "operation": master["operation"]} | keys
        keys["transfer_bytes"] = row["transfer_bytes"]
        return {name: str(value) for name, value in keys.items()}
    keys.setdefault("os", "linux" if row["os"].startswith("Linux") else "bare-metal")
    if "master" in keys:
        keys.setdefault("memory_type", KEYS["memory_type"].default)
    elif "duration" in keys:
        keys["duration"] = "free"
    return {"ports": "", **{name: str(value) for name, value in keys.items()}}


def _boards(board: str, platform: str) -> Facts:
    """The measured board by the name that we have for it, or as its source has it and the one that
    stands in for it."""
    try:
        own = data.find_toml("boards", board).stem
    except AxiometerError:
        own = ""
    return {"board": platform} if own == platform else {"board": board, "like": platform}


def run() -> Outcome:
    """The tables."""
    made = dict(tables()) | {name: text(*of) for name, of in of_benches().items()}
    files = {packed.of(TABLES / name): text for name, text in made.items()}
    return Outcome(f"{len(files)} tables", files=files)
