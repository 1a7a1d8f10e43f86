"""What stands between masters and their ports (`experiment/between.py`), and what it costs: the
same point without it, simulated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from axiometer.experiment import between, master_keys
from axiometer.experiment.values import Master, Values, having

SAID = 0.01
"""A smaller part of the rate is not said."""


@dataclass(frozen=True)
class BeforePort:
    """words: what stands there; without_MBps: the rate without it; gain: what it is more, as a
    share of the rate with it."""

    words: str
    without_MBps: float  # noqa: N815 - as records call it
    gain: float

    @property
    def is_multiple(self) -> bool:
        """Whether the rate without it is twice as much or more."""
        return self.gain >= 1


def words(values: Values) -> str:
    """What stands before the ports of a point, in words; "" where nothing does."""
    told = [values.get("through"), *(m.get("through") for m in master_keys.of(values))]
    return in_words(told)


def in_words(told: Iterable[str | None]) -> str:
    """Several values of `through` in words, each once."""
    return "; ".join(dict.fromkeys(between.words(text) for text in told if text))


def removed(values: Values) -> Values:
    """The point with nothing before its ports."""
    masters = [cast("Master", {**m, "through": None}) for m in master_keys.of(values)]
    tables = {"masters": tuple(map(master_keys.Frozen, masters))} if masters else {}
    return having(values, {"through": None, **tables})


def judged(named: str, mean: float, without: float) -> BeforePort | None:
    """What is said of MB/s with what is so `named` and without; None where that is little."""
    gain = without / mean - 1 if mean > 0 else 0.0
    return BeforePort(named, without, gain) if abs(gain) > SAID else None
