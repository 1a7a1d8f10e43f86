"""Loads of a design as `[[master]]` tables of an experiment: each with its own port, direction,
bursts, outstanding, and what it asks for.

One rule for all: a port is as the design has it; a load whose narrowest link carries less asks for
what that link carries. Where the chip's model has no multiplexer
behind a port, loads of one direction there have turns, a burst each: together they ask for no more
than the port carries. What one leaves is not given to another then. More loads than the model's
multiplexer takes are one engine, which keeps the bursts of all; each has its turns' part of what it
gets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from axiometer.base.errors import AxiometerError
from axiometer.designs.loads import Load, short_names
from axiometer.designs.model import Design
from axiometer.experiment import masters, turns
from axiometer.experiment.keys import Given
from axiometer.experiment.keys_usp import MAX_MASTERS, runs_freely
from axiometer.experiment.master_tables import MOST, TABLES, tables
from axiometer.platform import Platform, limits

_ALMOST = 1 - 1e-9  # of a rate: what is nearer is the same


@dataclass(frozen=True)
class Asked:
    """What the master of a load is told: its name in records (the same for loads that are one
    engine), width and clock (MHz) of its port, bytes of a burst, bursts outstanding (None: what the
    platform's engines keep), and the MB/s that it asks for (None: as fast as it can)."""

    name: str
    width_bits: int
    pl_mhz: float
    burst_bytes: int
    outstanding: int | None = None
    rate_mbs: float | None = None


def asked(platform: Platform, design: Design, of: Sequence[Load]) -> dict[Load, Asked]:
    """What is told to the master of each load where all of them are at work."""
    links = {port: _link(platform, [o for o in of if o.port == port]) for port in _ports(of)}
    rates = _rates(platform, of, links)
    found = {
        load: Asked(name, *links[load.port], load.burst_bytes, load.outstanding, rates[load])
        for load, name in zip(of, _names(design, of), strict=True)
    }
    for end in dict.fromkeys((load.port, load.direction) for load in of):
        own = [load for load in of if (load.port, load.direction) == end]
        if runs_freely(platform) and len(own) > MAX_MASTERS:
            one = _one_engine(platform, own, found[own[0]])
            found |= dict.fromkeys(own, one)
    return found


def _one_engine(platform: Platform, of: Sequence[Load], first: Asked) -> Asked:
    """Loads of one end as one engine, with the shortest of their bursts."""
    usual = platform.value(f"master.outstanding_{of[0].direction}")
    kept = sum(load.outstanding or usual for load in of)
    wanted, most = sum(load.link_mbs for load in of), first.width_bits / 8 * first.pl_mhz
    return replace(
        first,
        name=f"{first.name}-and-{len(of) - 1}-more",
        burst_bytes=min(load.burst_bytes for load in of),
        outstanding=min(kept, int(limits.of_key("outstanding_read").most)),
        rate_mbs=wanted if wanted < most * _ALMOST else None,
    )


def parts(of: Sequence[Load], rate: float) -> dict[Load, float]:
    """What each of the loads of one end gets of `rate` MB/s: a burst in turn, and no more than its
    link carries."""
    each = turns.bursts_of_each([(o.burst_bytes, o.link_mbs) for o in of], rate)
    return {load: min(load.link_mbs, each * load.burst_bytes) for load in of}


def values(
    platform: Platform, told: Mapping[Load, Asked], duration: str, pl_mhz: float | None = None
) -> dict[str, Any]:
    """The values of a point with these masters, in their order (`experiment/masters.py`).
    AxiometerError where one cannot be simulated."""
    engines: dict[Asked, Load] = {}
    for load, own in told.items():
        engines.setdefault(own, load)
    if len(engines) > MOST:
        raise AxiometerError(
            f"{len(engines)} streams at once, reads and writes counted apart",
            remedy=f"ask for those of some ports, at most {MOST} streams: --ports",
        )
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
        }
        rows.append({key: value for key, value in row.items() if value is not None})
    given = {
        "duration": Given(duration),
        "pl_mhz": Given(pl_mhz or max(own.pl_mhz for own in told.values())),
        TABLES: tables(rows),
    }
    return masters.normalise(given, platform, given_turns=True)


def is_pair(told: Mapping[Load, Asked], one: Load, other: Load) -> bool:
    """Whether two loads move at one rate: a stream joins them, and the model can."""
    same = one.burst_bytes == other.burst_bytes and told[one].pl_mhz == told[other].pl_mhz
    return same and one.direction != other.direction and other.partner == one.master


def _ports(of: Sequence[Load]) -> list[str]:
    return list(dict.fromkeys(load.port for load in of))


def _link(platform: Platform, of: Sequence[Load]) -> tuple[int, float]:
    """Width and clock of the port that these loads are at. Of the platform's widths the narrowest
    that holds the design's, or the next narrower in which every burst is whole beats."""
    most = max(load.port_bits for load in of)
    known = sorted(platform.value(f"port.{of[0].port}.widths"))
    wide = next((w for w in known if w >= most), known[-1])
    whole = [w for w in known if w <= wide and all(o.burst_bytes * 8 % w == 0 for o in of)]
    return whole[-1] if whole else wide, max(load.port_mhz for load in of)


def _rates(
    platform: Platform, of: Sequence[Load], links: Mapping[str, tuple[int, float]]
) -> dict[Load, float | None]:
    found: dict[Load, float | None] = {}
    for load in of:
        width, mhz = links[load.port]
        most = width / 8 * mhz
        at = [o for o in of if (o.port, o.direction) == (load.port, load.direction)]
        own = load.link_mbs
        if not runs_freely(platform):
            each = turns.bursts_of_each([(o.burst_bytes, o.link_mbs) for o in at], most)
            own = min(own, each * load.burst_bytes)
        found[load] = own if own < most * _ALMOST else None
    return found


def _names(design: Design, of: Sequence[Load]) -> list[str]:
    """A name for each load that tables may have: letters, digits, - and _."""
    kept = {load.master for load in of}
    short = short_names([m for m in design.masters if m.name in kept])
    both = [(load.master, load.direction) for load in of]
    found: list[str] = []
    for master, direction in both:
        word = re.sub(r"[^A-Za-z0-9_]+", "-", short[master]).strip("-")
        several = sum(name == master for name, _ in both) > 1
        word = f"{word}-{direction}" if several else word
        word = word if re.match("[A-Za-z]", word) else f"m-{word}"
        number = 2
        name = word
        while name in found:
            name, number = f"{word}-{number}", number + 1
        found.append(name)
    return found
