"""The fabric's clocks of a run: the requested, the simulated, and the chip's rate.

Streams at the memory's ports run at the requested rate: a design may reprogram the PLL, or make its
clock in the fabric. The processor's side runs at the rate that its PLL makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from axiometer.base import clocks
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.values import Values
from axiometer.platform import Platform, pl_clock
from axiometer.simulate import transfer


@dataclass(frozen=True)
class Clock:
    """A clock of the fabric in MHz. `typed`: as the user wrote it, None for the platform's default;
    `asked`: the requested rate; `simulated`: the model's rate; `makes`: the rates of the fabric's
    PLL near `asked`, None where they are not known; `in_fabric`: the fabric makes the clock, as
    requested; `by_pll`: the clock is simulated as the PLL makes it."""

    typed: float | None
    asked: float
    simulated: Fraction
    makes: pl_clock.PlClock | None
    in_fabric: bool
    by_pll: bool


class Asked(Protocol):
    """An object with a point's keys: a point, or a row."""

    @property
    def key(self) -> Mapping[str, object]: ...
    @property
    def values(self) -> Values: ...


def of_point(platform: Platform, key: Mapping[str, object], values: Values) -> Clock:
    """The clock of a point: `key` has the typed rate, `values` the requested one."""
    asked, by_pll = values["pl_mhz"], values.get("master", "dma") not in AT_MEMORY
    simulated = transfer.pl_mhz(platform, asked) if by_pll else clocks.exact(asked)
    figure = "processor.clocks.pl_pll" if by_pll else "clocks.pl_pll_mhz"
    typed = key.get("pl_mhz")
    return Clock(
        typed if isinstance(typed, int | float) else None,
        asked,
        simulated,
        pl_clock.of(platform, asked, figure),
        pl_clock.comes_from_the_fabric(platform),
        by_pll,
    )


def of_points(platform: Platform, points: Iterable[Asked]) -> list[Clock]:
    """The clocks of `points`, each once."""
    seen: dict[tuple[object, float, bool], Clock] = {}
    for point in points:
        by_pll = point.values.get("master", "dma") not in AT_MEMORY
        which = (point.key.get("pl_mhz"), point.values["pl_mhz"], by_pll)
        if which not in seen:
            seen[which] = of_point(platform, point.key, point.values)
    return list(seen.values())
