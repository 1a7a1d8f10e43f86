"""What lies behind the rates that a design's masters ask for, in words.

A list of masters has the peak of a stream or of a narrow link as the rate that a master asks for.
Only the design knows which it is, and what to change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from axiometer.answer.verdicts.designed import Part
from axiometer.base.units import short_rate
from axiometer.designs import Design
from axiometer.designs.checks import peaks, port_use
from axiometer.designs.checks.finding import setting
from axiometer.designs.model import Hop, Master
from axiometer.designs.plan import planned, stream_mbs
from axiometer.present import bottleneck_text
from axiometer.present.text import listing

_ASKED, _SHOWN, _ALMOST = "asked", 3, 1.001
_BURSTS = ("master", "burst")  # causes: outstanding bursts, and their length


def limit(design: Design, part: Part) -> tuple[str, str, str]:
    """The limit of a part: its cause, name and sentence."""
    said = sentence(design, part) or bottleneck_text.said(part.verdict)
    return part.verdict.cause, name(design, part), said


def name(design: Design, part: Part) -> str:
    """The short name of the limit of a part."""
    kinds = dict.fromkeys(kind for kind, _ in _each(design, part))
    return " and ".join(kinds) or bottleneck_text.name(part.verdict)


def sentence(design: Design, part: Part) -> str:
    """What carries no more, with its rate; "" where it is not the masters' way that limits."""
    each = [words for _, words in _each(design, part)]
    if len(each) > _SHOWN:
        each = [*each[:_SHOWN], f"{len(each) - _SHOWN} more"]
    return f"No more comes from {listing(each)}." if each else ""


def advice(design: Design, part: Part) -> str:
    """What to change for more."""
    if not sentence(design, part):
        return bottleneck_text.advice(part.verdict)
    by_name = {master.name: master for master in design.masters}
    masters = [by_name[name] for name in part.masters]
    if part.verdict.cause in _BURSTS:
        raised = [name for hop, _ in _blocks(masters) for name in port_use.block_settings(hop)]
        return f"For more, raise {listing([*dict.fromkeys(raised)])}."
    wide = {m.name: design.port(m.ports[0]).width_bits for m in masters}
    names = (setting(m, None, key) for m in masters for key in peaks.narrow(m, wide[m.name]))
    by = listing([*dict.fromkeys(filter(None, names))])
    return f"For more, widen what carries no more{f' ({by})' if by else ''}, or clock it faster."


def _each(design: Design, part: Part) -> Iterator[tuple[str, str]]:
    """The limit of each master of a part, if all get what they ask for: its kind, and words."""
    by_name = {master.name: master for master in design.masters}
    if part.verdict.cause in _BURSTS:
        for _, words in _blocks([by_name[name] for name in part.masters]):
            yield bottleneck_text.name(part.verdict), words
    if part.verdict.cause != _ASKED:
        return
    names = planned(design).asked.names()
    seen = set()
    for share in part.outcome.shares:
        load, master = share.load, by_name[share.load.master]
        asked = master.channels[load.direction].rate_mbs
        if load.master in seen or (asked is not None and asked <= load.link_mbs * _ALMOST):
            continue
        seen.add(load.master)
        called, carry = names[load.master], f"carry {short_rate(load.link_mbs)} MB/s"
        most = stream_mbs(design, master)
        if most is not None and most <= load.link_mbs * _ALMOST:
            clock = design.clock(master.stream_clock or master.clock)
            mhz = f" at {clock.mhz:.6g} MHz" if clock else ""
            yield "stream", f"the stream of {called} ({master.stream_bits} bits{mhz} {carry})"
        elif load.width_bits / 8 * load.pl_mhz > load.link_mbs * _ALMOST:
            peak = short_rate(load.width_bits / 8 * load.pl_mhz)
            gap = master.channels[load.direction].gap_cycles
            own = f"{load.width_bits} bits at {load.pl_mhz:.6g} MHz are {peak} MB/s, less {gap} "
            own += f"clocks after each burst: {short_rate(load.link_mbs)}"
            yield "the master's own pace", f"{called} ({own})"
        else:
            mhz = f" at {load.pl_mhz:.6g} MHz"
            yield "link", f"{called} ({load.width_bits} bits{mhz} on its way {carry})"


def _blocks(masters: Sequence[Master]) -> Iterator[tuple[Hop, str]]:
    """Bridges that pass few reads, or cut bursts, with words on them."""
    seen = set()
    for master in masters:
        own = max(c.burst_beats for c in master.channels.values()) * master.width_bits // 8
        for hop in master.routes[0].hops:
            cuts = hop.burst_bytes is not None and hop.burst_bytes < own
            few = hop.reads is not None and "read" in master.directions
            words = [f"bursts of {hop.burst_bytes} bytes at most"] * cuts
            words += [f"{hop.reads} read{'s' * (hop.reads != 1)} at a time"] * few
            if words and hop.instance not in seen:
                seen.add(hop.instance)
                yield hop, f"{hop.instance}, which passes {listing(words)}"
