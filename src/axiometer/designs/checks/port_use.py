"""Checks of masters: outstanding bursts, lengths of transfers and bursts, the width of the port."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.designs import core_facts
from axiometer.designs.checks import peaks
from axiometer.designs.checks.finding import (
    ADVICE,
    MISTAKE,
    Finding,
    data_routes,
    facts_of,
    setting,
)
from axiometer.designs.find_masters import BURST, STREAM_BITS, WIDTH
from axiometer.designs.model import DESCRIPTORS, Design, Hop, Master, Port, Route

SHORT_LENGTH_BITS = 16
LONG_LENGTH_BITS = 23
SHORT_BURST_BYTES, LONG_BURST_BYTES = 64, 128
ENOUGH_OUTSTANDING = 4
WORTH_WIDENING = 1.05  # of rates by widths and clocks
MODIFIABLE = 0b0010  # AxCACHE[1]: blocks before the port may merge narrow beats


def one_outstanding(design: Design) -> Iterator[Finding]:
    """A master that waits for each burst before it issues the next."""
    for master, _, _ in _once(design):
        for direction in master.directions:
            if master.channels[direction].outstanding == 1:
                name = setting(master, direction, "outstanding")
                by = f" ({name})" if name else ""
                yield Finding(
                    "one-outstanding",
                    MISTAKE,
                    master.name,
                    f"{master.name} has one {direction} outstanding: it moves one burst per "
                    "memory latency.",
                    f"Allow 4 or more outstanding {direction}s{by}.",
                    ((f"{master.name}.{direction}.outstanding", ENOUGH_OUTSTANDING),),
                )


def one_at_a_time(design: Design) -> Iterator[Finding]:
    """A block before the port that passes one transaction at a time."""
    seen = set()
    for master, route, _ in data_routes(design):
        for hop in route.hops:
            if hop.outstanding == 1 and hop.instance not in seen:
                seen.add(hop.instance)
                yield Finding(
                    "one-at-a-time",
                    MISTAKE,
                    hop.instance,
                    f"{hop.instance}, between {master.name} and its port: {_limit(hop.effects)}.",
                    "Select the strategy or mode for performance.",
                    ((f"{hop.instance}.one_at_a_time", False),),
                )


def few_reads(design: Design) -> Iterator[Finding]:
    """A bridge before the port that holds few reads."""
    seen = set()
    for master, route, _ in data_routes(design):
        for hop in route.hops if "read" in master.directions else ():
            few = hop.reads is not None and hop.reads < ENOUGH_OUTSTANDING
            if few and hop.instance not in seen:
                seen.add(hop.instance)
                yield Finding(
                    "few-reads",
                    MISTAKE if hop.reads == 1 else ADVICE,
                    hop.instance,
                    f"{hop.instance}, between {master.name} and its port, "
                    f"{_limit(hop.effects)}: it moves as many bursts per memory latency.",
                    f"Let {hop.instance} pass 4 reads or more "
                    f"({block_setting(hop, 'reads', 'read_beats')}).",
                    ((f"{hop.instance}.reads", ENOUGH_OUTSTANDING),),
                    is_for_rate=True,
                )


def block_setting(hop: Hop, *figures: str) -> str:
    """The parameter of a block that sets the first of these figures that its core has."""
    core = core_facts.core(hop.core)
    return next((str(of) for name in figures if (of := getattr(core, name, None))), "")


def block_settings(hop: Hop) -> list[str]:
    """The parameters of a block that set the bursts and the reads that it passes."""
    kinds = (("burst_beats", "burst_bits"), ("reads", "read_beats"))
    return [name for kind in kinds if (name := block_setting(hop, *kind))]


def short_length(design: Design) -> Iterator[Finding]:
    """A DMA engine whose length register limits transfers to few bytes."""
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
            f"{master.instance} ({master.title}) has a length register of {bits} bits: a transfer "
            f"moves at most {2**bits - 1} bytes, then "
            f"{'a new descriptor' if chained else 'the processor'} starts the next.",
            f"Set {name} to {LONG_LENGTH_BITS} or more.",
        )


def short_bursts(design: Design) -> Iterator[Finding]:
    """A master whose bursts are shorter at the port than the memory handles well."""
    for master, route, port in _once(design):
        for direction in master.directions if BURST not in master.unknown else ():
            size, bits = master.burst_bytes(direction, route), max(1, master.width_bits)
            own = master.channels[direction].burst_beats * bits // 8
            cuts = [hop for hop in route.hops if hop.burst_bytes == size < own]
            if size < SHORT_BURST_BYTES and cuts:
                block = cuts[0].instance
                yield Finding(
                    "short-bursts",
                    ADVICE,
                    block,
                    f"{block} cuts the bursts of {master.name} from {own} to {size} bytes.",
                    f"Let {block} pass bursts of 128 bytes or more "
                    f"({block_setting(cuts[0], 'burst_beats', 'burst_bits')}).",
                    ((f"{block}.burst_bytes", LONG_BURST_BYTES),),
                    is_for_rate=True,
                )
            elif size < SHORT_BURST_BYTES:
                name = setting(master, direction, "burst_beats")
                yield Finding(
                    "short-bursts",
                    ADVICE,
                    master.name,
                    f"{master.name} {direction}s in bursts of {size} bytes at {port.interface}.",
                    f"Use bursts of 128 bytes or more{f' ({name})' if name else ''}.",
                    ((f"{master.name}.{direction}.burst_beats", LONG_BURST_BYTES * 8 // bits),),
                    is_for_rate=True,
                )


def burst_not_taken(design: Design) -> Iterator[Finding]:
    """A master whose bursts have a size that its port does not accept."""
    for master, route, port in data_routes(design):
        beats = facts_of(design, port).get("burst_beats")
        if not beats:
            continue
        sizes = [count * port.width_bits // 8 for count in beats]
        for direction in master.directions if not {WIDTH, BURST} & set(master.unknown) else ():
            size = master.burst_bytes(direction, route)
            if size not in sizes:
                name = setting(master, direction, "burst_beats")
                taken = " or ".join(map(str, sizes))
                yield Finding(
                    "burst-not-taken",
                    MISTAKE,
                    master.name,
                    f"{master.name} {direction}s in bursts of {size} bytes; {port.interface} "
                    f"accepts {taken} and answers all others with an error.",
                    f"Use aligned bursts of {sizes[-1]} bytes"
                    f"{f' ({name})' if name else ''}, or another port.",
                    no_rate="its requests fail and move no data",
                )


def narrow_master(design: Design) -> Iterator[Finding]:
    """Masters whose memory side is narrower than their port, which carries less for it; one finding
    for each pair of widths. Not where a stream or anything else on the way carries no more, others
    fill the port, or a width is unknown."""
    alike: dict[tuple[int, int], list[Master]] = {}
    for master, route, port in _once(design):
        bits, wide = master.width_bits, port.width_bits
        if not 0 < bits < wide or {WIDTH, STREAM_BITS} & set(master.unknown):
            continue
        limits = (master.stream_bits or wide) > bits
        now, wider = (peaks.could(design, master, route, of) for of in (bits, wide))
        gains = now is not None and wider is not None and wider > now * WORTH_WIDENING
        if gains and limits and any(_has_room(design, port, of) for of in master.directions):
            alike.setdefault((bits, wide), []).append(master)
    for (bits, wide), masters in alike.items():
        names = dict.fromkeys(setting(master, None, WIDTH) for master in masters)
        by = ", ".join(name for name in names if name)
        shown = ", ".join(master.name for master in masters)
        rates = {peaks.peak(design, master) for master in masters}
        most = f", {rates.pop() or 0:.0f} MB/s" if len(rates) == 1 else ""
        yield Finding(
            "narrow-master",
            ADVICE,
            shown,
            f"{shown}: {bits} bits at {wide}-bit ports, at most {bits // 8} bytes a clock each"
            f"{most}.",
            f"Where more is needed, use {wide} bits{f' ({by})' if by else ''}.",
            tuple((f"{master.name}.{WIDTH}", wide) for master in masters),
            is_for_rate=True,
        )


def _has_room(design: Design, port: Port, direction: str) -> bool:
    """Whether its masters together fill less than a port carries in a direction."""
    sharing = [m for m in design.behind(port.name) if direction in m.channels]
    used = peaks.asked(design, sharing)
    return used is not None and used < peaks.rate(design, port, port.width_bits)


def no_upsizing(design: Design) -> Iterator[Finding]:
    """Narrow beats that no block may merge, because AxCACHE is not modifiable."""
    for master, route, port in data_routes(design):
        widened = max([port.width_bits, *(hop.width_bits for hop in route.hops)])
        for direction in master.directions:
            cache = master.channels[direction].cache
            if WIDTH in master.unknown or widened <= master.width_bits:
                continue
            if cache is None or cache & MODIFIABLE:
                continue
            name = setting(master, direction, "cache")
            signal = "ARCACHE" if direction == "read" else "AWCACHE"
            yield Finding(
                "no-upsizing",
                MISTAKE,
                master.name,
                f"{master.name} drives {signal} = 0b{cache:04b}, not modifiable: its "
                f"{master.width_bits}-bit beats stay narrow on a path of {widened} bits.",
                f"Drive {signal} = 0b0011{f' ({name} = 3)' if name else ''}.",
            )


def _once(design: Design) -> Iterator[tuple[Master, Route, Port]]:
    """Each data master with its first route."""
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
