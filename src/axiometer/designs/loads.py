"""What each data master of a design asks of the memory: a load for each direction, at its port.

A load is what the port sees: its width and clock, bursts as they arrive there, and how much the
narrowest link on the way carries. Masters behind ports that platforms have not are left out, and
told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from axiometer.base import clocks
from axiometer.designs import ps_facts
from axiometer.designs.model import DATA, Design, Master
from axiometer.designs.points import Question, points


@dataclass(frozen=True)
class Load:
    """One direction ("read" or "write") of a master at a port of the platform. width_bits and
    pl_mhz: of its narrowest link; port_bits and port_mhz: of its port; burst_bytes: as the port
    sees them; outstanding: bursts, None: what the platform's engines keep; partner: the master that
    a stream joins it with; rate_mbs: MB/s that it asks for, None: all."""

    master: str
    port: str
    direction: str
    width_bits: int
    pl_mhz: float
    port_bits: int
    port_mhz: float
    burst_bytes: int
    outstanding: int | None = None
    partner: str | None = None
    rate_mbs: float | None = None

    @property
    def link_mbs(self) -> float:
        """MB/s that its narrowest link carries, no more than it asks for."""
        carried = self.width_bits / 8 * self.pl_mhz
        return carried if self.rate_mbs is None else min(carried, self.rate_mbs)


def loads(design: Design, masters: Iterable[Master] | None = None) -> list[Load]:
    """The loads of `masters` (None: all that move data), in the design's order."""
    wanted = None if masters is None else {m.name for m in masters}
    return [
        _load(design, master, question, direction)
        for master, question in points(design)
        if question.keys and (wanted is None or master.name in wanted)
        for direction in master.directions
    ]


def _load(design: Design, master: Master, question: Question, direction: str) -> Load:
    keys, route = question.keys, master.routes[0]
    port = design.port(master.ports[0])
    clock = design.clock(port.clock)
    width = port.width_bits or keys["width_bits"]
    beats = ps_facts.BURST_BEATS.get(port.protocol, 16)
    return Load(
        master.name,
        keys["ports"],
        direction,
        keys["width_bits"],
        keys["pl_mhz"],
        width,
        clocks.number(clocks.meant(clock.mhz)) if clock else keys["pl_mhz"],
        min(master.burst_bytes(direction, route), beats * width // 8),
        keys.get(f"outstanding_{direction}"),
        master.partner,
        _rate(design, master, direction),
    )


def _rate(design: Design, master: Master, direction: str) -> float | None:
    """MB/s that a master asks for, and no more than the gaps between its bursts leave it."""
    channel, clock = getattr(master, direction), design.clock(master.clock)
    if not channel.gap_cycles or clock is None:
        return channel.rate_mbs
    beats = channel.burst_beats
    own = master.width_bits / 8 * clock.mhz * beats / (beats + channel.gap_cycles)
    return own if channel.rate_mbs is None else min(own, channel.rate_mbs)


def left_out(design: Design) -> list[str]:
    """Why data masters are in no load, a sentence each."""
    return [reason for _, question in points(design) for reason in question.reasons]


def ports(design: Design) -> dict[str, list[Master]]:
    """The data masters behind each port of the platform, ports in the design's order."""
    found: dict[str, list[Master]] = {}
    for port in design.ports:
        for master in design.behind(port.name, DATA):
            # A master that reaches several ports counts at its first.
            if port.platform_port is not None and master.ports[0] == port.name:
                found.setdefault(port.platform_port, []).append(master)
    return found


def short_names(masters: Sequence[Master], most: int = 26) -> dict[str, str]:
    """A name for each master that is as short as it can be and still its own: the instance, with
    the interface where an instance has several, without the blocks around it; at most `most`
    characters."""
    instances = [m.name.rpartition(".")[0] for m in masters]
    bare = {}
    for master, instance in zip(masters, instances, strict=True):
        alone = instances.count(instance) == 1
        way = "+".join(master.directions)
        bare[master.name] = instance if alone else f"{instance} {way}"
    last = {name: short.rpartition("/")[2] for name, short in bare.items()}
    chosen = {n: s if list(last.values()).count(s) == 1 else bare[n] for n, s in last.items()}
    end = most // 2 - 1
    cut = {n: s if len(s) <= most else f"{s[:end]}..{s[-end:]}" for n, s in chosen.items()}
    seen = list(cut.values())
    return {n: s if seen.count(s) == 1 else n for n, s in cut.items()}
