"""The DRAM in the parameters of a processor system, by the `[memory]` of `exports.toml`."""

from __future__ import annotations

import re
from collections.abc import Callable

from axiometer.designs.model import Memory
from axiometer.designs.netlist import Module
from axiometer.designs.ps_facts import Facts

_NUMBER = re.compile(r"\d{1,9}(?:\.\d{0,9})?")
MAX_MHZ, MAX_BITS, MAX_MIB = 10_000, 1024, 2**20


def memory(ps: Module, facts: Facts) -> Memory | None:
    """The memory, or None where the parameters lack its type, bus width or clock, or all of them
    are the core's defaults: a script that leaves the memory to a preset says nothing of it."""
    if not any(isinstance(key, str) and ps.given(key) for key in facts.values()):
        return None

    def number(key: str) -> float:
        found = _NUMBER.match((ps.parameter(facts.get(key, "")) or "").strip())
        return float(found[0]) if found else 0.0

    kind = facts["types"].get((ps.parameter(facts["type"]) or "").strip())
    bits, mhz = int(number("bus_bits")), number("mhz")
    if kind is None or not 0 < bits <= MAX_BITS or not 0 < mhz <= MAX_MHZ:
        return None
    return Memory(kind, bits, mhz, _size(bits, number))


def _size(bits: int, number: Callable[[str], float]) -> int:
    """MiB of the devices that fill the bus, in all ranks; 0 where the parameters lack it."""
    device = number("device_bits")
    if not device:
        return 0
    devices = bits / device * 2 ** min(number("rank_bits"), 3)
    size = number("device_Mbit") / 8 * devices
    return int(size) if size <= MAX_MIB else 0
