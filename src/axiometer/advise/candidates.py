"""A way to put masters on ports, and what it gives."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from axiometer.platform import Platform

ALIKE = 0.002  # rates that differ by no more, as a share, are of equals: ports that are the same


@dataclass(frozen=True)
class Candidate:
    """A way to do it: for each master its port and burst, and other settings by their names: keys
    of an experiment ("mapping", "pl_mhz") or paths of the platform ("qos.HP0.mode")."""

    ports: tuple[str, ...]
    bursts: tuple[int, ...]
    settings: tuple[tuple[str, object], ...] = ()

    def given(self, name: str) -> object:
        """The value of a setting; None if it is as the platform has it."""
        return dict(self.settings).get(name)

    def on(self, platform: Platform) -> tuple[Platform, dict[str, object]]:
        """The platform with the settings that are its figures, and those that are keys."""
        figures = {name: value for name, value in self.settings if "." in name}
        keys = {name: value for name, value in self.settings if "." not in name}
        return (platform.with_overrides(figures) if figures else platform), keys

    def having(self, name: str, value: object) -> Candidate:
        """This one with another value of a setting (None: as the platform has it)."""
        rest = [(k, v) for k, v in self.settings if k != name]
        return replace(
            self, settings=tuple(sorted([*rest, (name, value)] if value is not None else rest))
        )


@dataclass(frozen=True)
class Outcome:
    """What a candidate gives, simulated. `rates`: MB/s of each master; `latency_ns`: mean of
    each; `score`: by the objective, larger is better."""

    candidate: Candidate
    rates: tuple[float, ...]
    latency_ns: tuple[float, ...]
    score: tuple[float, ...]

    @property
    def total(self) -> float:
        """MB/s of all masters."""
        return sum(self.rates)

    def alike(self, other: Outcome) -> bool:
        """Whether it differs from the other by its ports only, and by nothing that it gives."""
        mine, its = self.candidate, other.candidate
        return replace(mine, ports=its.ports) == its and all(
            math.isclose(a, b, rel_tol=ALIKE)
            for a, b in zip(
                (*self.rates, *self.latency_ns), (*other.rates, *other.latency_ns), strict=True
            )
        )
