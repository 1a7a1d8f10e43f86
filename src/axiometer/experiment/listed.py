"""The masters at the memory of any point as one list, however the point states them: as
`[[master]]` tables, or as engines that `ports`, `mode` and `masters_per_port` name. Behind the
door, this list is the only form of a question.

Not for: masters of the processor's side that have a point to themselves (`simulate/transfer.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from axiometer.experiment.directions import MODE_OF, OF_MODE
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.master_keys import KEYS, OWN, Frozen, directions, is_half, of, outstanding
from axiometer.experiment.values import Master, Values

_ENGINE = "engine"
_NONE = dict.fromkeys((*KEYS, *OWN))
_SAME = ("width_bits", "pl_mhz", "burst_bytes", "gap_cycles", "pattern", "through")
_BY_ITSELF = ("rate_mbs", "region", "base", "start_us", "stop_us", "engine")
"""Keys that only a master of a list has, and not the engines that keys name."""


def masters(values: Values) -> tuple[Master, ...]:
    """The masters, port by port; () for a transfer of the processor's side. Those of keys have the
    names of their records: the port's, or "HP0.1" for the second of several."""
    if values.get("master", AT_MEMORY[0]) not in AT_MEMORY:
        return ()
    tables = of(values)
    return tables or tuple(
        _engine(values, port, name)
        for port in values.get("ports") or ()
        for name in _names(port, values.get("masters_per_port", 1))
    )


def as_keys(found: Sequence[Master]) -> Mapping[str, object] | None:
    """The keys that name these masters beside their ports, normalised: the inverse of `masters`.
    None where no keys do, as the masters are not the same at each port."""
    first: Mapping[str, object] = {**found[0]}
    ends: Counter[tuple[str, str]] = Counter()
    kept: dict[str, set[int | None]] = {}
    at = {master["name"]: master["way"] for master in found}
    halves = {is_half(master) for master in found}
    for master in found:
        its: Mapping[str, object] = {**master}
        if master["kind"] != _ENGINE or any(its[name] is not None for name in _BY_ITSELF):
            return None
        if any(its.get(name) != first.get(name) for name in _SAME):
            return None
        if at.get(master.get("partner") or "", master["way"]) != master["way"]:
            return None  # its stream leads to another port
        for way in directions(master):
            ends[master["way"], way] += 1
            kept.setdefault(way, set()).add(outstanding(master, way))
    ways = {tuple(sorted(w for p, w in ends if p == port)) for port, _ in ends}
    if max(len(ways), len(halves), len({*ends.values()}), *map(len, kept.values())) > 1:
        return None
    its_ways = ways.pop()
    direction = its_ways[0] if len(its_ways) == 1 else "pair" if halves.pop() else "both"
    return {
        **{name: first.get(name) for name in _SAME},
        "mode": MODE_OF[direction],
        "burst_beats": found[0]["burst_bytes"] * 8 // found[0]["width_bits"],
        "masters_per_port": next(iter(ends.values())),
        "outstanding_read": None,
        "outstanding_write": None,
        **{f"outstanding_{way}": limits.pop() for way, limits in kept.items()},
        "gap_cycles": first["gap_cycles"] or 0,
    }


def having(values: Values, change: Callable[[Master], Mapping[str, object]]) -> Values:
    """The point with other values of each of its masters."""
    made = (Frozen({**master, **change(master)}) for master in masters(values))
    return cast("Values", {**values, "masters": tuple(made)})


def at_ports(
    found: Sequence[Master], asks: Callable[[Master, str], float]
) -> dict[tuple[str, str], float]:
    """MB/s by port and direction that masters move at most: what all there ask for together
    (`asks`, of a master in a direction), up to the port's wires."""
    ends: dict[tuple[str, str], tuple[float, float]] = {}
    for master in found:
        link = master["width_bits"] / 8 * master["link_mhz"]
        for way in directions(master):
            asked, wires = ends.get((master["way"], way), (0.0, 0.0))
            ends[master["way"], way] = asked + asks(master, way), max(wires, link)
    return {end: min(of) for end, of in ends.items()}


def has_ports_name(master: Master) -> bool:
    """Whether a master has the name of its port, perhaps with its number there. Other names have no
    dot."""
    return master["name"].partition(".")[0] == master["way"]


def _names(port: str, masters: int) -> list[str]:
    return [port] if masters == 1 else [f"{port}.{number}" for number in range(masters)]


def _engine(values: Values, port: str, name: str) -> Master:
    """An engine at `port` with the point's keys; older stores lack some of them."""
    keys = cast("dict[str, object]", values)
    found: dict[str, object] = {
        **_NONE,
        **{key: keys.get(key) for key in _SAME},
        "name": name,
        "kind": _ENGINE,
        "port": port,
        "way": port,
        "direction": OF_MODE[values["mode"]],
        "link_mhz": values["pl_mhz"],
        "num_read_outstanding": keys.get("outstanding_read"),
        "num_write_outstanding": keys.get("outstanding_write"),
    }
    return cast("Master", Frozen(found))
