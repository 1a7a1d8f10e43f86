"""Checks a simulated gain against measurements.

A change is claimed to raise a rate. Where the point was measured as it is or with the change, the
measurement takes precedence. Used by all advice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from axiometer.published.measured import Measurement

WORTH = 0.01
"""Smallest relative gain that is worth a change."""

Figure = Callable[[Measurement], float | None]
"""Returns the measured rate of a claim in MB/s; None where a row lacks it."""


@dataclass(frozen=True)
class Claim:
    """A change that raises a simulated rate from `before` to `after` (MB/s). `now` and `then` are
    the measured rates of the point as it is and with the change, `rows` their sources."""

    before: float
    after: float
    now: float | None = None
    then: float | None = None
    rows: tuple[Measurement, ...] = ()

    @property
    def simulated(self) -> float:
        """The relative gain from the model alone."""
        return self.after / max(self.before, 1e-9) - 1

    @property
    def gain(self) -> float:
        """The relative gain with measurements: between both measurements if there are two, else at
        most the model's gain."""
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
        """Whether there is a measurement."""
        return self.now is not None or self.then is not None

    @property
    def is_refuted(self) -> bool:
        """Whether there is a simulated gain but none with measurements."""
        return self.is_judged and self.simulated > 0 and self.gain <= WORTH

    @property
    def is_other(self) -> bool:
        """Whether `gain` differs from the simulated gain by more than `WORTH`."""
        return self.is_judged and abs(self.gain - self.simulated) > WORTH


def total(row: Measurement) -> float | None:
    """The rate of all ports and both directions."""
    return row.figures.get("total_MBps")


def slowest(row: Measurement) -> float | None:
    """The rate of the slowest port; None where rates of ports were not measured."""
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
    """The claim that a rate rises from `before` to `after`, with measurements of the point (`now`)
    and of the point with the change (`then`), from one table if possible. A row is never both."""
    firsts = [(row, rate) for row in now if (rate := figure(row)) is not None]
    known = {(row.table.path, row.line) for row, _ in firsts}
    seconds = [
        (row, rate)
        for row in then
        if (row.table.path, row.line) not in known and (rate := figure(row)) is not None
    ]
    for row, rate in firsts:
        for other, reached in seconds:
            if other.table.source == row.table.source:
                return Claim(before, after, rate, reached, (row, other))
    first, second = firsts[:1], seconds[:1]
    rows = tuple(row for row, _ in (*first, *second))
    return Claim(
        before, after, first[0][1] if first else None, second[0][1] if second else None, rows
    )
