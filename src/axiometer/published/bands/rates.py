"""The single rates of a point, each with its band."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from axiometer.experiment import directions, listed
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published.bands import bounds
from axiometer.published.bands.band import Band
from axiometer.published.bands.features import EACH
from axiometer.published.bands.likely import of_rate as of_any

LEAST_MBPS = 50.0
"""Lower rates of a port are of starved ports, whose errors have no meaning."""


class Rate(NamedTuple):
    """The rate of a port or master in one direction, "read" or "write". MB/s."""

    name: str
    direction: str
    rate: float
    band: Band | None


def each(
    platform: Platform, values: Values, means: Iterable[tuple[str, str, float | None]]
) -> Iterator[Rate]:
    """Each requested rate of a point, including 0, with its band. means: port or master, direction
    and mean MB/s."""
    ways = {m["name"]: m["direction"] for m in listed.masters(values)}
    most = bounds.each(values)
    for name, direction, rate in means:
        asked = ways.get(name) or values.get("mode") or ""
        if rate or (rate is not None and direction in directions.ways(asked)):
            band = of_rate(platform, values, rate, most.get((name, direction)))
            yield Rate(name, direction, rate, band)


def of_rate(
    platform: Platform, values: Values, rate: float, most: float | None, what: str = EACH
) -> Band | None:
    """The band of one of a point's rates, or of its total (`features.TOTAL`), at most `most` MB/s
    (`bounds.py`); None for starved ports."""
    return None if rate < LEAST_MBPS else of_any(platform, values, rate, most, what)
