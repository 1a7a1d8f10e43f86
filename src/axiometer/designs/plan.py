"""The load that each data master of a design puts on the memory.

`planned` follows each master to its first port and finds a load for each direction: the narrowest
link, the bursts at the port, the outstanding bursts, the requested rate. Masters at ports
that platforms lack get a reason and no load. `masters.py` makes the list of masters of a plan.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from axiometer.base import clocks
from axiometer.designs import ps_facts
from axiometer.designs.model import DATA, Design, Master, Port
from axiometer.experiment import between
from axiometer.platform import limits


@dataclass(frozen=True)
class Load:
    """One direction ("read" or "write") of a master at a port of the platform. width_bits and
    pl_mhz: of its narrowest link; port_bits and port_mhz: of its port; burst_bytes: at the port;
    outstanding: bursts (None: the default of the platform's masters); partner: the master at the
    other end of its stream; rate_mbs: requested MB/s (None: unlimited); through: the blocks before
    the port, as in the key of an experiment."""

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
    through: str | None = None

    @property
    def link_mbs(self) -> float:
        """The peak of its narrowest link or the requested rate, whichever is lower, in MB/s."""
        carried = self.width_bits / 8 * self.pl_mhz
        return carried if self.rate_mbs is None else min(carried, self.rate_mbs)


@dataclass(frozen=True)
class MasterPlan:
    """A data master at the first port that it reaches. loads: empty where `reason` states, in a
    sentence, why the master cannot be simulated."""

    master: Master
    port: Port
    loads: tuple[Load, ...] = ()
    reason: str = ""

    @property
    def at(self) -> str | None:
        """The platform's name of its port; None where platforms lack the port."""
        return self.port.platform_port


@dataclass(frozen=True)
class Plan:
    """The data masters of a design, in the design's order."""

    design: Design
    masters: tuple[MasterPlan, ...]

    @cached_property
    def loads(self) -> tuple[Load, ...]:
        """The loads of all masters."""
        return tuple(load for of in self.masters for load in of.loads)

    @property
    def left_out(self) -> list[str]:
        """A sentence for each master without a load, with the reason."""
        return [of.reason for of in self.masters if of.reason]

    @property
    def asked(self) -> Plan:
        """The plan of the masters that have loads."""
        return self._of([of for of in self.masters if of.loads])

    @property
    def ports(self) -> dict[str, Plan]:
        """The plan of each port of the platform that carries data, in the design's order. A master
        that reaches several ports belongs to its first."""
        names = dict.fromkeys(port.platform_port for port in self.design.ports)
        found = {at: self.at((at,)) for at in names if at is not None}
        return {at: plan for at, plan in found.items() if plan.masters}

    def at(self, ports: Container[str]) -> Plan:
        """The plan of the masters at `ports` of the platform."""
        return self._of([of for of in self.masters if of.at is not None and of.at in ports])

    def alone(self) -> list[Plan]:
        """A plan for each master."""
        return [self._of([of]) for of in self.masters]

    def in_order(self, ports: Sequence[str]) -> Plan:
        """The plan with the masters in the order of `ports`; each master needs a load."""
        return self._of(sorted(self.masters, key=lambda of: ports.index(of.at or "")))

    def names(self, most: int = 26) -> dict[str, str]:
        """The shortest unique name of each master: the instance without its hierarchy, with the
        directions where an instance has several masters; shortened to `most` characters where that
        is unique."""
        masters = [of.master for of in self.masters]
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

    def _of(self, masters: Sequence[MasterPlan]) -> Plan:
        kept = {of.master.name for of in masters}
        design = replace(
            self.design, masters=tuple(m for m in self.design.masters if m.name in kept)
        )
        return Plan(design, tuple(masters))


def planned(design: Design) -> Plan:
    """The plan of all data masters of `design`."""
    return Plan(design, tuple(_master(design, m) for m in design.masters if m.role == DATA))


def _master(design: Design, master: Master) -> MasterPlan:
    route, port = master.routes[0], design.port(master.ports[0])
    at = port.platform_port
    if at is None:
        why = f"{master.name} is behind {port.interface}, which the platform does not model"
        return MasterPlan(master, port, reason=why)
    unrated = [c.name for c in design.clocks if not c.mhz and c.name in (master.clock, port.clock)]
    width, pl_mhz = _narrowest(design, master, port)
    if unrated or pl_mhz is None:
        keys = [f"{name}.mhz" for name in unrated] or [f"{port.name}.clock_mhz"]
        ways = " ".join(f"--set {key}=MHZ" for key in keys)
        what = (
            f"is at {' and '.join(unrated)}, a clock" if unrated else "and its port are at a clock"
        )
        why = f"{master.name} {what} whose rate the design does not give: state it with {ways}"
        return MasterPlan(master, port, reason=why)
    clock = design.clock(port.clock)
    port_bits = port.width_bits or width
    beats = ps_facts.BURST_BEATS.get(port.protocol, 16)
    through = _through(design, master, port)
    piece = min(min(master.burst_bytes(d, route), beats * width // 8) for d in master.directions)
    return MasterPlan(
        master,
        port,
        tuple(
            Load(
                master.name,
                at,
                direction,
                width,
                pl_mhz,
                port_bits,
                clocks.number(clocks.meant(clock.mhz)) if clock else pl_mhz,
                min(master.burst_bytes(direction, route), beats * port_bits // 8),
                _outstanding(master, direction, through, piece, beats),
                master.partner,
                _rate(design, master, direction),
                through,
            )
            for direction in master.directions
        ),
    )


def _narrowest(design: Design, master: Master, port: Port) -> tuple[int, float | None]:
    """Width (bits) and clock (MHz; None: unknown) of the link on the way that carries least."""
    links = [(master.width_bits, master.clock)]
    links += [(hop.width_bits, hop.clock) for hop in master.routes[0].hops]
    links += [(port.width_bits, port.clock)]
    rated = [(w, c.mhz) for w, name in links if w and (c := design.clock(name))]
    if not rated:
        return min([w for w, _ in links if w], default=8), None
    width, mhz = min(rated, key=lambda link: link[0] * link[1])
    return width, clocks.number(clocks.meant(mhz))


def _outstanding(
    master: Master, direction: str, through: str | None, piece: int, beats: int
) -> int | None:
    """Outstanding bursts of the port, where the route or the master limits them. A converter that
    cuts bursts into pieces of `piece` bytes passes those of one at a time."""
    channel = master.channels[direction]
    hops = [hop.outstanding for hop in master.routes[0].hops]
    hops += [hop.reads for hop in master.routes[0].hops if direction == "read"]
    most = limits.of_key(f"outstanding_{direction}").most
    counts = [n for n in (channel.outstanding, *hops) if n]
    found = [*counts, *([most] if counts and most is not None else [])]
    whole = channel.burst_beats * master.width_bits // 8
    pieces = -(-whole // max(1, piece))
    if between.splits(through, pieces * beats):
        found.append(pieces)
    return int(min(found)) if found else None


def _through(design: Design, master: Master, port: Port) -> str | None:
    """The blocks between a master and its first port, in order. Each clock crossing is given the
    clock on the master's side."""
    at, own = design.clock(port.clock), design.clock(master.clock)
    found = []
    for hop in master.routes[0].hops:
        for block in hop.blocks:
            if own is not None and at is not None and between.crosses(block):
                block = between.crossing(block, own.mhz, at.mhz)
            found.append(block)
        own = design.clock(hop.clock) or own
    return "+".join(found[: between.MOST_BLOCKS]) or None


def _rate(design: Design, master: Master, direction: str) -> float | None:
    """The MB/s that a master requests, limited by the gaps between its bursts and by its stream
    (None: no limit)."""
    channel, clock = master.channels[direction], design.clock(master.clock)
    limits = [channel.rate_mbs]
    own = master.width_bits / 8 * clock.mhz if clock is not None else None
    stream = stream_mbs(design, master)
    if stream is not None and (own is None or stream < own):
        limits.append(stream)
    if channel.gap_cycles and own is not None:
        limits.append(own * channel.burst_beats / (channel.burst_beats + channel.gap_cycles))
    return min((limit for limit in limits if limit is not None), default=None)


def stream_mbs(design: Design, master: Master) -> float | None:
    """MB/s that the stream of a master carries (PG020, PG021, PG022: a beat a clock); None where it
    has none, or width or clock are unknown."""
    clock = design.clock(master.stream_clock or master.clock)
    if master.stream_bits is None or clock is None:
        return None
    return master.stream_bits / 8 * clock.mhz
