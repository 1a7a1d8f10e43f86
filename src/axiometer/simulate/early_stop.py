"""A free run that ends as soon as its rate is sure enough for an answer that somebody waits for.

Runs that are kept (`axiometer run`) are measured to 0.5 %; their records never come from here.
"""

from __future__ import annotations

from dataclasses import replace

from axiometer.experiment.values import known
from axiometer.simulate.scenario import Scenario

ENOUGH = 0.02
"""Half of the 95 % interval, as a share of the rate, with which a run may end once its start-up is
over and nothing drifts any more: published rows differ from the model by more."""
MOST_S = 5e-3
"""Simulated time after which a run ends though its rate still changes, which its answer says."""


def ending(scenario: Scenario) -> Scenario:
    """The scenario, measured so; itself where nothing settles (runs by size, masters with times of
    their own)."""
    if scenario.measure is None or not scenario.measure.block:
        return scenario
    duration = min(known(scenario.values["duration_s"]), MOST_S)
    return replace(
        scenario,
        values={**scenario.values, "duration_s": duration},
        measure=replace(scenario.measure, confidence=ENOUGH),
    )
