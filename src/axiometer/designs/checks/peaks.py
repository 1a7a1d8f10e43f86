"""Peaks of masters and ports by widths and clocks, and what of a master is narrow."""

from __future__ import annotations

import math
from collections.abc import Sequence

from axiometer.designs import plan
from axiometer.designs.find_masters import STREAM_BITS, WIDTH
from axiometer.designs.model import Design, Master, Port, Route


def narrowest(master: Master) -> int:
    """Bits of the narrower of its memory side and its stream."""
    return min(master.width_bits, master.stream_bits or master.width_bits)


def narrow(master: Master, wide: int) -> list[str]:
    """What must be `wide` bits for the master to carry as much: its memory side, its stream, or
    both."""
    sides = ((WIDTH, master.width_bits), (STREAM_BITS, master.stream_bits or wide))
    return [name for name, bits in sides if bits < wide]


def could(design: Design, master: Master, route: Route, bits: int) -> float | None:
    """MB/s of a master with `bits` bits, by the links on its way; None where a clock is unknown."""
    port = design.port(route.port)
    links = [(bits, master.clock), (port.width_bits, port.clock)]
    links += [(bits, master.stream_clock)] if master.stream_clock else []
    links += [(max(bits, hop.width_bits), hop.clock) for hop in route.hops]
    rates = [c.mhz * w / 8 if (c := design.clock(name)) else None for w, name in links if w]
    wanted = [of.rate_mbs for of in master.channels.values() if of.rate_mbs]
    return None if None in rates else min(filter(None, [*rates, *wanted]))


def peak(design: Design, master: Master) -> float | None:
    """MB/s of a master by the links on its way; None where a clock is unknown."""
    return could(design, master, master.routes[0], narrowest(master))


def rate(design: Design, port: Port, bits: int) -> float:
    """MB/s of a port of `bits` bits in one direction; 0 where its clock is unknown."""
    clock = design.clock(port.clock)
    return clock.mhz * bits / 8 if clock else 0.0


def fills(design: Design, master: Master, port: Port) -> bool:
    """Whether a master could send more than its port carries, by its own width, stream, clock and
    requests. An unknown clock hinders nothing."""
    own, most = design.clock(master.clock), rate(design, port, port.width_bits)
    if own is None or not most:
        return True
    wanted = [of.rate_mbs for of in master.channels.values() if of.rate_mbs]
    limits = [master.width_bits / 8 * own.mhz, plan.stream_mbs(design, master), *wanted]
    return min(of for of in limits if of is not None) > most


def asked(design: Design, masters: Sequence[Master]) -> float | None:
    """MB/s that masters of one direction ask for together; None where a clock is unknown."""
    most = [peak(design, m) for m in masters]
    return None if None in most else math.fsum(of or 0 for of in most)


def overfill(design: Design, masters: Sequence[Master], port: Port) -> bool:
    """Whether masters of one direction ask for more than a port carries; not where what they ask
    for is unknown."""
    most = None if any(m.unknown for m in masters) else asked(design, masters)
    return most is not None and most > rate(design, port, port.width_bits)
