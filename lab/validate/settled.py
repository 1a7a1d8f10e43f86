"""Whether free runs state their uncertainty correctly: `make validate-settled`.

Runs a sample of the dataset's configurations with defaults, and each once more for 200 ms, in place
of an endless run (published ones last 5 s). The long rate, without the first 2 ms, must be within
the short run's interval in 90 % of them, and within 1.5 % of the rate of every run that reports
settled and not that it may drift. Exit status 1 if not; 0 with a message if the dataset is missing.
Random points: `axiometer selftest`.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from axiometer.runs.backends import model
from axiometer.simulate import run
from axiometer.simulate.engines import Measure
from axiometer.simulate.scenario import Scenario
from validate import accuracy_usp as usp
from validate import marks
from validate import usp as usp_grid

LONG_S, LEFT_OUT_S = 0.2, 0.002
BAR, MOST_OFF = 0.9, 0.015
COMMAND = "python -m validate.settled --write"


@dataclass(frozen=True)
class Row:
    """A configuration: its rate, half of the interval and time (s) as usual, and the long rate."""

    label: str
    rate: float
    half: float
    settled: bool
    may_drift: bool
    time: float
    long: float

    @property
    def within(self) -> bool:
        return abs(self.rate - self.long) <= self.half

    @property
    def off(self) -> float:
        """How far the rate is from the long one, as a share of that."""
        return self.rate / self.long - 1

    @property
    def misleads(self) -> bool:
        """Whether it is far off and says nothing of it."""
        return self.settled and not self.may_drift and abs(self.off) > MOST_OFF


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=usp_grid.DATA)
    parser.add_argument("--sample", type=int, default=64, metavar="N")
    parser.add_argument("--long", type=Path, help="CSV in which long rates are cached")
    parser.add_argument("--write", action="store_true", help="write docs/how-sure.md")
    args = parser.parse_args()
    files = [args.data / name for name in usp_grid.FILES]
    if not all(file.is_file() for file in files):
        print(f"skipped: the dataset is not in {args.data}")
        return 0
    every = [c for file in files for c in usp.read(file)]
    known = _kept(args.long)
    rows = []
    for of in random.Random(7).sample(every, args.sample):
        if of.label not in known:
            known[of.label] = long_rate(of)
            _keep(args.long, of.label, known[of.label])
        rows.append(usual(of, known[of.label]))
        print(text(rows[-1]), flush=True)
    lines = summary(rows)
    print("\n".join(lines))
    if args.write:
        table = ["| | MB/s | off | claimed | time | |", "|---|---|---|---|---|---|"]
        page = "\n".join([*lines, "", *table, *map(text, rows)])
        marks.write(marks.DOCS / "how-sure.md", COMMAND, page)
    wide = sum(row.within for row in rows) < BAR * len(rows)
    return int(wide or any(row.misleads for row in rows))


def usual(of: usp.Configuration, long: float) -> Row:
    """As anybody would run it."""
    platform, point = usp_grid.point_of(of)
    record = model.run_repeats(platform, point, 0, 0, 1)[0]
    s = record["steady"]
    rate = record["total_MBps"]
    half, time = s["half_width_MBps"], s["simulated_s"]
    return Row(of.label, rate, half, s["settled"], s["may_drift"], time, long)


def long_rate(of: usp.Configuration) -> float:
    """MB/s of `LONG_S` but for their first `LEFT_OUT_S`; such a run does not end early."""
    platform, point = usp_grid.point_of(of, duration=f"{LONG_S * 1e3:g}ms")
    scenario = Scenario.of(platform, point.values)
    cycles = round(LEFT_OUT_S * of.pl_mhz * 1e6)
    scenario = replace(scenario, measure=Measure(settle=cycles, block=0, confidence=0.0))
    result = run.result(scenario, scenario.start(0, 0))
    moved = sum(stream["bytes"] for stream in result["streams"])
    return moved / (result["cycles"] / of.pl_mhz)


def _kept(file: Path | None) -> dict[str, float]:
    if file is None or not file.is_file():
        return {}
    with file.open(newline="") as stream:
        return {label: float(rate) for label, rate in csv.reader(stream)}


def _keep(file: Path | None, label: str, rate: float) -> None:
    if file is not None:
        with file.open("a", newline="") as stream:
            csv.writer(stream).writerow([label, rate])


def text(row: Row) -> str:
    """A row of the table."""
    off = 100 * row.off
    words = "" if row.settled else "not settled "
    words += ("may drift " if row.may_drift else "") + ("" if row.within else "**outside**")
    return (
        f"| {row.label} | {row.rate:.0f} | {off:+.2f} % | {100 * row.half / row.rate:.2f} % "
        f"| {row.time * 1e3:.2f} ms | {words.strip()} |"
    )


def summary(rows: Sequence[Row]) -> list[str]:
    """How many are within, and what they cost."""
    within = sum(row.within for row in rows)
    settled = [row for row in rows if row.settled]
    drifting = [row for row in settled if row.may_drift]
    sure = [row for row in settled if not row.may_drift]
    mean = sum(abs(row.off) for row in rows) / len(rows)
    return [
        f"The long rate is within the interval of {within} of {len(rows)} configurations "
        f"({100 * within / len(rows):.0f} %), and of {sum(row.within for row in settled)} of the "
        f"{len(settled)} settled ones. {len(drifting)} of these may drift; the farthest of the "
        f"other {len(sure)} is {100 * max((abs(row.off) for row in sure), default=0.0):.2f} % off.",
        f"Mean distance {100 * mean:.2f} %; {sum(row.time for row in rows) / len(rows) * 1e3:.2f} "
        "ms simulated on average.",
    ]


if __name__ == "__main__":
    sys.exit(main())
