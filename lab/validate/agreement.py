"""How well RTL and model agree: on the published tables at a size that the RTL can do, and on
traffic (`traffic_cases.py`).

Used by `test_agreement.py`, `test_rtl_traffic.py` (a few rows) and `lab/validate/rtl.py` (all).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from axiometer.experiment import Experiment
from axiometer.runs.backends import model, rtl

EXPERIMENTS = ("zybo-hp-bandwidth", "zybo-hp-read-150mhz", "de1-soc-f2s-bandwidth")
SIZE = "256KiB"


@dataclass(frozen=True)
class Row:
    """One repeat of one row with both backends; errors of the RTL against the model in per cent.

    same: bursts, beats, DRAM commands and all classes of time are the same to the clock.
    Errors are 0 where nothing was moved.
    """

    experiment: str
    key: dict[str, Any]
    repeat: int
    rtl_mbps: float
    model_mbps: float
    latency_error: float
    same: bool

    @property
    def total_error(self) -> float:
        return 100 * _ratio(self.rtl_mbps, self.model_mbps)


def _ratio(ours: float, theirs: float) -> float:
    return ours / theirs - 1 if theirs else float(ours != 0)


def points(experiment: str, **which: Any) -> tuple[Any, list[Any]]:
    """Platform and points of an experiment at `SIZE` whose values are those of `which`."""
    loaded = Experiment.load(experiment, (f"transfer_bytes={SIZE}",))
    wanted = [p for p in loaded.points() if all(p.values[k] == v for k, v in which.items())]
    return loaded.platform, wanted


def rows(platform: Any, experiment: str, wanted: list[Any], repeats: int) -> Iterator[Row]:
    """Runs every point with both backends from the same starts."""
    for point in wanted:
        both = zip(
            rtl.run_repeats(platform, point, 0, 0, repeats),
            model.run_repeats(platform, point, 0, 0, repeats),
            strict=True,
        )
        for ours, theirs in both:
            latencies = [(r["latency_cycles"] or {"mean": 0.0})["mean"] for r in (ours, theirs)]
            yield Row(
                experiment,
                point.key,
                ours["repeat"],
                ours["total_MBps"],
                theirs["total_MBps"],
                100 * _ratio(*latencies),
                ours == theirs,
            )


def traffic(case: Any, repeats: int) -> Iterator[Row]:
    """Runs a case of `traffic_cases` with both backends."""
    platform, point = case.load()
    for row in rows(platform, case.platform, [point], repeats):
        yield replace(row, key=case.keys)
