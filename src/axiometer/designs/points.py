"""A design in keys of an experiment: each master alone, and ports together.

What the keys cannot say (masters of several widths at once, ports that platforms have not) is said
in words instead. Keys that the design does not tell are left to the platform: run lengths, repeats,
and outstanding bursts where the core is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from axiometer.base import clocks
from axiometer.designs import ps_facts
from axiometer.designs.model import DATA, Design, Master, Port, Route
from axiometer.platform import limits

_MODES = {("read",): "ps_to_pl", ("write",): "pl_to_ps"}
_PAIRS = "duplex"


@dataclass(frozen=True)
class Question:
    """`keys` of an experiment; `reasons` why they cannot say all of it (then `keys` is empty);
    `notes` on what they say otherwise than the design."""

    keys: Mapping[str, Any] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def points(design: Design) -> list[tuple[Master, Question]]:
    """Each data master with the question of what it gets alone, through its first port."""
    return [(m, _question(design, [m])) for m in design.masters if m.role == DATA]


def together(design: Design, ports: Iterable[str] | None = None) -> Question:
    """The question of what all data masters behind `ports` (names of platforms; None: all) get at
    once."""
    wanted = None if ports is None else set(ports)
    found = [
        m
        for m in design.masters
        if m.role == DATA and (wanted is None or design.port(m.ports[0]).platform_port in wanted)
    ]
    return _question(design, found) if found else Question(reasons=("no master moves data there",))


def _question(design: Design, masters: Sequence[Master]) -> Question:
    reasons = [
        f"{m.name} is behind {design.port(m.ports[0]).interface}, which experiments do not have"
        for m in masters
        if design.port(m.ports[0]).platform_port is None
    ]
    if reasons:
        return Question(reasons=tuple(reasons))
    ways = [(m, m.routes[0], design.port(m.ports[0])) for m in masters]
    modes, counts = _loads(ways)
    keys: dict[str, Any] = {"ports": "+".join(dict.fromkeys(p.platform_port for _, _, p in ways))}
    system = ps_facts.system(design.chip)
    if len(set(modes)) > 1:
        reasons.append("some ports read, others write: an experiment has one mode for all")
    elif modes[0] is not None:
        keys["mode"] = _MODES.get(modes[0], system.reads_and_writes)
    each = set(counts)
    if len(each) > 1:
        reasons.append(f"ports have {' and '.join(map(str, sorted(each)))} masters each")
    elif each != {1}:
        keys["masters_per_port"] = each.pop()
    found = [_figures(design, *way) for way in ways]
    for key in dict.fromkeys(k for figures in found for k in figures):
        values = {figures[key] for figures in found if key in figures}
        if len(values) > 1:
            listed = ", ".join(f"{value:g}" for value in sorted(values))
            reasons.append(f"{key} is not the same for all: {listed}")
        keys[key] = values.pop()
    if reasons:
        return Question(reasons=tuple(reasons))
    return Question(keys, notes=tuple(_otherwise(masters, keys)))


def _otherwise(masters: Sequence[Master], keys: Mapping[str, Any]) -> Iterator[str]:
    """What keys say otherwise than the design does, in sentences."""
    alone = [m.name for m in masters if keys.get("mode") == _PAIRS and m.partner is None]
    if alone:
        names = ", ".join(alone)
        yield f"{names}: taken as halves of pairs that move at one rate, which they are not"
    for master in masters:
        for direction in master.directions:
            rate = getattr(master, direction).rate_mbs
            if rate is not None:
                yield (
                    f"{master.name} asks for {rate:g} MB/s in {direction}s, which keys of all "
                    "ports do not say: taken as fast as it can"
                )


def _loads(
    ways: Sequence[tuple[Master, Route, Port]],
) -> tuple[list[tuple[str, ...]], list[int]]:
    """For each port of the platform, the directions that it carries and the masters in each."""
    by_port: dict[str, dict[str, int]] = {}
    for master, _, port in ways:
        carried = by_port.setdefault(port.platform_port, {})
        for direction in master.directions:
            carried[direction] = carried.get(direction, 0) + 1
    modes = [tuple(d for d in ("read", "write") if d in c) for c in by_port.values()]
    return modes, [max(c.values()) for c in by_port.values()]


def _figures(design: Design, master: Master, route: Route, port: Port) -> dict[str, Any]:
    """Width, clock and burst of the narrowest link, and what the master keeps outstanding."""
    links = [(master.width_bits, master.clock)]
    links += [(hop.width_bits, hop.clock) for hop in route.hops]
    links += [(port.width_bits, port.clock)]
    rated = [(w, c) for w, name in links if w and (c := design.clock(name))]
    found: dict[str, Any] = {}
    beats = ps_facts.BURST_BEATS.get(port.protocol, 16)
    if rated:
        width, clock = min(rated, key=lambda link: link[0] * link[1].mhz)
        found["width_bits"] = width
        found["pl_mhz"] = clocks.number(clocks.meant(clock.mhz))
    else:
        width = found["width_bits"] = min([w for w, _ in links if w], default=8)
    bursts = {min(master.burst_bytes(d, route), beats * width // 8) for d in master.directions}
    found["burst_bytes"] = min(bursts)
    hops = [hop.outstanding for hop in route.hops if hop.outstanding]
    for direction in master.directions:
        counts = [n for n in (getattr(master, direction).outstanding, *hops) if n]
        if counts:
            most = limits.of_key(f"outstanding_{direction}").most
            found[f"outstanding_{direction}"] = int(min(*counts, most))
    return found
