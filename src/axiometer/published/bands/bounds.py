"""Upper limits of the rates of a point, which end its bands. MB/s.

Wires carry a beat a clock in each direction, a master moves at most its requested rate (or a burst
in the clocks of its beats and gap), and all together at most the peak of the memory's bus.
"""

from __future__ import annotations

from collections.abc import Iterable

from axiometer.experiment import directions, listed, master_keys
from axiometer.experiment.values import Master, Values
from axiometer.platform import Platform

End = tuple[str, str]
"""A port or master, and "read" or "write"."""


def total(platform: Platform, values: Values) -> float | None:
    """The limit of a point's total; None where its wires are unknown."""
    of, masters = each(values), listed.masters(values)
    if not of:
        return None
    if not masters:
        return together(platform, of.values())
    ends = listed.at_ports(masters, lambda m, way: of[m["name"], way])
    return together(platform, ends.values())


def together(platform: Platform, rates: Iterable[float]) -> float:
    """The limit of the total for these limits of single rates: their sum, up to the peak of the
    memory's bus."""
    bus = platform.whole("dram.bus_bits") / 8 * 2 * platform.number("clocks.ddr_mhz")
    return min(sum(rates), float(bus))


def each(values: Values) -> dict[End, float]:
    """The limit of each master of a point, or of the processor's port, by direction."""
    masters = listed.masters(values)
    if masters:
        return {
            (m["name"], way): _of_master(m, way)
            for m in masters
            for way in master_keys.directions(m)
        }
    width, mhz = values.get("width_bits"), values.get("pl_mhz")
    if not width or not mhz:
        return {}
    most = _paced(values, width, mhz)
    ways = directions.ways(values.get("mode") or "")
    return {(port, way): most for port in values.get("ports") or () for way in ways}


def _of_master(master: Master, way: str) -> float:
    most = _paced(master, master["width_bits"], master["link_mhz"])
    asked = master_keys.asked_mbs(master, way)
    return most if asked is None else min(most, float(asked))


def _paced(of: Values | Master, width: int, mhz: float) -> float:
    """The rate of a burst in the clocks of its beats and of the gap after it."""
    burst = of.get("burst_bytes")
    if not burst:
        return float(width / 8 * mhz)
    beats = -(-burst * 8 // width)
    return float(burst / (beats + (of.get("gap_cycles") or 0)) * mhz)
