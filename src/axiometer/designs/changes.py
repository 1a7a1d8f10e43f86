"""Changes one setting of a design by its name in the design: `axi_dma_0.burst_beats`, `64`.

In NAME.KEY, NAME is a master (its name, its instance or the last part of it), a port or a clock of
the design, or a block before a port. Keys of masters are `MASTER_KEYS`, with `read.` or `write.`
in front for one direction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from axiometer.base import harmless, units
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.designs import core_facts, ps_facts
from axiometer.designs.model import Channel, Clock, Design, Hop, Master, Port, Route
from axiometer.experiment import key_names
from axiometer.platform.limits import shown

CHANNEL_KEYS = {"burst_beats": 4096, "outstanding": 63, "rate_mbs": 100_000}
"""The largest value of each key of a channel; `UNITS` gives the units."""
UNITS = {"rate_mbs": "MB/s"}
MASTER_KEYS = (*CHANNEL_KEYS, "width_bits", "stream_bits", "clock_mhz", "port")
PORT_KEYS = ("width_bits", "clock_mhz")
CLOCK_KEYS = ("mhz",)
BLOCK_KEYS = {"one_at_a_time": 1, "reads": 63, "burst_bytes": 4096}
"""As CHANNEL_KEYS, of blocks before a port."""
WIDTHS = (8, 16, 32, 64, 128, 256, 512, 1024)
MOST_MHZ = 1000
_PREFIX = "master."
"""May stand before a master's name, as in the keys of a list of masters."""


def is_of_design(design: Design, name: str) -> bool:
    """Whether `name` (NAME.KEY) begins with a name of the design."""
    known = {**_masters(design), **_ports(design), **_clocks(design), **_blocks(design)}
    bare = name.removeprefix(_PREFIX)
    return any(of[:end] in known for of in (name, bare) for end, c in enumerate(of) if c == ".")


def changed(design: Design, name: str, value: object) -> Design:
    """The design with `name` (NAME.KEY) set to `value`. AxiometerError where the design has no such
    name, or the value is invalid."""
    bare = name.removeprefix(_PREFIX)
    masters = _matches(design, name, _masters) or _matches(design, bare, _masters)
    ports = _matches(design, name, _ports)
    clock, block = _matches(design, name, _clocks), _matches(design, name, _blocks)
    if masters:
        return _set_masters(design, *masters, value)
    if ports:
        return _set_port(design, *ports, value)
    if clock:
        return _set_clock(design, *clock, value)
    if block:
        return _set_block(design, *block, value)
    known = [*_masters(design), *_ports(design), *_clocks(design), *_blocks(design)]
    raise AxiometerError(
        f"the design {design.name} has no {harmless.quoted(name)}",
        remedy=did_you_mean(name.rpartition(".")[0], known, "it has"),
    )


def moved(design: Design, master: str, port: str) -> Design:
    """The design with the master `master` (full name) at the port named `port`."""
    ports = {p.name: p for p in (*design.ports, *design.free_ports)}
    target = ports[port]
    source = design.port(next(m for m in design.masters if m.name == master).ports[0])
    if target not in design.ports:
        # An unused port gets the clock of the source port, and its width if it has none.
        width = target.width_bits or source.width_bits
        target = replace(target, clock=source.clock, width_bits=width)
        free = tuple(p for p in design.free_ports if p.name != port)
        design = replace(design, ports=(*design.ports, target), free_ports=free)
    every = tuple(
        replace(m, routes=(_route(m, m.routes[0], target), *m.routes[1:]))
        if m.name == master
        else m
        for m in design.masters
    )
    return replace(design, masters=every)


Owner = TypeVar("Owner")


def _matches(
    design: Design, name: str, find: Callable[[Design], Mapping[str, Owner]]
) -> tuple[Owner, str] | None:
    """The part of the design that the longest prefix of `name` names, and the key after it."""
    known = find(design)
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        owner = ".".join(parts[:end])
        if owner in known:
            return known[owner], ".".join(parts[end:])
    return None


def _masters(design: Design) -> Mapping[str, list[Master]]:
    found: dict[str, list[Master]] = {}
    for master in design.masters:
        instance = master.name.rpartition(".")[0]
        for name in dict.fromkeys((master.name, instance, instance.rpartition("/")[2])):
            found.setdefault(name, []).append(master)
    whole = {m.instance for m in design.masters}
    # The last part of a name counts only where it is unique.
    return {
        name: masters
        for name, masters in found.items()
        if len({m.instance for m in masters}) == 1 or name in whole
    }


def _ports(design: Design) -> Mapping[str, Port]:
    found = {port.interface: port for port in design.ports}
    return {**found, **{port.name: port for port in design.ports}}


def _clocks(design: Design) -> Mapping[str, Clock]:
    return {clock.name: clock for clock in design.clocks}


def _blocks(design: Design) -> Mapping[str, str]:
    return {h.instance: h.instance for m in design.masters for r in m.routes for h in r.hops}


def _set_masters(design: Design, masters: list[Master], key: str, value: object) -> Design:
    way, _, last = key.rpartition(".")
    if last == "port":
        for master in masters:
            design = moved(design, master.name, _port_named(design, value))
        return design
    _check_key(key, (*MASTER_KEYS, *(f"{w}.{k}" for w in ("read", "write") for k in CHANNEL_KEYS)))
    names = {m.name for m in masters if not way or way in m.channels}
    if not names:
        raise AxiometerError(
            f"{masters[0].name} does not {way}",
            remedy=f"it can {' and '.join(masters[0].directions)}",
        )
    if last == "clock_mhz":
        design, clock = _with_clock(design, value)
        return _each(design, names, lambda m: replace(m, clock=clock))
    if last == "width_bits":
        bits = _width(key, value)
        return _each(design, names, lambda m: _stated(_both(_widened(design, m, bits)), last))
    if last == "stream_bits":
        bits = _whole(key, value, WIDTHS[-1])
        return _each(design, names, lambda m: _stated(replace(m, stream_bits=bits), last))
    number = _whole(key, _in(UNITS.get(last), key, value), CHANNEL_KEYS[last])
    ways = (way,) if way else ("read", "write")
    return _each(design, names, lambda m: _stated(_with_channels(m, ways, last, number), last))


def _both(master: Master) -> Master:
    """The master with a stream of its own width where one parameter sets both."""
    core = core_facts.core(master.core)
    facts = (core.master(master.interface) if core is not None else None) or {}
    own, stream = facts.get("width_bits"), facts.get("stream_bits")
    one = stream is not None and stream in (own, own[0] if isinstance(own, list) else own)
    return replace(master, stream_bits=master.width_bits) if one else master


def _stated(master: Master, figure: str) -> Master:
    """The master with a figure that the user states, so that it is unknown no more."""
    return replace(master, unknown=tuple(name for name in master.unknown if name != figure))


def _each(design: Design, names: set[str], change: Callable[[Master], Master]) -> Design:
    every = tuple(change(m) if m.name in names else m for m in design.masters)
    return replace(design, masters=every)


def _with_channels(master: Master, ways: tuple[str, ...], key: str, value: int) -> Master:
    made = {
        way: _with(channel, key, value) if way in ways else channel
        for way, channel in master.channels.items()
    }
    return replace(master, read=made.get("read"), write=made.get("write"))


def _with(channel: Channel, key: str, value: int) -> Channel:
    if key == "burst_beats":
        return replace(channel, burst_beats=value)
    if key == "outstanding":
        return replace(channel, outstanding=value)
    return replace(channel, rate_mbs=value)


def _widened(design: Design, master: Master, bits: int) -> Master:
    """The master at another width: its bursts pass whole up to the limits of master and port, and
    the converters before the port are assumed to have the port's width."""
    port = design.port(master.ports[0])
    hops = tuple(
        replace(hop, width_bits=min(max(hop.width_bits, bits), port.width_bits or bits))
        for hop in master.routes[0].hops
    )
    wide = replace(master, width_bits=bits)
    route = replace(_route(wide, master.routes[0], port), hops=hops)
    return replace(wide, routes=(route, *master.routes[1:]))


def _route(master: Master, before: Route, port: Port) -> Route:
    own = ps_facts.BURST_BEATS.get(master.protocol, 256) * master.width_bits // 8
    there = ps_facts.BURST_BEATS.get(port.protocol, 16) * (port.width_bits or 32) // 8
    hops = tuple(
        replace(hop, width_bits=port.width_bits, clock=port.clock)
        if number == len(before.hops) and port.name != before.port
        else hop
        for number, hop in enumerate(before.hops, 1)
    )
    blocks = [hop.burst_bytes for hop in hops if hop.burst_bytes]
    most = min(own, there, 4096, *blocks)
    return replace(before, port=port.name, hops=hops, burst_bytes_max=most)


def _set_port(design: Design, port: Port, key: str, value: object) -> Design:
    _check_key(key, PORT_KEYS)
    if key == "clock_mhz":
        design, clock = _with_clock(design, value)
        new = replace(port, clock=clock)
    else:
        new = replace(port, width_bits=_width(key, value), set_bits=None)
    design = replace(design, ports=tuple(new if p == port else p for p in design.ports))
    behind = {m.name for m in design.behind(port.name, None)}
    return _each(
        design,
        behind,
        lambda m: replace(m, routes=(_route(m, m.routes[0], new), *m.routes[1:])),
    )


def _set_clock(design: Design, clock: Clock, key: str, value: object) -> Design:
    _check_key(key, CLOCK_KEYS)
    new = Clock(clock.name, _mhz(value), source="set here")
    return replace(design, clocks=tuple(new if c == clock else c for c in design.clocks))


def _set_block(design: Design, instance: str, key: str, value: object) -> Design:
    """The design with a block that passes one transaction at a time (or any number), holds so many
    reads, or passes bursts of so many bytes."""
    _check_key(key, tuple(BLOCK_KEYS))
    if key == "one_at_a_time" and not isinstance(value, bool):
        raise AxiometerError(f"{key} is {shown(value)}", remedy="give true or false")
    most = BLOCK_KEYS[key]
    number = (1 if value else None) if key == "one_at_a_time" else _whole(key, value, most)

    def hop(before: Hop) -> Hop:
        if before.instance != instance:
            return before
        if key == "one_at_a_time":
            return replace(before, outstanding=number)
        is_reads = key == "reads"
        return replace(before, reads=number) if is_reads else replace(before, burst_bytes=number)

    def route(master: Master, before: Route) -> Route:
        new = replace(before, hops=tuple(map(hop, before.hops)))
        return before if new == before else _route(master, new, design.port(before.port))

    names = {m.name for m in design.masters}
    return _each(design, names, lambda m: replace(m, routes=tuple(route(m, r) for r in m.routes)))


def _with_clock(design: Design, value: object) -> tuple[Design, str]:
    mhz = _mhz(value)
    name = f"{mhz:g} MHz"
    if design.clock(name) is not None:
        return design, name
    made = Clock(name, mhz, source="set here")
    return replace(design, clocks=(*design.clocks, made)), name


def _port_named(design: Design, value: object) -> str:
    ports = (*design.ports, *design.free_ports)
    known = {p.interface: p.name for p in ports} | {p.name: p.name for p in ports}
    if not isinstance(value, str) or value not in known:
        raise AxiometerError(
            f"port is {shown(value)}", remedy=did_you_mean(str(value), known, "ports")
        )
    return known[value]


def _check_key(key: str, known: tuple[str, ...]) -> None:
    if key not in known:
        raise AxiometerError(
            f"there is no key {harmless.quoted(key)}",
            remedy=key_names.remedy(key, known, "keys"),
        )


def _width(key: str, value: object) -> int:
    for bits in WIDTHS:
        if value == bits and not isinstance(value, bool):
            return bits
    raise AxiometerError(
        f"{key} is {shown(value)}", remedy=f"give one of {', '.join(map(str, WIDTHS))}"
    )


def _whole(key: str, value: object, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise AxiometerError(
            f"{key} is {shown(value)}", remedy=f"give a whole number from 1 to {most}"
        )
    return value


def _in(unit: str | None, key: str, value: object) -> object:
    """A text with a unit ("150MHz") as a number of `unit`; any other value as it is."""
    if unit is None or not isinstance(value, str):
        return value
    try:
        found = units.quantity(value, unit)
    except ValueError as error:
        raise AxiometerError(f"{key} is {shown(value)}", remedy=str(error)) from None
    return value if found is None else units.plain(found)


def _mhz(value: object) -> float:
    value = _in("MHz", "a clock", value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= MOST_MHZ:
        raise AxiometerError(
            f"the clock is {shown(value)}", remedy=f"give MHz, from 1 to {MOST_MHZ}"
        )
    return value
