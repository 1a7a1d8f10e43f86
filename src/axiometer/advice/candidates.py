"""A candidate assigns masters to ports; an outcome has its simulated rates."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from axiometer.platform import Platform

ALIKE = 0.002  # relative difference up to which rates count as equal: such ports are the same


Settings = tuple[tuple[str, object], ...]
"""Values by name, sorted: keys of an experiment ("mapping", "pl_mhz") or paths of the platform
("qos.HP0.mode")."""


@dataclass(frozen=True)
class Candidate:
    """For each master its port and burst, and other settings."""

    ports: tuple[str, ...]
    bursts: tuple[int, ...]
    settings: Settings = ()

    def given(self, name: str) -> object:
        """The value of a setting; None for the platform's value."""
        return dict(self.settings).get(name)

    def on(self, platform: Platform) -> tuple[Platform, dict[str, object]]:
        """As `laid_over`, with its settings."""
        return laid_over(platform, self.settings)

    def having(self, name: str, value: object) -> Candidate:
        """This candidate with another value of a setting (None: the platform's)."""
        rest = [(k, v) for k, v in self.settings if k != name]
        return replace(
            self, settings=tuple(sorted([*rest, (name, value)] if value is not None else rest))
        )


@dataclass(frozen=True)
class Outcome:
    """The simulated result of a candidate. `rates`: MB/s of each master; `latency_ns`: mean of
    each, None without a whole burst in the simulated time; `score`: by the objective, larger is
    better."""

    candidate: Candidate
    rates: tuple[float, ...]
    latency_ns: tuple[float | None, ...]
    score: tuple[float, ...]

    @property
    def total(self) -> float:
        """MB/s of all masters."""
        return sum(self.rates)

    def alike(self, other: Outcome) -> bool:
        """Whether it differs from the other only in ports and settings, with equal results."""
        mine, its = self.candidate, other.candidate
        return mine.bursts == its.bursts and all(
            a == b if a is None or b is None else math.isclose(a, b, rel_tol=ALIKE)
            for a, b in zip(
                (*self.rates, *self.latency_ns), (*other.rates, *other.latency_ns), strict=True
            )
        )


def laid_over(platform: Platform, settings: Settings) -> tuple[Platform, dict[str, object]]:
    """The platform with the settings that are its figures, and the settings that are keys."""
    figures = {name: value for name, value in settings if "." in name}
    keys = {name: value for name, value in settings if "." not in name}
    return (platform.with_overrides(figures) if figures else platform), keys
