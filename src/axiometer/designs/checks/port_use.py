"""Masters: enough in flight, long transfers and bursts, the port's width used."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.designs import core_facts
from axiometer.designs.checks.finding import (
    ADVICE,
    MISTAKE,
    Finding,
    data_routes,
    facts_of,
    setting,
)
from axiometer.designs.model import DESCRIPTORS, Design, Master, Port, Route

SHORT_LENGTH_BITS = 16
LONG_LENGTH_BITS = 23
SHORT_BURST_BYTES, LONG_BURST_BYTES = 64, 128
ENOUGH_OUTSTANDING = 4
MODIFIABLE = 0b0010  # AxCACHE[1]: what stands between may merge narrow beats


def one_outstanding(design: Design) -> Iterator[Finding]:
    """A master that waits for each burst before it asks for the next."""
    for master, _, _ in _once(design):
        for direction in master.directions:
            if master.channels[direction].outstanding == 1:
                name = setting(master, direction, "outstanding")
                by = f" ({name})" if name else ""
                yield Finding(
                    "one-outstanding",
                    MISTAKE,
                    master.name,
                    f"{master.name} has one {direction} outstanding: it moves one burst in the "
                    "time that the memory takes to answer.",
                    f"Let it have 4 or more outstanding {direction}s{by}.",
                    ((f"{master.name}.{direction}.outstanding", ENOUGH_OUTSTANDING),),
                )


def one_at_a_time(design: Design) -> Iterator[Finding]:
    """A block on the way that lets one transaction through at a time."""
    seen = set()
    for master, route, _ in data_routes(design):
        for hop in route.hops:
            if hop.outstanding == 1 and hop.instance not in seen:
                seen.add(hop.instance)
                yield Finding(
                    "one-at-a-time",
                    MISTAKE,
                    hop.instance,
                    f"{hop.instance}, on the way of {master.name}: {_limit(hop.effects)}.",
                    "Choose the strategy or mode for performance for what carries data.",
                    ((f"{hop.instance}.one_at_a_time", False),),
                )


def short_length(design: Design) -> Iterator[Finding]:
    """A DMA whose length register makes transfers short."""
    seen = set()
    for master, _, _ in data_routes(design):
        bits = master.length_bits
        if bits is None or bits > SHORT_LENGTH_BITS or master.instance in seen:
            continue
        seen.add(master.instance)
        chained = any(
            m.instance == master.instance and m.role == DESCRIPTORS for m in design.masters
        )
        name = _name_of_length(master)
        yield Finding(
            "short-length",
            ADVICE if chained else MISTAKE,
            master.instance,
            f"{master.instance} ({master.title}) has {bits} bits for a transfer's length: at most "
            f"{2**bits - 1} bytes, after which the processor"
            f"{'’s next descriptor' if chained else ''} must start the next.",
            f"Set {name} to {LONG_LENGTH_BITS} or more.",
        )


def short_bursts(design: Design) -> Iterator[Finding]:
    """A master whose bursts reach the port as pieces that the memory is bad at."""
    for master, route, port in _once(design):
        for direction in master.directions:
            size, bits = master.burst_bytes(direction, route), max(1, master.width_bits)
            if size < SHORT_BURST_BYTES:
                name = setting(master, direction, "burst_beats")
                yield Finding(
                    "short-bursts",
                    ADVICE,
                    master.name,
                    f"{master.name} {direction}s in bursts of {size} bytes at {port.interface}.",
                    f"Let its bursts be 128 bytes or more{f' ({name})' if name else ''}.",
                    ((f"{master.name}.{direction}.burst_beats", LONG_BURST_BYTES * 8 // bits),),
                )


def burst_not_taken(design: Design) -> Iterator[Finding]:
    """A master whose bursts are none of those that its port takes."""
    for master, route, port in data_routes(design):
        beats = facts_of(design, port).get("burst_beats")
        if not beats:
            continue
        sizes = [count * port.width_bits // 8 for count in beats]
        for direction in master.directions:
            size = master.burst_bytes(direction, route)
            if size not in sizes:
                name = setting(master, direction, "burst_beats")
                taken = " or ".join(map(str, sizes))
                yield Finding(
                    "burst-not-taken",
                    MISTAKE,
                    master.name,
                    f"{master.name} {direction}s in bursts of {size} bytes, {port.interface} takes "
                    f"{taken} and answers all others with an error.",
                    f"Let its bursts be {sizes[-1]} bytes, aligned"
                    f"{f' ({name})' if name else ''}, or take another port.",
                    no_rate="its requests fail, and move nothing",
                )


def narrow_master(design: Design) -> Iterator[Finding]:
    """Masters that cannot fill their ports; those of one width in one finding."""
    alike: dict[tuple[int, int], list[Master]] = {}
    for master, _, port in _once(design):
        if 0 < master.width_bits < port.width_bits:
            alike.setdefault((master.width_bits, port.width_bits), []).append(master)
    for (bits, wide), masters in alike.items():
        names = dict.fromkeys(setting(master, None, "width_bits") for master in masters)
        by = ", ".join(name for name in names if name)
        yield Finding(
            "narrow-master",
            ADVICE,
            ", ".join(master.name for master in masters),
            f"{', '.join(master.name for master in masters)}: {bits} bits at ports of {wide}, at "
            f"most {bits // 8} bytes a clock each{_rate(design, masters, bits)}.",
            f"What must move more, make {wide} bits wide{f' ({by})' if by else ''}.",
            tuple((f"{master.name}.width_bits", wide) for master in masters),
        )


def _rate(design: Design, masters: list[Master], bits: int) -> str:
    """ ", 400 MB/s", where all have one clock that is known."""
    clocks = {design.clock(master.clock) for master in masters}
    clock = clocks.pop() if len(clocks) == 1 else None
    return f", {bits // 8 * clock.mhz:.0f} MB/s" if clock else ""


def no_upsizing(design: Design) -> Iterator[Finding]:
    """Narrow bursts that nothing on the way may merge, because AxCACHE forbids it."""
    for master, route, port in data_routes(design):
        widened = max([port.width_bits, *(hop.width_bits for hop in route.hops)])
        for direction in master.directions:
            cache = master.channels[direction].cache
            if cache is None or cache & MODIFIABLE or widened <= master.width_bits:
                continue
            name = setting(master, direction, "cache")
            signal = "ARCACHE" if direction == "read" else "AWCACHE"
            yield Finding(
                "no-upsizing",
                MISTAKE,
                master.name,
                f"{master.name} drives {signal} = 0b{cache:04b}, not modifiable: its "
                f"{master.width_bits}-bit beats stay narrow on the {widened} bits of the way.",
                f"Drive {signal} = 0b0011{f' ({name} = 3)' if name else ''}.",
            )


def _once(design: Design) -> Iterator[tuple[Master, Route, Port]]:
    """Each data master with its first way."""
    seen = set()
    for master, route, port in data_routes(design):
        if master.name not in seen:
            seen.add(master.name)
            yield master, route, port


def _limit(effects: tuple[str, ...]) -> str:
    return next((effect for effect in effects if "at a time" in effect), effects[-1])


def _name_of_length(master: Master) -> str:
    core = core_facts.core(master.core)
    spec = core.length_bits if core is not None else None
    names = spec if isinstance(spec, list) else [spec]
    return next((name for name in names if isinstance(name, str)), "the length register's width")
