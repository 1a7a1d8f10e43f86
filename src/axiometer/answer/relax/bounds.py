"""What a relaxation gives at most, as a share of the rate, where that follows without a run."""

from __future__ import annotations

import math

from axiometer.answer.relax.workload import Records
from axiometer.simulate import program
from axiometer.simulate.scenario import Scenario

REOPENED = 3
"""A refresh costs at most so many times its own length: rows are closed before it, and opened again
after it."""
SPREAD = 2
"""Engines that start at once get in each other's way less or more than those that start in turn."""


def refresh(scenario: Scenario, records: Records) -> float:
    """By the share of time that refreshes take."""
    timing = scenario.dram.timing
    return _without(REOPENED * timing.tRFC / max(1, timing.tREFI))


def launch(scenario: Scenario, records: Records) -> float:
    """By the share of time that starts and looks for the end take; of runs by size no bound, as a
    user is said what larger ones give."""
    values = scenario.values
    if values["transfer_bytes"] is not None or not records:
        return math.inf
    by = program.of(scenario.platform, values)
    starts = (by.takes(len(values["ports"])) + (values["skew_us"] or 0.0)) * 1e-6
    return _without(SPREAD * starts / min(record["elapsed_s"] for record in records))


def _without(share: float) -> float:
    """What is gained if this share of the time is spared."""
    return share / (1 - share) if share < 1 else math.inf
