"""The model backend: runs repeats of a point on the simulated chip."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.runs.backends import processor
from axiometer.simulate import cost, run
from axiometer.simulate.scenario import Scenario


def prepare(platform: Any, points: Iterable[Any]) -> None:
    """AxiometerError if one of `points` would take longer than there is time for."""
    kinds = ("transfer_bytes", "duration_s", "burst_bytes", "gap_cycles", "skew_us", "pl_mhz")
    seen = set()
    for point in points:
        of = point.values
        kind = (len(of["ports"]), *(of[name] for name in kinds))
        if of["master"] in AT_MEMORY and kind not in seen:
            seen.add(kind)
            cost.check(Scenario.of(platform, of))


def run_repeats(
    platform: Any, point: Any, seed: int, first: int, count: int
) -> list[dict[str, Any]]:
    """Records of repeats `first` to `first + count - 1` of `point` on `platform`.

    What the chip does not fix (when the processor starts each DMA, where the refresh stands)
    is drawn from (seed, repeat) alone, so that points can be compared repeat by repeat.
    """
    if point.values["master"] not in AT_MEMORY:
        return processor.run_repeats(platform, point, seed, first, count)
    scenario = Scenario.of(platform, point.values)
    cost.check(scenario)
    run.simulator(scenario)  # or it is refused, before any start is
    return [run.repeat(scenario, seed, repeat) for repeat in range(first, first + count)]
