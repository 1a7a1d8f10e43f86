"""A free run for interactive answers, which ends as soon as its rate is known well enough.

Saved runs (`axiometer run`) are measured to 0.5 %; their records never come from here.
"""

from __future__ import annotations

from dataclasses import replace

from axiometer.experiment.values import known
from axiometer.simulate.scenario import Scenario

ENOUGH = 0.02
"""Half of the 95 % interval, as a share of the rate, at which a run may end after its start-up and
any drift: published rows differ from the model by more."""
MOST_S = 5e-3
"""Simulated time after which a run ends while its rate still changes; its answer warns of this."""


def ending(scenario: Scenario) -> Scenario:
    """The scenario with this measurement; unchanged if nothing settles (runs by size, masters with
    own times)."""
    if scenario.measure is None or not scenario.measure.block:
        return scenario
    duration = min(known(scenario.values["duration_s"]), MOST_S)
    return replace(
        scenario,
        values={**scenario.values, "duration_s": duration},
        measure=replace(scenario.measure, confidence=ENOUGH),
    )
