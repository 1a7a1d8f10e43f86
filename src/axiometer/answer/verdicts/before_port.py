"""The blocks between masters and their ports (`experiment/between.py`), and their cost: the same
point is simulated without them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from axiometer.experiment import between, listed
from axiometer.experiment.values import Values, having

SAID = 0.01
"""A smaller share of the rate is not reported."""


@dataclass(frozen=True)
class BeforePort:
    """words: the blocks; without_MBps: the rate without them; gain: its increase, as a share of the
    rate with them."""

    words: str
    without_MBps: float  # noqa: N815 - as records call it
    gain: float

    @property
    def is_multiple(self) -> bool:
        """Whether the rate without it is twice as much or more."""
        return self.gain >= 1


def words(values: Values) -> str:
    """The blocks before the ports of a point, in words; "" where there are none."""
    return in_words([values.get("through"), *(m.get("through") for m in listed.masters(values))])


def in_words(through: Iterable[str | None]) -> str:
    """Several values of `through` in words, each once."""
    return "; ".join(dict.fromkeys(between.words(text) for text in through if text))


def removed(values: Values) -> Values:
    """The point with nothing before its ports."""
    return listed.having(having(values, {"through": None}), lambda _: {"through": None})


def judged(named: str, mean: float, without: float) -> BeforePort | None:
    """The cost of the blocks `named`, from the mean MB/s with and without them; None where it is
    below `SAID`."""
    gain = without / mean - 1 if mean > 0 else 0.0
    return BeforePort(named, without, gain) if abs(gain) > SAID else None
