"""The tables of measurements that ship, made of public datasets: `python -m validate.measured`.

Usage: python -m validate.measured [--write]

`measured.toml` says which datasets. Each file becomes a CSV in reference/measured/: a head that
says whose it is, keys of an experiment, rates to six digits, and of reads how many were in flight.
Without `--write`, exit status 1 if a table is not what its
dataset gives.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from axiometer.base import data
from axiometer.published.reference import Reference
from axiometer.published.reference.table import ANY

ABOUT = Path(__file__).with_suffix(".toml")
TABLES = Path(__file__).resolve().parents[1] / "reference" / "measured"
_FIGURES = ("read_MBps", "write_MBps", "total_MBps", "reads_in_flight")


def found(pattern: str) -> list[Path]:
    """Files of the datasets that are at hand."""
    readme = data.find_external("README.md")
    return sorted(readme.parent.glob(pattern)) if readme else []


def head(facts: Mapping[str, str]) -> str:
    """The lines before the columns."""
    return "".join(f"# {name} = {value}\n" for name, value in facts.items())


def means(parts: Mapping[str, Any]) -> dict[str, str]:
    """The columns of figures of which there is a mean, as cells."""
    return {name: f"{parts[name]['mean']:.6g}" for name in _FIGURES if name in parts}


def rows_of(path: Path, behind: str) -> Iterator[dict[str, str]]:
    """The rows of a dataset, and of each port, as cells of a table; `behind`: the one port that the
    first of its ports are masters of."""
    told = Reference.load(path).rows
    every = max((row.conditions["ports"] for row in told), key=len)
    for row in told:
        keys = {name: _cell(value) for name, value in row.conditions.items()}
        if behind:
            blocks = row.conditions["ports"]
            if len(blocks) == 1 or blocks != every[: len(blocks)]:
                continue  # one alone passes a SmartConnect that no key names
            keys |= {"ports": behind, "masters_per_port": str(len(blocks))}
        if keys.pop("duration_s", None):
            keys["duration"] = "free"
        yield keys | means(row.parts) | {"total_MBps": f"{row.figures['mean']:.6g}"}
        for port, of in ({} if behind else row.parts.get("by_port", {})).items():
            yield keys | {"port": port} | means(of)


def _cell(value: Any) -> str:
    if value is ANY:
        return "free"
    return "+".join(value) if isinstance(value, list) else str(value)


def text(facts: Mapping[str, str], rows: Sequence[Mapping[str, str]]) -> str:
    """A table: columns that no row has something in are left out."""
    names = dict.fromkeys(name for row in rows for name, cell in row.items() if cell)
    last = ("port", *_FIGURES)
    columns = [n for n in names if n not in last] + [n for n in last if n in names]
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
            rows = rows_of(path, table.get("behind", ""))
            yield path.name, text(facts, [row | keys_of(table, row) for row in rows])


def keys_of(table: Mapping[str, Any], row: Mapping[str, str]) -> dict[str, str]:
    """What a row's columns do not say."""
    found = dict(table.get("always", {}))
    for some in table.get("also", ()):
        if some["when"].items() <= row.items():
            found |= some["keys"]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    wrong = 0
    for name, made in tables():
        kept = TABLES / name
        if args.write:
            kept.write_text(made, encoding="utf-8")
        elif not kept.is_file() or kept.read_text(encoding="utf-8") != made:
            print(f"{kept} is not what its dataset gives: --write", file=sys.stderr)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
