"""The rates of a point one by one, each with its band."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from axiometer.experiment import master_keys
from axiometer.platform import Platform
from axiometer.published.bands import bounds
from axiometer.published.bands.features import EACH
from axiometer.published.bands.likeness import Band, of_point

LEAST_MBPS = 50.0
"""Rates of one port below are of ports that hardly move: what they are off by says nothing."""

ASKED = {
    "read": ("read", "ps_to_pl", "mixed", "duplex", "pair", "both"),
    "write": ("write", "pl_to_ps", "mixed", "duplex", "pair", "both"),
}
"""Modes of a point and directions of a master that ask for this direction."""


class Rate(NamedTuple):
    """The rate of a port or master in one direction, "read" or "write". MB/s."""

    name: str
    direction: str
    rate: float
    band: Band | None


def each(platform: Platform, values: Mapping[str, Any], stats: Mapping[str, Any]) -> Iterator[Rate]:
    """Port or master, direction, mean MB/s and band of each rate of a point that is asked for, of 0
    also."""
    band = of_point(platform, values, EACH)
    ways = {m["name"]: m["direction"] for m in master_keys.of(values)}
    most = bounds.each(values)
    several = stats.get("by_master") if master_keys.of(values) else stats.get("by_port")
    for name, rates in (several or {}).items():
        for direction in ("read", "write"):
            rate = (rates.get(f"{direction}_MBps") or {}).get("mean")
            asked = ways.get(name) or values.get("mode")
            if rate or (rate is not None and asked in ASKED[direction]):
                known = of_rate(band, rate, most.get((name, direction)))
                yield Rate(name, direction, rate, known)


def of_rate(band: Band | None, rate: float, most: float | None) -> Band | None:
    """The band of one of the rates that have `band`: None of those that hardly move, and no higher
    than `most` MB/s (`bounds.py`)."""
    return None if band is None or rate < LEAST_MBPS else band.below(rate, most)
