"""A scenario with changes: keys of a point, of its masters, and figures of the platform."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from axiometer.base.errors import AxiometerError
from axiometer.experiment import changes
from axiometer.simulate import chip
from axiometer.simulate.scenario import Scenario

MAPPING = "mapping.default"
"""The figure of a platform that `mapping` of a point is laid over."""


def having(scenario: Scenario, keys: Mapping[str, object]) -> Scenario:
    """The scenario with these keys. AxiometerError where it is impossible."""
    platform, values = changes.made(scenario.platform, scenario.values, keys)
    if not all(name in ("mapping", MAPPING) or name.startswith("controller.") for name in keys):
        return Scenario.of(platform, values)
    if MAPPING in keys:
        values = {**values, "mapping": str(keys[MAPPING])}
    return replace(
        scenario,
        platform=platform,
        values=values,
        controller=chip.controller(platform),
        dram=chip.dram(platform, values["mapping"]),
    )


def is_point(scenario: Scenario) -> bool:
    """Whether keys of an experiment describe the whole scenario; not so for masters that advice
    puts on ports."""
    try:
        made = Scenario.of(scenario.platform, scenario.values)
    except (AxiometerError, KeyError):
        return False
    return bool(made.document() == scenario.document())
