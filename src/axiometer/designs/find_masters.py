"""Finds the masters of a design, with their figures from facts of cores and from parameters.

A master is an interface that drives a bus and reaches a port of the processor system, of a block
that does not merely pass traffic on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from axiometer.designs import core_facts
from axiometer.designs.core_facts import Core, Found
from axiometer.designs.model import DATA, PROCESSOR, Channel, Master, Route, Segment
from axiometer.designs.netlist import BUS, STREAM, Interface, Module, Netlist
from axiometer.designs.ps_facts import Facts
from axiometer.designs.trace import (
    LITE,
    Link,
    Tracer,
    is_way,
    leads_to,
    route,
    stream_ends,
    width_of,
)
from axiometer.designs.warned import warned

MAX_MASTERS = 2000
MAX_STREAM = 64  # blocks of a stream
WIDTH, BURST, STREAM_BITS = "width_bits", "burst_beats", "stream_bits"
"""Names of figures in `Master.unknown`."""
UNKNOWN_BEATS = 16
_MODES = {"READ_ONLY": ("read",), "WRITE_ONLY": ("write",)}
_BOTH = ("read", "write")
Ends = Sequence[tuple[Module, Interface]]
_USERS = ("@ARUSER_WIDTH", "@AWUSER_WIDTH")


class TooManyError(Exception):
    """A bound on the design is exceeded; the message names it."""


def masters(
    netlist: Netlist, ps: Module, tracer: Tracer, interfaces: Mapping[str, str]
) -> list[Master]:
    """All masters that reach a port; `interfaces` are the ports' interfaces by name. TooManyError
    where there are more than MAX_MASTERS."""
    found = []
    for module in netlist.modules.values():
        _widen_to_streams(netlist, module)
    for module in netlist.modules.values():
        if module is ps:
            continue
        buses = [i for i in module.interfaces.values() if i.kind == BUS]
        passing = leads_to(module, *(i for i in buses if not i.drives))
        passed = {i.name for i in passing}
        for interface in buses:
            if not interface.drives or interface.name in passed or is_way(module, interface):
                continue
            ways = tracer.ways(module, interface)
            if ways:
                _, (first, *rest) = ways[0]
                block_bits = first.width_bits if rest else 0
                ends = [end for link in ways[0][1] for end in (link.source, link.target)]
                master = _master(netlist, module, interface, tracer, block_bits, ends)
                if not master.directions:
                    continue  # core and interface have no direction in common
                routes = tuple(_route(master, module, p, links, interfaces[p]) for p, links in ways)
                found.append(replace(master, routes=routes))
            if len(found) > MAX_MASTERS:
                raise TooManyError(f"the design has more than {MAX_MASTERS} masters")
    return _paired(netlist, found)


def _widen_to_streams(netlist: Netlist, module: Module) -> None:
    """Raise the default widths of a module's memory sides to those of streams whose width their
    sources give (PG021: the memory side is at least as wide as the stream)."""
    core = core_facts.core(module.core)
    for interface in module.interfaces.values() if core is not None and core.at_least else ():
        facts = (core.master(interface.name) if core is not None else None) or {}
        stream = module.interfaces.get(facts.get("stream", ""))
        width = core_facts.figure(facts.get("width_bits"), module, interface)
        if stream is None or not width.assumed:
            continue
        bits = core_facts.figure(facts["stream_bits"], module, interface).value
        bits = bits or _stream_bits(netlist, module, stream) or 0
        if bits > (width.value or 0):
            module.defaults[facts["width_bits"][0]] = str(bits)
            interface.width_bits = bits


def _route(master: Master, module: Module, port: str, links: list[Link], at: str) -> Route:
    beats = max(master.channels[direction].burst_beats for direction in master.directions)
    found = route(port, links, beats * master.width_bits // 8)
    return replace(found, segments=_segments(module, master.interface, at))


def _master(
    netlist: Netlist,
    module: Module,
    interface: Interface,
    tracer: Tracer,
    block_bits: int,
    ends: Ends,
) -> Master:
    core = core_facts.core(module.core)
    facts = core.master(interface.name) if core else None
    assumed: list[str] = list(interface.assumed)
    unknown = [WIDTH] if any(phrase.startswith("width:") for phrase in assumed) else []
    width = width_of(module, interface)
    if facts is not None:
        # The port that the tool made is surer than a parameter's meaning.
        made = core_facts.figure("@PORT_WIDTH", module, interface)
        found = made if made.value else core_facts.figure(facts["width_bits"], module, interface)
        width = found.value or width
        if found.assumed:
            assumed.append(f"width: {width} bits ({found.assumed})")
    protocol = interface.parameters.get("PROTOCOL", "AXI4")
    if width is None:
        width = block_bits or 32
        unknown = [WIDTH]
        of = ": that of the block behind it" if block_bits else ""
        assumed.append(f"width: {width} bits (not in the design{of})")
    if facts is None:
        longest = core_facts.figure("@MAX_BURST_LENGTH", module, interface).value
        if longest != 1:
            beats = min(UNKNOWN_BEATS, longest or UNKNOWN_BEATS)
            assumed.append(f"{module.core or 'its core'} is unknown: bursts of {beats} beats")
        if "MAX_BURST_LENGTH" not in interface.parameters:
            unknown.append(BURST)
    is_said = "READ_WRITE_MODE" in interface.parameters or protocol == LITE
    if (core is None or "*" in core.vlnv) and not is_said:  # of its kind some only read or write
        assumed.append("directions: reads and writes (not in the design)")
    for name, spec in (facts or {}).get("unknown", {}).items():
        if core_facts.figure(spec, module, interface).value is None:
            assumed.append(f"{name}: not in the design")
            unknown.append(name)
    stream_bits, stream_clock = _stream(netlist, module, interface, tracer, assumed, unknown)
    lite = protocol == LITE
    return Master(
        f"{module.name}.{interface.name}",
        module.instance,
        interface.name,
        module.core,
        core.title if core else module.core,
        facts.get("role", DATA) if facts is not None else PROCESSOR if lite else DATA,
        width,
        protocol,
        tracer.clock_of(module, interface),
        _channel(netlist, module, interface, facts, "read", width, assumed, ends),
        _channel(netlist, module, interface, facts, "write", width, assumed, ends),
        routes=(),
        length_bits=_figure(core, "length_bits", module, assumed),
        frames=_figure(core, "frames", module, assumed),
        warned=warned(netlist, module, facts or {}),
        user_bits=core_facts.figure(list(_USERS), module, interface).value or 0,
        assumed=tuple(assumed),
        stream_bits=stream_bits,
        stream_clock=stream_clock,
        unknown=tuple(unknown),
    )


def _stream(
    netlist: Netlist,
    module: Module,
    interface: Interface,
    tracer: Tracer,
    assumed: list[str],
    unknown: list[str],
) -> tuple[int | None, str | None]:
    """Bits and clock of the stream of a master: None where it has none, the clock also where it is
    the master's own. A width that the tool takes from the stream's source is that of the source."""
    core = core_facts.core(module.core)
    facts = (core.master(interface.name) if core else None) or {}
    is_memory = core_facts.figure(facts.get("stream_if"), module).value == 0
    if "stream_bits" not in facts or is_memory:
        return None, None
    name = facts.get("stream", "")
    stream = module.interfaces.get(name) or Interface(name, STREAM, False)
    bits = core_facts.figure(facts["stream_bits"], module, interface)
    found = bits.value or _stream_bits(netlist, module, stream)
    if bits.value and bits.assumed:
        assumed.append(f"stream: {found} bits ({bits.assumed})")
    if not found:
        assumed.append("stream: as wide as its data in memory (the tool takes it from its source)")
        unknown.append(STREAM_BITS)
    pin = next((of for of in facts.get("stream_clock", []) if of in module.clocks), "")
    at = Interface(stream.name, STREAM, stream.drives, clock_pin=pin)
    return found or None, tracer.clock_of(module, at) if pin else None


def _stream_bits(netlist: Netlist, module: Module, stream: Interface) -> int | None:
    """Bits of a stream by its interface, or by the block that it comes from."""
    for _ in range(MAX_STREAM):
        names = ["@TDATA_NUM_BYTES", "M_TDATA_NUM_BYTES", "TDATA_NUM_BYTES"]
        size = core_facts.figure(names, module, stream).value
        if size:
            return 8 * size
        source = netlist.source_of(module, stream.name)
        if source is None:
            return None
        module, leaving = source[0], source[1].name
        core = core_facts.core(module.core) or _NOTHING
        for its in core.masters.values():
            if its.get("stream") == leaving and "stream_bits" in its:
                return core_facts.figure(its["stream_bits"], module).value
        into = [i for i, out in core.streams.items() if out == leaving and i in module.interfaces]
        if not into or core.converts:
            return None
        stream = module.interfaces[into[0]]
    return None


def _channel(
    netlist: Netlist,
    module: Module,
    interface: Interface,
    facts: Facts | None,
    direction: str,
    width: int,
    assumed: list[str],
    ends: Ends,
) -> Channel | None:
    mode = interface.parameters.get("READ_WRITE_MODE", "")
    if direction not in _MODES.get(mode, _BOTH):
        return None
    if facts is not None and direction not in facts:
        return None
    spec = facts[direction] if facts is not None else {}
    longest = core_facts.figure("@MAX_BURST_LENGTH", module, interface).value or UNKNOWN_BEATS
    beats = core_facts.figure(spec.get("burst_beats"), module, interface)
    outstanding = core_facts.figure(spec.get("outstanding"), module, interface)
    gap = Found(None)
    if facts is not None and facts.get("role", DATA) == DATA:
        gap = core_facts.of_engine(module, f"gap_{direction}")
        if beats.value is None:
            beats = core_facts.of_engine(module, "burst_beats")
        if outstanding.value is None:
            outstanding = core_facts.of_engine(module, f"outstanding_{direction}")
    if core_facts.figure(spec.get("bursts"), module).value == 0:
        beats = Found(1)
    if "burst_bytes" in spec:
        size = core_facts.figure(spec["burst_bytes"], module, interface)
        beats = Found(max(1, (size.value or 0) * 8 // width), size.assumed)
    buffer = core_facts.figure(spec.get("buffer_beats"), module).value
    if buffer and beats.value:
        outstanding = Found(max(1, buffer // beats.value))
    names = ("beats of a burst", "outstanding", "idle clocks between bursts")
    for name, figure in zip(names, (beats, outstanding, gap), strict=True):
        if figure.assumed and figure.value:
            assumed.append(f"{direction}, {name}: {figure.value} ({figure.assumed})")
    if outstanding.value is None and direction == "read":
        outstanding = core_facts.figure("@MOST_READS", module, interface)
    if outstanding.value is None:
        assumed.append(f"{direction}, outstanding: unknown, the platform's default")
    count = beats.value or (min(UNKNOWN_BEATS, longest) if facts is None else longest)
    cache = core_facts.figure(spec.get("cache"), module, interface).value
    address = {"read": "AR", "write": "AW"}[direction]
    return Channel(
        count,
        outstanding.value or None,
        _driven(netlist, ends, f"{address}CACHE", cache),
        gap_cycles=gap.value or 0,
        user=_driven(netlist, ends, f"{address}USER", None),
    )


def _driven(netlist: Netlist, ends: Ends, signal: str, own: int | None) -> int | None:
    """The value of a signal at the port: that of the last block on the way that drives it in place
    of the master (None: no constant), else `own`."""
    for module, interface in ends:
        source, pin = module.joined.get(interface.pins.get(signal, ""), ("", signal))
        if pin.upper().endswith(signal[2:]):
            continue  # its interface's
        driver = netlist.modules.get(source)
        facts = core_facts.core(driver.core) if driver is not None else None
        known = driver is not None and facts is not None and facts.constant
        own = core_facts.figure(known, driver).value if driver and known else None
    return own


def _segments(module: Module, interface: str, port: str) -> tuple[Segment, ...]:
    ranges = [r for r in module.ranges if r.interface == port]
    own = [r for r in ranges if r.master == interface] or [r for r in ranges if not r.master]
    return tuple(dict.fromkeys(Segment(r.base, r.high, r.name) for r in own))


def _figure(core: Core | None, name: str, module: Module, assumed: list[str]) -> int | None:
    spec = getattr(core, name) if core is not None else None
    if spec is None:
        return None
    found = core_facts.figure(spec, module)
    if found.assumed:
        assumed.append(f"{name}: {found.value} ({found.assumed})")
    return found.value


def _paired(netlist: Netlist, found: list[Master]) -> list[Master]:
    """The masters with their partners: two halves of one engine, or masters joined by a stream."""
    partners: dict[str, str] = {}
    by_place = {(m.instance, m.interface): m.name for m in found}
    for master in found:
        module = netlist.modules[master.instance]
        facts = (core_facts.core(module.core) or _NOTHING).master(master.interface) or {}
        inner = by_place.get((master.instance, facts.get("partner", "")))
        if inner:
            partners[master.name] = inner
        for target, entry in stream_ends(netlist, module, facts.get("stream", "")):
            other = core_facts.core(target.core) or _NOTHING
            for name, its in other.masters.items():
                place = (target.instance, name)
                if its.get("stream") == entry.name and place in by_place:
                    partners[master.name] = by_place[place]
                    partners[by_place[place]] = master.name
    return [replace(m, partner=partners.get(m.name)) for m in found]


_NOTHING = Core("", "", "")
