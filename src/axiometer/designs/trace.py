"""Follows a master to the ports that it reaches, through interconnects, converters and bridges.

An unknown block passes traffic on if it has no addresses of its own (a bridge has none, a master
has) and both sides are AXI4-Lite or neither is. The links on both sides show what a block changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from axiometer.designs import core_facts
from axiometer.designs.core_facts import Core
from axiometer.designs.model import Hop, Route
from axiometer.designs.netlist import BUS, Interface, Module, Netlist
from axiometer.designs.ps_facts import BURST_BEATS
from axiometer.experiment import between

MAX_STEPS = 20_000  # of the search, for all masters of a design
MAX_HOPS = 64  # of one path
MAX_WAYS = 32  # paths of one master
MOST_BYTES = 4096  # no burst crosses such a boundary
MAX_STREAMS = 1000  # blocks that the search for the end of a stream visits
LITE = "AXI4LITE"
_UNKNOWN_PROTOCOL = "AXI4"
CROSSING = "clock_crossing"


@dataclass(frozen=True)
class Link:
    """A connection from `source` to `target`, with its width (0: unknown), protocol and clock."""

    source: tuple[Module, Interface]
    target: tuple[Module, Interface]
    width_bits: int
    protocol: str
    clock: str | None


ClockOf = Callable[[Module, Interface], str | None]


class Tracer:
    """Searches `netlist` for `ports`, names by (instance, interface). `gave_up` is whether paths
    were too long or too many to follow."""

    def __init__(
        self,
        netlist: Netlist,
        ports: dict[tuple[str, str], str],
        clock_of: ClockOf,
        widths: dict[tuple[str, str], int],
    ) -> None:
        self.netlist, self.ports, self.clock_of, self.widths = netlist, ports, clock_of, widths
        self.steps, self.gave_up = MAX_STEPS, False

    def ways(self, module: Module, interface: Interface) -> list[tuple[str, list[Link]]]:
        """The paths of a master: each reached port's name with the links to it."""
        found: list[tuple[str, list[Link]]] = []
        waiting: list[tuple[Module, Interface, list[Link]]] = [(module, interface, [])]
        while waiting:
            source, leaving, before = waiting.pop()
            if self.steps <= 0 or len(found) >= MAX_WAYS:
                self.gave_up = True
                break
            if len(before) > MAX_HOPS:
                self.gave_up = True
                continue
            visited = {source.instance, *(link.source[0].instance for link in before)}
            further = []
            for target, entry in self.netlist.to(source, leaving):
                self.steps -= 1
                usual = before[-1].protocol if before else _UNKNOWN_PROTOCOL
                links = [*before, self._link((source, leaving), (target, entry), usual)]
                port = self.ports.get((target.instance, entry.name))
                if port is not None:
                    found.append((port, links))
                elif target.instance not in visited:
                    further += [(target, out, links) for out in leads_to(target, entry)]
            self.steps -= len(further)
            waiting += reversed(further)
        return found

    def _link(
        self, source: tuple[Module, Interface], target: tuple[Module, Interface], usual: str
    ) -> Link:
        ends = (source, target)
        widths = [self.widths.get((target[0].instance, target[1].name))]
        widths += [width_of(m, i) for m, i in ends]
        protocols = [i.parameters.get("PROTOCOL") for _, i in (target, source)]
        clocks = [self.clock_of(m, i) for m, i in ends]
        return Link(
            source,
            target,
            next((w for w in widths if w), 0),
            next((p for p in protocols if p), usual),
            next((c for c in clocks if c), None),
        )


def leads_to(module: Module, *entries: Interface) -> list[Interface]:
    """The master interfaces by which traffic from `entries` leaves; empty where it ends here."""
    facts = core_facts.core(module.core)
    leaving = [i for i in module.interfaces.values() if i.drives and i.kind == BUS]
    if facts is not None:
        pairs = [
            out
            for into, out in facts.passes.items()
            if any(fnmatchcase(e.name, into) for e in entries)
        ]
        return [i for i in leaving if any(fnmatchcase(i.name, out) for out in pairs)]
    stated = [entry.passes_to for entry in entries if entry.passes_to]
    if stated:
        return [i for i in leaving if i.name in stated]
    if module.ranges:
        return []  # it has addresses of its own: a master
    lite = {entry.parameters.get("PROTOCOL") == LITE for entry in entries}
    return [i for i in leaving if (i.parameters.get("PROTOCOL") == LITE) in lite]


def is_way(module: Module, interface: Interface) -> bool:
    """Whether `interface` only passes on what enters its module, even if nothing enters."""
    facts = core_facts.core(module.core)
    if facts is None or facts.master(interface.name) is not None:
        return False
    return any(fnmatchcase(interface.name, out) for out in facts.passes.values())


def width_of(module: Module, interface: Interface) -> int | None:
    """Data width of an interface in bits from the file; None where it is unknown."""
    if interface.width_bits:
        return interface.width_bits
    facts = core_facts.core(module.core)
    return (
        core_facts.figure(["@DATA_WIDTH", facts and facts.width], module, interface).value or None
    )


def route(port: str, links: list[Link], burst_bytes: int) -> Route:
    """The route along `links`, with the effects on bursts of `burst_bytes` bytes; without
    segments."""
    most = [_longest(link) for link in links]
    hops = []
    for number, (before, after) in enumerate(zip(links, links[1:], strict=False), 1):
        arriving = min(burst_bytes, *most[:number])
        split = (arriving, most[number]) if most[number] < arriving else None
        hops.append(_hop(before, after, split))
    return Route(port, tuple(hops), min(most))


def _longest(link: Link) -> int:
    """Bytes of the longest burst that passes a link whole."""
    of_protocol = BURST_BEATS.get(link.protocol, 256) * link.width_bits // 8
    limits = of_protocol, _passes(link.source[0])
    return min([MOST_BYTES, *(size for size in limits if size)])


def _passes(module: Module) -> int | None:
    """Bytes of the longest burst that a block passes; None where only its protocol limits it."""
    beats, bits = _beats(module), core_facts.figure(_of(module, "width"), module).value
    return beats * bits // 8 if beats and bits else None


def _beats(module: Module) -> int | None:
    beats = core_facts.figure(_of(module, "burst_beats"), module).value
    bits = core_facts.figure(_of(module, "burst_bits"), module).value
    # Avalon Interface Specifications: burstcount of n bits counts to 2 ** (n - 1).
    return 1 << min(bits - 1, 11) if bits else beats


def _reads(module: Module) -> int | None:
    """The most reads that a block holds; None where it holds any number."""
    reads = core_facts.figure(_of(module, "reads"), module).value
    data = core_facts.figure(_of(module, "read_beats"), module).value
    return max(1, data // (_beats(module) or 1)) if data else reads


def _of(module: Module, name: str) -> str | None:
    return getattr(core_facts.core(module.core), name, None)


def _hop(before: Link, after: Link, split: tuple[int, int] | None) -> Hop:
    module = before.target[0]
    facts = core_facts.core(module.core)
    effects = []
    if before.width_bits != after.width_bits and before.width_bits and after.width_bits:
        effects.append(f"{before.width_bits} to {after.width_bits} bits")
    if before.protocol != after.protocol:
        effects.append(f"{before.protocol} to {after.protocol}")
    if split is not None:
        effects.append(f"bursts of {split[0]} bytes are split into {split[1]}")
    if before.clock != after.clock and before.clock and after.clock:
        effects.append(f"crosses from {before.clock} to {after.clock}")
    limit = None
    if facts is not None and facts.outstanding:
        value = module.parameter(facts.outstanding["parameter"])
        if value == facts.outstanding["equals"]:
            limit = facts.outstanding["value"]
            effects.append(facts.outstanding["words"])
    reads = _reads(module)
    if reads is not None:
        effects.append(f"passes {reads} read{'s' * (reads > 1)} at a time")
    if facts is None and not before.target[1].passes_to:
        effects.append("is unknown: assumed to pass everything on")
    return Hop(
        module.name,
        module.core,
        after.width_bits,
        after.protocol,
        after.clock,
        tuple(effects),
        limit,
        tuple(_blocks(module, facts, before, after)),
        _passes(module),
        reads,
    )


def _blocks(module: Module, facts: Core | None, before: Link, after: Link) -> Iterator[str]:
    """The parts of a block by their names in `experiment/between.toml`: conversions, then its own
    entry."""
    own = facts.block if facts is not None else ""
    buses = [i for i in module.interfaces.values() if i.kind == BUS]
    sides = [sum(i.drives == out for i in buses) for out in (False, True)]
    if before.width_bits and after.width_bits and before.width_bits != after.width_bits:
        yield "upsizer" if before.width_bits < after.width_bits else "downsizer"
    if (before.protocol, after.protocol) == ("AXI4", "AXI3") and not between.converts(own):
        yield "axi4_to_axi3"
    crosses = before.clock != after.clock and bool(before.clock and after.clock)
    if crosses and not between.crosses(own):
        yield CROSSING
    if own and not (facts is not None and facts.one_to_one and sides == [1, 1]):
        yield own


def stream_ends(netlist: Netlist, module: Module, name: str) -> Iterator[tuple[Module, Interface]]:
    """The interfaces where a stream of `module` ends; it may pass FIFOs and converters."""
    start = module.interfaces.get(name)
    waiting = [(module, start)] if start is not None and start.drives else []
    seen: set[str] = set()
    while waiting:
        source, leaving = waiting.pop()
        for target, entry in netlist.to(source, leaving)[:MAX_STREAMS]:
            facts = core_facts.core(target.core)
            if facts is None or not facts.streams:
                yield target, entry
            elif target.instance not in seen and len(seen) < MAX_STREAMS:
                seen.add(target.instance)
                for into, out in facts.streams.items():
                    if fnmatchcase(entry.name, into) and out in target.interfaces:
                        waiting.append((target, target.interfaces[out]))
