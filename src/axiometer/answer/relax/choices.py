"""What a user can set of a chip, tried where what limits is the chip itself: an answer says that
nothing helps only after that.

A choice is a change that can be made as it stands: keys of an experiment and figures of the
platform (registers that boot code programs). Relaxations of what a master does (`USERS`) are the
user's, too, though some need another engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from axiometer.answer.analysis import collect
from axiometer.base.errors import AxiometerError
from axiometer.experiment import master_keys
from axiometer.experiment.keys import PLACEMENTS
from axiometer.experiment.values import having
from axiometer.platform import MAPPINGS
from axiometer.simulate import chip
from axiometer.simulate.scenario import Scenario

CHIPS = frozenset(
    {"fifo", "issue", "path", "queue", "rows", "turnaround", "refresh", "dram_saturated"}
)
"""Causes that are the chip's: who names one has not said yet what a user could change."""
USERS = frozenset({"asked", "master", "burst", "uneven", "placement", "qos", "throttling"})
"""Causes whose relaxation is a user's to make."""
SETTINGS: tuple[tuple[str, Callable[[int], int]], ...] = (
    ("controller.starve_clocks", lambda clocks: clocks * 4),
    ("controller.starve_limit", lambda parts: parts * 4),
    ("controller.run_length", lambda commands: max(1, commands // 2)),
)
"""Registers of the controller that decide how long it stays with reads, or with writes."""


@dataclass(frozen=True)
class Choice:
    """change: keys of an experiment and figures of the platform, with their values; scenario: with
    it made. cause: which one it is a remedy of."""

    cause: str
    change: Mapping[str, object]
    scenario: Scenario


def of(scenario: Scenario) -> Iterator[Choice]:
    """What can be set of a scenario, whole (not one cut short)."""
    for cause, change in _changes(scenario):
        try:
            made = _made(scenario, change)
        except AxiometerError:  # out of what the register takes, or no such point
            continue
        if made.document() != scenario.document():
            yield Choice(cause, change, made)


def _changes(scenario: Scenario) -> Iterator[tuple[str, dict[str, object]]]:
    values = scenario.values
    if _is_point(scenario):
        for placement in PLACEMENTS:
            if placement != values["placement"]:
                yield "placement", {"placement": placement}
        spread = collect.facts(scenario.platform).spread(values["ports"] or ())
        if spread and not master_keys.of(values):
            yield "path", {"ports": spread}
    now = scenario.dram.mapping
    for mapping in MAPPINGS:
        if mapping != now:
            yield "mapping", {"mapping": mapping}
    for figure, change in SETTINGS:
        if scenario.platform.has(figure):
            yield "settings", {figure: change(scenario.platform.whole(figure))}


def _is_point(scenario: Scenario) -> bool:
    """Whether keys of an experiment say all of it; of a design they do not."""
    try:
        made = Scenario.of(scenario.platform, scenario.values)
    except (AxiometerError, KeyError):
        return False
    return bool(made.document() == scenario.document())


def _made(scenario: Scenario, change: Mapping[str, object]) -> Scenario:
    figures = {name: value for name, value in change.items() if "." in name}
    keys = {name: value for name, value in change.items() if "." not in name}
    platform = scenario.platform.with_overrides(figures) if figures else scenario.platform
    values = having(scenario.values, keys)
    if keys.keys() - {"mapping"}:
        return Scenario.of(platform, values)
    return replace(
        scenario,
        platform=platform,
        values=values,
        controller=chip.controller(platform),
        dram=chip.dram(platform, values["mapping"]),
    )
