"""Loads of a design as `[[master]]` tables of an experiment: each with its own port, direction,
bursts, outstanding bursts and requested rate.

Each port has the design's width and clock. A load with a slower link before its port requests the
peak of that link. Where the chip's model has no multiplexer behind a port, loads of one direction
take turns, a burst each, and together request no more than the port's peak; a load does not get
what another leaves. More loads than the model's multiplexer supports, or than a point has masters,
become one engine with the outstanding bursts of all; each load gets its share of the turns.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from axiometer.designs.plan import Load, Plan
from axiometer.experiment import master_points, turns
from axiometer.experiment.keys import Given
from axiometer.experiment.keys_shared import MAX_MASTERS, runs_freely
from axiometer.experiment.master_tables import MOST, TABLES, tables
from axiometer.experiment.values import Values
from axiometer.platform import Platform, limits

MOST_OUTSTANDING = int(limits.of_key("outstanding_read").most or limits.MOST)
_ALMOST = 1 - 1e-9  # a rate above this share of the peak is the peak


@dataclass(frozen=True)
class Asked:
    """The settings of a load's master: its name in records (the same for loads that are one
    engine), width and clock (MHz) of its port, bytes of a burst, outstanding bursts (None: the
    default of the platform's masters), requested MB/s (None: unlimited), and the blocks before its
    port."""

    name: str
    width_bits: int
    pl_mhz: float
    burst_bytes: int
    outstanding: int | None = None
    rate_mbs: float | None = None
    through: str | None = None


def asked(platform: Platform, plan: Plan) -> dict[Load, Asked]:
    """The settings of each load's master where all loads run together."""
    of = plan.loads
    at: dict[str, list[Load]] = {}
    ends: dict[tuple[str, str], list[Load]] = {}
    for load in of:
        at.setdefault(load.port, []).append(load)
        ends.setdefault((load.port, load.direction), []).append(load)
    links = {port: _link(platform, own) for port, own in at.items()}
    rates = {load: rate for own in ends.values() for load, rate in _rates(platform, own, links)}
    found = {
        load: Asked(
            *(name, *links[load.port], load.burst_bytes, load.outstanding, rates[load]),
            through=load.through,
        )
        for load, name in zip(of, _names(plan), strict=True)
    }
    engines = len(found)
    for own in sorted(ends.values(), key=len, reverse=True):
        if engines > MOST or (runs_freely(platform) and len(own) > MAX_MASTERS):
            found |= dict.fromkeys(own, _one_engine(platform, own, found[own[0]]))
            engines -= len(own) - 1
    return found


def _one_engine(platform: Platform, of: Sequence[Load], first: Asked) -> Asked:
    """Loads of one port and direction as one engine, with the shortest of their bursts."""
    usual = platform.whole(f"master.outstanding_{of[0].direction}")
    kept = sum(load.outstanding or usual for load in of)
    wanted, most = sum(load.link_mbs for load in of), first.width_bits / 8 * first.pl_mhz
    return replace(
        first,
        name=f"{first.name}-and-{len(of) - 1}-more",
        burst_bytes=min(load.burst_bytes for load in of),
        outstanding=min(kept, MOST_OUTSTANDING),
        rate_mbs=wanted if wanted < most * _ALMOST else None,
    )


def parts(of: Sequence[Load], rate: float) -> dict[Load, float]:
    """The MB/s that each load of one port and direction gets of `rate` MB/s: the loads take turns,
    a burst each, up to the peak of their links."""
    each = turns.bursts_of_each([(o.burst_bytes, o.link_mbs) for o in of], rate)
    return {load: min(load.link_mbs, each * load.burst_bytes) for load in of}


def values(
    platform: Platform, requests: Mapping[Load, Asked], duration: str, pl_mhz: float | None = None
) -> Values:
    """The values of a point with these masters, in their order (`experiment/master_points.py`).
    AxiometerError where one cannot be simulated."""
    engines: dict[Asked, Load] = {}
    for load, own in requests.items():
        engines.setdefault(own, load)
    rows = []
    for own, load in engines.items():
        row = {
            "kind": "engine",
            "name": own.name,
            "port": load.port,
            "direction": load.direction,
            "width_bits": own.width_bits,
            "pl_mhz": own.pl_mhz,
            "burst_bytes": own.burst_bytes,
            "outstanding": own.outstanding,
            "rate_mbs": own.rate_mbs,
            "through": own.through,
        }
        rows.append({key: value for key, value in row.items() if value is not None})
    given = {
        "duration": Given(duration),
        "pl_mhz": Given(pl_mhz or max(own.pl_mhz for own in requests.values())),
        TABLES: tables(rows),
    }
    return master_points.normalise(given, platform, given_turns=True)


def halves(requests: Mapping[Load, Asked]) -> dict[Load, tuple[Load, bool]]:
    """For each load that a stream joins with another load of `requests`: that load, and whether
    both have the same bursts and clock, and an engine each, as the model's pairs require."""
    found = {}
    sharing = Counter(requests.values())
    for load, own in requests.items():
        ends = (o for o in requests if o.master == load.partner and o.direction != load.direction)
        other = next(ends, None)
        if other is not None:
            same = load.burst_bytes == other.burst_bytes and own.pl_mhz == requests[other].pl_mhz
            alone = sharing[own] == sharing[requests[other]] == 1
            found[load] = other, same and alone and other.partner == load.master
    return found


def coupled(platform: Platform, plan: Plan) -> int:
    """The number of loads that are halves of pairs, which move at one rate. A pair with bursts of
    two sizes is not modelled."""
    return sum(pair for _, pair in halves(asked(platform, plan)).values())


def _link(platform: Platform, of: Sequence[Load]) -> tuple[int, float]:
    """Width (bits) and clock (MHz) of the port of these loads. The width is the platform's
    narrowest that holds the design's, or the next narrower in which all bursts are whole beats."""
    most = max(load.port_bits for load in of)
    known = sorted(platform.wholes(f"port.{of[0].port}.widths"))
    wide = next((w for w in known if w >= most), known[-1])
    whole = [w for w in known if w <= wide and all(o.burst_bytes * 8 % w == 0 for o in of)]
    return whole[-1] if whole else wide, max(load.port_mhz for load in of)


def _rates(
    platform: Platform, of: Sequence[Load], links: Mapping[str, tuple[int, float]]
) -> Iterator[tuple[Load, float | None]]:
    """Each load of one port and direction with its requested MB/s (None: unlimited)."""
    width, mhz = links[of[0].port]
    most = width / 8 * mhz
    each = math.inf
    if not runs_freely(platform):
        each = turns.bursts_of_each([(o.burst_bytes, o.link_mbs) for o in of], most)
    for load in of:
        own = min(load.link_mbs, each * load.burst_bytes)
        yield load, own if own < most * _ALMOST else None


def _names(plan: Plan) -> list[str]:
    """A name for each load with the characters that tables allow: letters, digits, - and _."""
    short = plan.asked.names()
    found: list[str] = []
    for load in plan.loads:
        word = re.sub(r"[^A-Za-z0-9_]+", "-", short[load.master]).strip("-")
        several = sum(other.master == load.master for other in plan.loads) > 1
        word = f"{word}-{load.direction}" if several else word
        word = word if re.match("[A-Za-z]", word) else f"m-{word}"
        number = 2
        name = word
        while name in found:
            name, number = f"{word}-{number}", number + 1
        found.append(name)
    return found
