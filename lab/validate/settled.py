"""Whether free runs state their uncertainty correctly.

Runs a sample of the dataset's configurations with defaults, and each once more for 200 ms, in place
of an endless run (published ones last 5 s). The long rate, without the first 2 ms, must be within
the short run's interval in 90 % of them, and within 1.5 % of the rate of every run that reports
settled and not that it may drift. Random points: `axiometer selftest`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace

from axiometer.published.tables import Line
from axiometer.runs.backends import model
from axiometer.simulate import run as simulation
from axiometer.simulate.engines import Measure
from axiometer.simulate.scenario import Scenario
from validate import compared, usp
from validate.compared import Outcome

LONG_S, LEFT_OUT_S = 0.2, 0.002
BAR, MOST_OFF = 0.9, 0.015


@dataclass(frozen=True)
class Row:
    """A configuration: its rate, half of the interval and time (s) as usual, and the long rate."""

    of: Line
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


def run(jobs: int, sample: int) -> Outcome:
    """The page's section."""
    with ProcessPoolExecutor(jobs) as pool:
        rows = list(pool.map(both, random.Random(7).sample(usp.every(), sample)))
    lines = summary(rows)
    enough = sum(row.within for row in rows) >= BAR * len(rows)
    outside = [
        f"outside: {usp.ports(r.of)} {usp.mode(r.of)} {r.of.conditions['burst_bytes']} B of "
        f"{r.of.table.path.stem}: {100 * r.off:+.2f} %, {100 * r.half / r.rate:.2f} % claimed"
        for r in rows
        if not r.within
    ]
    passed = enough and not any(row.misleads for row in rows)
    return Outcome(lines[0], passed, [*lines, *outside], {"": "\n".join(lines)})


def both(of: Line) -> Row:
    """As anybody would run it, and long."""
    platform, point = usp.point_of(of)
    record = model.run_repeats(platform, point, 0, 0, 1)[0]
    s = record["steady"]
    half, time = s["half_width_MBps"], s["simulated_s"]
    rate = record["total_MBps"]
    return Row(of, rate, half, s["settled"], s["may_drift"], time, long_rate(of))


def long_rate(of: Line) -> float:
    """MB/s of `LONG_S` but for their first `LEFT_OUT_S`; such a run does not end early."""
    platform, point = usp.point_of(of, f"{LONG_S * 1e3:g}ms")
    scenario = Scenario.of(platform, point.values)
    cycles = round(LEFT_OUT_S * point.values["pl_mhz"] * 1e6)
    scenario = replace(scenario, measure=Measure(settle=cycles, block=0, confidence=0.0))
    result = simulation.result(scenario, scenario.start(0, 0))
    moved = sum(stream["bytes"] for stream in result["streams"])
    return moved / (result["cycles"] / point.values["pl_mhz"])


def summary(rows: Sequence[Row]) -> list[str]:
    """How many are within, and what they cost."""
    within = sum(row.within for row in rows)
    settled = [row for row in rows if row.settled]
    drifting = [row for row in settled if row.may_drift]
    sure = [row for row in settled if not row.may_drift]
    far = max((abs(row.off) for row in sure), default=0.0)
    return [
        f"The long rate is within the interval of {within} of {len(rows)} configurations "
        f"({100 * within / len(rows):.0f} %), and of {sum(row.within for row in settled)} of the "
        f"{len(settled)} settled ones. {len(drifting)} of these may drift; the farthest of the "
        f"other {len(sure)} is {100 * far:.2f} % off.",
        f"Mean distance {100 * compared.mean(row.off for row in rows):.2f} %; "
        f"{sum(row.time for row in rows) / len(rows) * 1e3:.2f} ms simulated on average.",
    ]
