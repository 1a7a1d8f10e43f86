"""What was run, and for how long: rows that are added to a CSV file, and their sums.

    fuzz/log.py CSV

prints hours of processor time, inputs and findings of each target.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FIELDS = ("date", "commit", "target", "seed", "processor_s", "inputs", "outcome")


def add(path: Path, outcome: Any, seed: int) -> None:
    """One row of a run's `outcome` (run.py). The commit is that of the folder it runs in."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
    ).stdout.strip()
    new = not path.exists()
    with path.open("a", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        if new:
            rows.writerow(FIELDS)
        day = datetime.now(UTC).strftime("%Y-%m-%d")
        used = round(outcome.processor_s)
        rows.writerow([day, commit, outcome.name, seed, used, outcome.inputs, outcome.state])


def sums(path: Path) -> dict[str, dict[str, float]]:
    """Of each target: hours of processor time, inputs, runs that found something."""
    found: dict[str, dict[str, float]] = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            of = found.setdefault(row["target"], {"hours": 0.0, "inputs": 0, "findings": 0})
            of["hours"] += float(row["processor_s"]) / 3600
            of["inputs"] += int(row["inputs"])
            of["findings"] += row["outcome"] == "found"
    return found


if __name__ == "__main__":
    for name, of in sorted(sums(Path(sys.argv[1])).items()):
        print(f"{name:20} {of['hours']:6.2f} h {of['inputs']:10} inputs {of['findings']} findings")
