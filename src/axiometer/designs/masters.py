"""The masters of a design as a list: the rows that `[[master]]` tables, `--master` and
`axm.expect(masters=...)` take.

A row is a master of the design; one whose reads and writes differ has a row for each. Each port has
the design's width and clock. A master with a slower link before its port requests the peak of that
link. Masters that a stream joins are partners, where the model can join them. More masters of one
port and direction than the model has are one row, whose rate they share in turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from axiometer.base.errors import AxiometerError
from axiometer.designs.model import Design
from axiometer.designs.plan import Load, Plan
from axiometer.experiment.keys_shared import MAX_MASTERS, runs_freely
from axiometer.experiment.master_tables import MOST, TABLES
from axiometer.experiment.points import Point, single
from axiometer.platform import Platform, limits

MOST_OUTSTANDING = limits.most_of_key("outstanding_read")
_LONGEST = 64
_ALMOST = 1 - 1e-9  # a rate above this share of the peak is the peak

Row = Mapping[str, object]


@dataclass(frozen=True)
class Masters:
    """The masters of a plan on a platform. `rows`: by name; `of`: the name of each load's row;
    `pl_mhz`: the fastest clock of their ports; `joined`: the loads that are halves of a pair;
    `apart`: those that a stream joins, but that are independent in the list."""

    platform: Platform
    rows: Mapping[str, Row]
    of: Mapping[Load, str]
    pl_mhz: float
    joined: tuple[Load, ...]
    apart: tuple[Load, ...]

    def sharing(self, name: str) -> list[Load]:
        """The loads that are this row."""
        return [load for load, own in self.of.items() if own == name]

    def point(self, keys: Mapping[str, object] | None = None) -> Point:
        """The point of this list, with further `keys` of an experiment. AxiometerError where the
        platform cannot run it."""
        usual = self.platform.number("clocks.pl_mhz") == self.pl_mhz
        clock = {} if usual else {"pl_mhz": self.pl_mhz}
        tables = [{"kind": "engine", "name": name, **row} for name, row in self.rows.items()]
        return single(self.platform, {TABLES: tables, **clock, **(keys or {})})


def _idle(design: Design) -> str:
    """Why no master of a design moves data."""
    named = "; ".join(f"{m.name} is {m.role}, {m.title}" for m in design.masters)
    idle = f"no master moves data ({named})" if named else "it has no known master"
    return design.undriven or idle


def of(platform: Platform, plan: Plan) -> Masters:
    """The list of all masters of a plan. AxiometerError if none of them has a load."""
    if not plan.loads:
        raise AxiometerError(
            f"{plan.design.name} has no rates to expect: "
            + ("; ".join(plan.left_out) or _idle(plan.design)),
            file=plan.design.file,
            remedy="read the design with: axiometer import design FILE",
        )
    plan = plan.asked.in_order(platform.ports)
    links = {load.port: _link(platform, plan.loads, load.port) for load in plan.loads}
    pl_mhz = max(mhz for _, mhz in links.values())
    keys = {load: _keys(platform, load, *links[load.port], pl_mhz) for load in plan.loads}
    groups = list(_groups(platform, plan, keys))
    rows: dict[str, Row] = {}
    names: dict[Load, str] = {}
    for name, loads in zip(_names(plan, groups), groups, strict=True):
        names |= dict.fromkeys(loads, name)
        own = _one_engine(platform, loads, keys) if _is_shared(loads) else keys[loads[0]]
        rows[name] = {"direction": _direction(platform, loads), **own}
    shared = {load for loads in groups if _is_shared(loads) for load in loads}
    joined, apart = [], []
    for load in plan.loads:
        other = _other_end(plan.loads, load)
        if other is None:
            continue
        one = rows[names[load]]["direction"] == "pair"
        same = load.burst_bytes == other.burst_bytes and links[load.port][1] == links[other.port][1]
        alone = not {load, other} & shared and other.partner == load.master
        ends = same and alone and names[load] != names[other]
        if not one and not (ends and platform.has("master.loopback_bytes")):
            apart.append(load)
            continue
        joined.append(load)
        if not one and load.direction == "write":
            rows[names[load]] = {**rows[names[load]], "partner": names[other]}
    return Masters(platform, _writers_first(rows), names, pl_mhz, tuple(joined), tuple(apart))


def coupled(platform: Platform, plan: Plan) -> int:
    """The number of loads that are halves of pairs, which move at one rate. A pair with bursts of
    two sizes is not modelled."""
    return len(of(platform, plan).joined) if plan.loads else 0


def _link(platform: Platform, loads: Sequence[Load], port: str) -> tuple[int, float]:
    """Width (bits) and clock (MHz) of a port of these loads. The width is the platform's narrowest
    that holds the design's, or the next narrower in which all bursts are whole beats."""
    own = [load for load in loads if load.port == port]
    most = max(load.port_bits for load in own)
    known = sorted(platform.wholes(f"port.{port}.widths"))
    wide = next((w for w in known if w >= most), known[-1])
    whole = [w for w in known if w <= wide and all(o.burst_bytes * 8 % w == 0 for o in own)]
    return whole[-1] if whole else wide, max(load.port_mhz for load in own)


def _keys(platform: Platform, load: Load, width: int, mhz: float, pl_mhz: float) -> Row:
    """The keys of a load's row, without its direction; those at the platform's defaults left
    out."""
    usual = platform.whole(f"master.outstanding_{load.direction}", None)
    keys = {
        "port": load.port,
        "width_bits": width,
        "pl_mhz": None if mhz == pl_mhz else mhz,
        "burst_bytes": load.burst_bytes,
        "outstanding": None if load.outstanding == usual else load.outstanding,
        "rate_mbs": load.link_mbs if load.link_mbs < width / 8 * mhz * _ALMOST else None,
        "through": load.through,
    }
    return {key: value for key, value in keys.items() if value is not None}


def _groups(platform: Platform, plan: Plan, keys: Mapping[Load, Row]) -> Iterator[tuple[Load, ...]]:
    """The loads of each row."""
    ends: dict[tuple[str, str], list[Load]] = {}
    for load in plan.loads:
        ends.setdefault((load.port, load.direction), []).append(load)
    rows = len(plan.loads)
    crowded: dict[Load, tuple[Load, ...]] = {}
    for own in sorted(ends.values(), key=len, reverse=True):
        if rows > MOST or (runs_freely(platform) and len(own) > MAX_MASTERS):
            crowded |= dict.fromkeys(own, tuple(own))
            rows -= len(own) - 1
    for master in plan.masters:
        own = [load for load in master.loads if load not in crowded]
        alike = len(own) == 2 and keys[own[0]] == keys[own[1]]
        yield from [tuple(own)] if alike else [(load,) for load in own]
        yield from (of for load in master.loads if (of := crowded.get(load, ())) and of[0] == load)


def _is_shared(loads: Sequence[Load]) -> bool:
    return len({load.master for load in loads}) > 1


def _one_engine(platform: Platform, loads: Sequence[Load], keys: Mapping[Load, Row]) -> Row:
    """Loads of one port and direction as one engine, with the shortest of their bursts."""
    first = keys[loads[0]]
    usual = platform.whole(f"master.outstanding_{loads[0].direction}")
    kept = sum(load.outstanding or usual for load in loads)
    wanted = sum(load.link_mbs for load in loads)
    most = loads[0].port_bits / 8 * loads[0].port_mhz
    rate = {"rate_mbs": wanted} if wanted < most * _ALMOST else {}
    return {
        **{key: value for key, value in first.items() if key != "rate_mbs"},
        "burst_bytes": min(load.burst_bytes for load in loads),
        "outstanding": min(kept, MOST_OUTSTANDING),
        **rate,
    }


def _direction(platform: Platform, loads: Sequence[Load]) -> str:
    if len({load.direction for load in loads}) == 1:
        return loads[0].direction
    copies = loads[0].partner == loads[0].master and platform.has("master.loopback_bytes")
    return "pair" if copies else "both"


def _other_end(loads: Sequence[Load], load: Load) -> Load | None:
    ends = (o for o in loads if o.master == load.partner and o.direction != load.direction)
    return next(ends, None)


def _writers_first(rows: Mapping[str, Row]) -> dict[str, Row]:
    """The rows with the writing half of a pair before the reading one, so that it is ready for
    data."""
    writers = {row["partner"]: name for name, row in rows.items() if "partner" in row}
    names = dict.fromkeys(each for name in rows for each in (writers.get(name, name), name))
    return {name: rows[name] for name in names}


def _names(plan: Plan, groups: Sequence[Sequence[Load]]) -> list[str]:
    """A name for each row with the characters that tables allow: letters, digits, - and _."""
    short = plan.names(_LONGEST)
    found: list[str] = []
    for loads in groups:
        word = re.sub(r"[^A-Za-z0-9_]+", "-", short[loads[0].master]).strip("-")
        several = sum(other[0].master == loads[0].master for other in groups) > 1
        word = f"{word}-{loads[0].direction}" if several else word
        word = word if re.match("[A-Za-z]", word) else f"m-{word}"
        word = f"{word}-and-{len(loads) - 1}-more" if _is_shared(loads) else word
        number, name = 2, word
        while name in found:
            name, number = f"{word}-{number}", number + 1
        found.append(name)
    return found
