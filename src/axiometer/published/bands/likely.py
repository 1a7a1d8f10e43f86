"""The band of a rate on the point's bench, or on a bench without measurements."""

from __future__ import annotations

import math
from collections.abc import Mapping

from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.platform.targets import DRAM
from axiometer.published.bands import benches, bounds, features, spread
from axiometer.published.bands.band import Band
from axiometer.published.bands.features import TOTAL
from axiometer.published.bands.spread import Kind

BY_HAND = "figures set by hand"


def of_total(platform: Platform, values: Values, rate: float) -> Band | None:
    """The band of a point's total `rate` (MB/s), up to its limit (`bounds.py`)."""
    return of_rate(platform, values, rate, bounds.total(platform, values))


def of_rate(
    platform: Platform,
    values: Values,
    rate: float | None,
    most: float | None,
    what: str = TOTAL,
) -> Band | None:
    """The band of a rate of a point, at most `most` (MB/s): of its total, or of one port or master
    in one direction (`features.EACH`). Without a rate, wires count as not full. None for a chip
    without measurements."""
    point = features.of(platform, values, what)
    nearest = benches.nearest(benches.shipped(), platform.name, point)
    if nearest is None:
        return None
    bench, lacks = nearest
    if platform.overrides:
        lacks = (*lacks, platform.target.upper() if platform.target != DRAM else BY_HAND)
    share = None if rate is None or not most else rate / most
    of = spread.kind(values, point, share)
    found = half_width(spread.shipped(), of, "" if lacks else bench.source, spread.levels())
    sources = (bench.source,) if not lacks else _others()
    rows = bench.rows if not lacks else sum(cell.rows for cell in spread.shipped().cells)
    band = Band(math.exp(-found), math.exp(found), rows, sources, lacks)
    return band if rate is None else band.below(rate, most)


def half_width(known: spread.Spread, of: Kind, source: str, level: Mapping[str, float]) -> float:
    """Half the width of a kind's band as a logarithm: in a new set of a `source`, or on a new bench
    ("")."""
    mean, deviation = known.at(of, source)
    name = "set" if source else "bench_odd" if spread.is_odd(of) else "bench"
    return math.exp(mean + level[name] * deviation)


def _others() -> tuple[str, ...]:
    return tuple(dict.fromkeys(cell.source for cell in spread.shipped().cells))
