"""The anchored rate: the simulated rate, corrected by measurements near it on the same bench.

Near rows are of the point's set-up (`rows.py`) with other bursts, ports and sizes, and of one
bench: the user's own, or else the nearest; what other benches say is only compared. Their errors
ln(measured / simulated) are interpolated (`base/kriging.py`); the correlation of two errors falls
with the distances of `_apart` by the widths in `kernel.toml`. Far from all rows nothing is
anchored. Corrections never cross set-ups: with whole sets left out, that did not help.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import cast

from axiometer.base.kriging import Field
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published import asked, tables
from axiometer.published.anchors import errors, rows
from axiometer.published.bands import bounds
from axiometer.published.bands.band import Band
from axiometer.published.tables import Line, Table

KERNEL = Path(__file__).with_name("kernel.toml")
MOST = 40  # rows for an estimate
NEAR = 0.3
"""Largest share of variance that may remain: above it, ten rows drawn at random show no gain."""
_CHUNK, _PART = 64, 256  # bytes; units of memories and controllers


@dataclass(frozen=True)
class Anchored:
    """A rate in MB/s, its band, the number of measured rows it uses, their tables, and the rates by
    other benches that contradict it, which the band holds, too."""

    rate: float
    half: float
    """Half of the band's width as a logarithm, before the band is limited."""
    band: Band
    rows: int
    cites: tuple[str, ...]
    against: tuple[Anchored, ...] = ()


@dataclass(frozen=True)
class Place:
    """The coordinates of an error: ports, bytes of a burst and of a transfer, use of the wires."""

    ports: tuple[str, ...]
    burst: int
    size: int | None
    full: float


@dataclass(frozen=True)
class Near:
    """A measured row: its place, its error, and its table."""

    at: Place
    error: float
    table: Table


def of(platform: Platform, values: Values, simulated: float) -> Anchored | None:
    """The anchored rate of a point with the total `simulated` (MB/s). Masters must be identical
    (`asked.py`). None where no measurement is near."""
    most = bounds.total(platform, values)
    if platform.overrides or not most or simulated <= 0:
        return None
    keys = asked.of(values, platform)
    if keys is None:
        return None
    own = cast("Values", keys)
    benches: dict[str, list[Near]] = {}
    for table in _tables(platform.name):
        benches.setdefault(table.source, []).extend(_near(table, own, platform))
    size = own.get("transfer_bytes")
    at = Place(tuple(own["ports"]), own["burst_bytes"], size, min(1.0, simulated / most))
    of_each = [
        (not found[0].table.is_own, each.half, each)
        for found in benches.values()
        if found and (each := estimate(at, found, simulated, most, kernel())) is not None
    ]
    if not of_each:
        return None
    (*_, best), *others = sorted(of_each, key=lambda of: of[:2])
    return _beside(best, [each for *_, each in others])


def _beside(best: Anchored, others: Sequence[Anchored]) -> Anchored:
    """The estimate by a bench with those of others: rates outside its band contradict it and widen
    the band."""
    low, high = best.rate * best.band.low, best.rate * best.band.high
    against = tuple(other for other in others if not low <= other.rate <= high)
    ends = [low, high, *(other.rate for other in against)]
    band = replace(best.band, low=min(ends) / best.rate, high=max(ends) / best.rate)
    return replace(best, band=band, against=against)


def estimate(
    at: Place,
    found: Sequence[Near],
    simulated: float,
    most: float,
    widths: Mapping[str, float],
) -> Anchored | None:
    """The anchored rate at a place from rows of its set-up, at most `most` MB/s."""
    alike = sorted(((_alike(at, near.at, widths), n) for n, near in enumerate(found)), reverse=True)
    chosen = [found[n] for _, n in alike[:MOST]]
    between = [[_alike(a.at, b.at, widths) for b in chosen] for a in chosen]
    to = [each for each, _ in alike[:MOST]]
    values = [-near.error for near in chosen]
    mean, explained = Field(between, values, [widths["nugget"]] * len(chosen)).at(to)
    variance = max(0.0, 1.0 - explained)
    if variance > NEAR:
        return None
    room = max(1.0, most / simulated)
    rate = simulated * min(math.exp(mean), room)
    half = widths["spread"] * math.sqrt(variance + widths["nugget"])
    cites = tuple(dict.fromkeys(near.table.cite for near in chosen))
    band = Band(math.exp(-half), math.exp(half), len(chosen), cites).below(rate, most)
    return Anchored(rate, half, band, len(chosen), cites)


@cache
def kernel() -> Mapping[str, float]:
    """The widths of `kernel.toml`, its nugget, and `spread`: the half width, as a logarithm, that
    holds nine of ten rows without a near row."""
    text = tomllib.loads(KERNEL.read_text(encoding="utf-8"))
    return {name: float(value) for name, value in text.items()}


def forget() -> None:
    """Clear the cache after a change of the user's tables."""
    tables.forget()
    for cached in (rows.setups, errors.of):
        cached.cache_clear()


def _tables(board: str) -> Iterator[Table]:
    return (table for table in tables.tables() if table.board == board)


def _near(table: Table, values: Values, platform: Platform) -> Iterator[Near]:
    known = errors.of(table.path)
    if not known:
        return
    for setup in rows.setups(table):
        if setup.has({**values}, platform):
            for line in setup.lines:
                if line.number in known:
                    error = known[line.number]
                    burst = rows.burst_bytes(line, values["width_bits"])
                    usual = values["ports"], values.get("transfer_bytes")
                    yield Near(place(line, burst, error.share, *usual), error.error, table)


def place(
    line: Line, burst: int, share: float, ports: Sequence[str] = (), size: int | None = None
) -> Place:
    """The place of a row of a set-up. burst: its bytes; share: use of its wires (0 to 1); ports,
    size: for a row without them."""
    own, its = line.conditions.get("ports"), line.conditions.get("transfer_bytes")
    return Place(
        tuple(own if isinstance(own, list) else ports),
        burst,
        its if isinstance(its, int) else size,
        share,
    )


def _alike(a: Place, b: Place, widths: Mapping[str, float]) -> float:
    return math.exp(-math.fsum(far * widths[name] for name, far in _apart(a, b)))


def _apart(a: Place, b: Place) -> Iterator[tuple[str, float]]:
    """The distances of two places, by coordinate."""
    yield "burst", abs(math.log2(a.burst / b.burst))
    yield "chunks", abs(_filled(a.burst) - _filled(b.burst))
    yield "tail", abs((a.burst - 1) % _PART - (b.burst - 1) % _PART) / _PART
    yield "ports", float(set(a.ports) != set(b.ports))
    yield "number", float(abs(len(a.ports) - len(b.ports)))
    yield "full", abs(math.log(max(a.full, 1e-3) / max(b.full, 1e-3)))
    if a.size and b.size:
        yield "size", abs(math.log2(a.size / b.size))


def _filled(burst: int) -> float:
    """The filled share of the chunks that a burst touches."""
    return burst / (_CHUNK * math.ceil(burst / _CHUNK))
