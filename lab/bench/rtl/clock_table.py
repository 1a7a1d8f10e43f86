#!/usr/bin/env python3
"""Routes every block and top of clock.toml (flow.clock), and writes docs/rtl-results.md.

    clock_table.py                 docs/rtl-results.md from the results of the last measurement
    clock_table.py --measure       measures all first: half an hour
    clock_table.py --measure TEXT  only the designs with TEXT in their line, such as axm_dma or COPY

Results are saved in clock.csv. A routing depends on the tools' versions, not on the machine.
"""

from __future__ import annotations

import csv
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "lab"))
from validate import marks  # noqa: E402

RESULTS = HERE / "clock.csv"
SEEDS = (1, 2, 3)
FIELDS = ("design", *(f"seed_{seed}" for seed in SEEDS), "start", "end", "logic_ns", "routing_ns")
COMMAND = "python lab/bench/rtl/clock_table.py"
HEAD = """\
| design | parameters | MHz | of three seeds | from | to | logic, ns | routing, ns |
|---|---|---|---|---|---|---|---|
"""


def designs() -> Iterator[tuple[str, dict]]:
    """Each design with the line that names it."""
    for design in tomllib.loads((HERE / "clock.toml").read_text())["design"]:
        values = ", ".join(f"{k} = {v}" for k, v in design.get("parameters", {}).items())
        yield f"{design['top']}; {values}", design


def kept() -> dict[str, dict[str, str]]:
    if not RESULTS.exists():
        return {}
    with RESULTS.open(newline="") as file:
        return {row["design"]: row for row in csv.DictReader(file)}


def keep(rows: dict[str, dict]) -> None:
    """Write the rows in the order of clock.toml; designs that it no longer has are removed."""
    with RESULTS.open("w", newline="") as file:
        out = csv.DictWriter(file, FIELDS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows[name] for name, _ in designs() if name in rows)


def measure(wanted: str) -> None:
    sys.path.insert(0, str(ROOT / "rtl"))
    from flow import clock, tools

    rows = kept()
    for name, design in designs():
        if wanted not in name:
            continue
        sources = tools.sources(design["sources"])
        speed = clock.measure(design["top"], sources, design.get("parameters"), SEEDS)
        rows[name] = {
            "design": name,
            **{f"seed_{seed}": mhz for seed, mhz in speed.seeds.items()},
            "start": speed.path.start,
            "end": speed.path.end,
            "logic_ns": speed.path.logic_ns,
            "routing_ns": speed.path.routing_ns,
        }
        print(*rows[name].values(), sep="  ", flush=True)
        keep(rows)


def page(rows: dict[str, dict[str, str]]) -> str:
    lines = []
    for name, _ in designs():
        top, _, values = name.partition("; ")
        if name not in rows:  # new, or removed because the design has changed
            lines.append(f"| `{top}` | {values} | not measured | | | | | |\n")
            continue
        row = rows[name]
        mhz = [float(row[f"seed_{seed}"]) for seed in SEEDS]
        seeds = ", ".join(f"{one:.0f}" for one in mhz)
        path = [f"`{row['start']}`", f"`{row['end']}`", row["logic_ns"], row["routing_ns"]]
        cells = (f"`{top}`", values, f"{median(mhz):.0f}", seeds, *path)
        lines.append(f"| {' | '.join(cells)} |\n")
    return HEAD + "".join(lines).rstrip("\n")


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2] if len(sys.argv) > 2 else "")
    marks.write(marks.DOCS / "rtl-results.md", COMMAND, page(kept()))


if __name__ == "__main__":
    main()
