"""Whether what was measured leaves anything of a gain that the model promises.

A change is claimed to raise a rate; where somebody measured the point as it is, or with the change,
the measurement is what counts. Used by everything that advises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from axiometer.published.measured import Measurement

WORTH = 0.01
"""Least gain that is worth a change, as a share."""

Figure = Callable[[Measurement], float | None]
"""The measured rate that a claim is about, MB/s; None where a row does not have it."""


@dataclass(frozen=True)
class Claim:
    """A change that was simulated to raise a rate from `before` to `after` (MB/s); `now` and `then`
    are what was measured of the point as it is and with the change, and `rows` whose they are."""

    before: float
    after: float
    now: float | None = None
    then: float | None = None
    rows: tuple[Measurement, ...] = ()

    @property
    def simulated(self) -> float:
        """The gain by the model alone, as a share."""
        return self.after / max(self.before, 1e-9) - 1

    @property
    def gain(self) -> float:
        """The gain that is left by what was measured: measured against measured, else no more than
        the model says."""
        if self.now is not None and self.then is not None:
            return self.then / max(self.now, 1e-9) - 1
        if self.now is not None:
            return min(self.simulated, self.after / max(self.now, 1e-9) - 1)
        if self.then is not None:
            return min(self.simulated, self.then / max(self.before, 1e-9) - 1)
        return self.simulated

    @property
    def both(self) -> bool:
        """Whether the point was measured as it is and with the change."""
        return self.now is not None and self.then is not None

    @property
    def is_judged(self) -> bool:
        """Whether anything was measured."""
        return self.now is not None or self.then is not None

    @property
    def is_refuted(self) -> bool:
        """Whether a gain is simulated, and by what was measured none is left."""
        return self.is_judged and self.simulated > 0 and self.gain <= WORTH

    @property
    def is_other(self) -> bool:
        """Whether another gain is left than is simulated, by more than `WORTH`."""
        return self.is_judged and abs(self.gain - self.simulated) > WORTH


def total(row: Measurement) -> float | None:
    """The rate of all ports and both directions."""
    return row.figures.get("total_MBps")


def slowest(row: Measurement) -> float | None:
    """The rate of the port that gets least; None where rates of ports were not measured."""
    ports = row.conditions.get("ports")
    if isinstance(ports, list) and len(ports) == 1:
        return total(row)
    rates = [of["total_MBps"] for of in row.by_port.values() if "total_MBps" in of]
    return min(rates, default=None)


def claim(
    before: float,
    after: float,
    now: Sequence[Measurement],
    then: Sequence[Measurement] = (),
    figure: Figure = total,
) -> Claim:
    """The claim that a rate rises from `before` to `after`, with what was measured of the point
    (`now`) and of the point with the change (`then`); of both, rows of one table where there are
    such."""
    firsts = [(row, rate) for row in now if (rate := figure(row)) is not None]
    seconds = [(row, rate) for row in then if (rate := figure(row)) is not None]
    for row, rate in firsts:
        for other, reached in seconds:
            if other.table.source == row.table.source:
                return Claim(before, after, rate, reached, (row, other))
    first, second = firsts[:1], seconds[:1]
    rows = tuple(row for row, _ in (*first, *second))
    return Claim(
        before, after, first[0][1] if first else None, second[0][1] if second else None, rows
    )
