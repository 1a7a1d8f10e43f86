"""The fabric's clocks of a run: what was asked for, what is simulated, and what the chip makes.

Streams at the memory's ports run at what is asked for: a design may set the PLL anew, or make its
clock in the fabric. The processor's side runs at what its PLL makes.
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
    """A clock of the fabric in MHz. `typed`: as it was written, None where it is the platform's
    default; `asked`: the rate that was meant by it; `simulated`: what the model has; `makes`: what
    the PLL that is set for the fabric makes of `asked`, None where that is not known;
    `in_fabric`: the fabric makes it, as asked; `by_pll`: it is simulated as the PLL makes it."""

    typed: float | None
    asked: float
    simulated: Fraction
    makes: pl_clock.PlClock | None
    in_fabric: bool
    by_pll: bool


class Asked(Protocol):
    """What has a point's keys: a point, or a row."""

    @property
    def key(self) -> Mapping[str, object]: ...
    @property
    def values(self) -> Values: ...


def of_point(platform: Platform, key: Mapping[str, object], values: Values) -> Clock:
    """The clock of a point, whose `key` has what was typed and `values` what was meant."""
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
    """Those of `points` (each with `key` and `values`), each clock once."""
    seen: dict[tuple[object, float, bool], Clock] = {}
    for point in points:
        by_pll = point.values.get("master", "dma") not in AT_MEMORY
        which = (point.key.get("pl_mhz"), point.values["pl_mhz"], by_pll)
        if which not in seen:
            seen[which] = of_point(platform, point.key, point.values)
    return list(seen.values())
