"""The largest possible gain of a relaxation, as a share of the rate, where it needs no run."""

from __future__ import annotations

import math

from axiometer.answer.relax.workload import Records
from axiometer.simulate import program
from axiometer.simulate.scenario import Scenario

REOPENED = 3
"""A refresh costs at most so many times its own length: rows are closed before it, and opened again
after it."""
SPREAD = 2
"""Margin: engines that start together may disturb each other less or more than in turn."""


def refresh(scenario: Scenario, records: Records) -> float:
    """From the share of time of refreshes."""
    timing = scenario.dram.timing
    return _without(REOPENED * timing.tRFC / max(1, timing.tREFI))


def launch(scenario: Scenario, records: Records) -> float:
    """From the share of time of starts and of the detection of the end. Runs by size have no bound:
    their simulated gain is the advice to use larger transfers."""
    values = scenario.values
    if values["transfer_bytes"] is not None or not records:
        return math.inf
    by = program.of(scenario.platform, values)
    starts = (by.takes(len(values["ports"])) + (values["skew_us"] or 0.0)) * 1e-6
    return _without(SPREAD * starts / min(record["elapsed_s"] for record in records))


def _without(share: float) -> float:
    """The gain if this share of the time is saved."""
    return share / (1 - share) if share < 1 else math.inf
