"""The model backend: runs repeats of a point on the simulated chip."""

from __future__ import annotations

from collections.abc import Iterable

from axiometer.base.record import Record
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.points import Point
from axiometer.platform import Platform
from axiometer.runs.backends import processor
from axiometer.simulate import cost, run
from axiometer.simulate.scenario import Scenario


def prepare(platform: Platform, points: Iterable[Point]) -> None:
    """AxiometerError if one of `points` would take too long."""
    seen = set()
    for point in points:
        of = point.values
        length = of["transfer_bytes"], of["duration_s"], of["pl_mhz"]
        kind = (len(of["ports"]), *length, of["burst_bytes"], of["gap_cycles"], of["skew_us"])
        if of["master"] in AT_MEMORY and kind not in seen:
            seen.add(kind)
            cost.check(Scenario.of(platform, of))


def run_repeats(
    platform: Platform, point: Point, seed: int, first: int, count: int
) -> list[Record]:
    """Records of repeats `first` to `first + count - 1` of `point` on `platform`.

    Values that the chip does not fix (the processor's start of each DMA, the refresh phase) are
    drawn from (seed, repeat) alone, so that points can be compared repeat by repeat.
    """
    if point.values["master"] not in AT_MEMORY:
        return processor.run_repeats(platform, point, seed, first, count)
    scenario = Scenario.of(platform, point.values)
    cost.check(scenario)
    run.simulator(scenario)  # raises errors before the first start
    return [run.repeat(scenario, seed, repeat) for repeat in range(first, first + count)]
