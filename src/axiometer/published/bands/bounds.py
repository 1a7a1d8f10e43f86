"""What no rate of a point exceeds, whatever the chip does: a band ends there.

Wires carry a beat a clock in each direction, a master moves no more than it asks for (its rate, or
a burst and its gap), and all together no more than the memory's bus. MB/s.
"""

from __future__ import annotations

from collections.abc import Iterable

from axiometer.experiment import master_keys
from axiometer.experiment.values import Master, Values
from axiometer.platform import Platform

_WAYS = {"ps_to_pl": ("read",), "pl_to_ps": ("write",), "read": ("read",), "write": ("write",)}
End = tuple[str, str]
"""A port or master, and "read" or "write"."""


def total(platform: Platform, values: Values) -> float | None:
    """What a point moves at most; None where nothing is known of its wires."""
    masters = values.get("masters") or ()
    of = each(values)
    if not of:
        return None
    if not masters:
        return together(platform, of.values())
    ends: dict[End, tuple[float, float]] = {}
    for m in masters:
        for way in master_keys.directions(m):
            asked, wires = ends.get((m["way"], way), (0.0, 0.0))
            link = m["width_bits"] / 8 * m["link_mhz"]
            ends[m["way"], way] = asked + of[m["name"], way], max(wires, link)
    return together(platform, (min(end) for end in ends.values()))


def together(platform: Platform, rates: Iterable[float]) -> float:
    """What so much at each end of the memory's ways makes at most: no more than its bus carries."""
    bus = platform.whole("dram.bus_bits") / 8 * 2 * platform.number("clocks.ddr_mhz")
    return min(sum(rates), float(bus))


def each(values: Values) -> dict[End, float]:
    """What each port, or each of a point's masters, moves at most in each direction."""
    masters = values.get("masters") or ()
    if masters:
        return {
            (m["name"], way): _of_master(m, way)
            for m in masters
            for way in master_keys.directions(m)
        }
    width, mhz = values.get("width_bits"), values.get("pl_mhz")
    if not width or not mhz:
        return {}
    own = _paced(values, width, mhz) * (values.get("masters_per_port") or 1)
    most = min(width / 8 * mhz, own)
    ways = _WAYS.get(values.get("mode") or "", ("read", "write"))
    return {(port, way): most for port in values.get("ports") or () for way in ways}


def _of_master(master: Master, way: str) -> float:
    most = _paced(master, master["width_bits"], master["link_mhz"])
    asked = master_keys.asked_mbs(master, way)
    return most if asked is None else min(most, float(asked))


def _paced(of: Values | Master, width: int, mhz: float) -> float:
    """A burst's bytes in the clocks of its beats and of the gap behind it."""
    burst = of.get("burst_bytes")
    if not burst:
        return float(width / 8 * mhz)
    beats = -(-burst * 8 // width)
    return float(burst / (beats + (of.get("gap_cycles") or 0)) * mhz)
