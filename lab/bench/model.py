"""Measures the whole model, including ports: bursts a second, and the effect of skipping."""

from __future__ import annotations

import time
from collections.abc import Iterator

from axiometer import _model
from axiometer.experiment import Experiment
from axiometer.simulate.scenario import Scenario
from figures import Figure

EXPERIMENT = "zybo-hp-bandwidth"
FOUR_PORTS = "HP0+HP1+HP2+HP3"


def bursts(rounds: int = 3) -> list[Figure]:
    """Bursts a second of processor time on four duplex ports, nothing skipped."""
    return [_bursts(64, 4, rounds), _bursts(32, None, rounds)]


def _bursts(width: int, bar: float | None, rounds: int) -> Figure:
    experiment = Experiment.load(
        EXPERIMENT, [f"ports={FOUR_PORTS}", "mode=duplex", f"width_bits={width}"]
    )
    (point,) = experiment.points()
    scenario = Scenario.of(experiment.platform, point.values)
    model = _model.Simulator(scenario.document())
    best = 0.0
    for repeat in range(rounds):
        start = scenario.start(0, repeat).document()
        begin = time.process_time()
        result = model.run(start, skip=False)
        spent = time.process_time() - begin
        done = sum(stream["bursts"] for stream in result["streams"])
        best = max(best, done / spent * 1e-6)
    how = f"8 streams of 32 MiB, bursts of {point.values['burst_bytes']} bytes, nothing skipped"
    return Figure(f"model: four ports, duplex, {width} bit", best, "M bursts/s", bar, how=how)


def skipped(repeats: int = 5) -> Iterator[tuple[dict[str, object], int, int]]:
    """For each row of the experiment: its key, the refresh intervals of `repeats` repeats, and the
    number of them that were taken from memory."""
    experiment = Experiment.load(EXPERIMENT)
    for point in experiment.points():
        scenario = Scenario.of(experiment.platform, point.values)
        model = _model.Simulator(scenario.document())
        intervals = from_memory = 0
        for repeat in range(repeats):
            start = scenario.start(0, repeat).document()
            result = model.run(start)
            intervals += result["intervals"]
            from_memory += result["skipped_intervals"]
        yield point.key, intervals, from_memory
