"""The features of a point that decide which validated rows are like it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from axiometer.experiment import between, directions, listed, master_keys
from axiometer.experiment.values import Master, Values
from axiometer.platform import Platform

TOTAL, EACH = "total", "each"
"""Kinds of rates: of all ports and directions together, or of one port in one direction."""

SETTINGS: Mapping[str, str] = {
    "chip": "chip",
    "rate": "rate of one port alone",
    "master": "kind of master",
    "direction": "direction",
    "interface": "interface",
    "sharing": "masters at one port",
    "through": "blocks before the port",
    "flight": "outstanding bursts",
    "slave": "slave",
    "program": "program",
    "load": "load",
    "pattern": "order of addresses",
    "mapping": "address mapping",
    "qos": "QoS classes",
    "system": "operating system",
    "cache": "caches",
    "size": "transfer size",
}
"""Features that a row must share with a point to be like it, with their names in sentences."""

MEMORY = "memory"
"""A feature of the board, and its name in sentences."""
CLOCK = "PL clock"
"""The name of the feature `pl_mhz` in sentences."""

LONE = "one"
"""Value of the feature `flight`: a burst is issued when the previous one has ended."""

Features = dict[str, str | float]
"""Features by name; `pl_mhz` is a number, all others are texts."""

# Least bytes of a transfer of each size.
_SIZES = {"long": 64 * 1024, "medium": 1024, "short": 0}
_SHORT = ("medium", "short")
_PROGRAM = ("dma_program", "io", "memory_type")
_IN_FABRIC = ("dma", "engine")


def of(platform: Platform, values: Values, rate: str = TOTAL) -> Features:
    """The features of a rate of a point with `values` on `platform`: of the total (`TOTAL`), or of
    one port or master in one direction (`EACH`)."""
    masters = listed.masters(values)
    own = _of_masters(values, masters) if masters else _of_processor(values)
    duration = values.get("duration_s")
    size = "free run" if duration else _class(values.get("transfer_bytes") or 0, _SIZES)
    return {
        "chip": platform.family,
        "rate": rate,
        "mapping": values.get("mapping", ""),
        "qos": "as the board sets them" if not values.get("qos") else "set",
        "size": size,
        "memory": _memory(platform),
        **own,
        "through": _beyond(platform, str(own["through"])),
        "program": own["program"] or _starts(values, size),
    }


def _beyond(platform: Platform, through: str) -> str:
    """The blocks before the ports that the ports' figures do not include."""
    return between.beyond(through or None, platform.word("master.through", None)) or ""


def _starts(values: Values, size: str) -> str:
    """The program that starts the transfers, if they are short enough for it to matter."""
    return (values.get("program") or "") if size in _SHORT else ""


def _memory(platform: Platform) -> str:
    return f"{platform.word('dram.type', 'DRAM')}, {platform.whole('dram.bus_bits')} bit"


def clock(point: Features) -> float:
    """MHz of the PL clock."""
    return float(point["pl_mhz"])


def sides(point: Features) -> frozenset[str]:
    """The sides with masters in these features: the fabric, the processor, or both."""
    kinds = str(point["master"]).split("+")
    return frozenset("fabric" if kind in _IN_FABRIC else "processor" for kind in kinds)


def _of_processor(values: Values) -> Features:
    ways = directions.ways(values["mode"])
    return {
        "master": values["master"],
        "direction": ways[0] if len(ways) == 1 else "both",
        "interface": _interface(values["ports"]),
        "load": "full",
        "pattern": _pattern([values["pattern"]]),
        "sharing": "one",
        "through": values.get("through") or "",
        "flight": "",
        "slave": values.get("slave") or "",
        "program": ", ".join(str(values.get(k)) for k in _PROGRAM),
        "system": values["os"],
        "cache": f"{values['cache']}, {values['cache_control']}",
        "pl_mhz": float(values["pl_mhz"]),
    }


def _of_masters(values: Values, masters: Sequence[Master]) -> Features:
    kinds = sorted({"engine" if m.get("engine") else m["kind"] for m in masters})
    ways = {_directions(m) for m in masters}
    part = values.get("background") or any(m["rate_mbs"] or m["gap_cycles"] for m in masters)
    flight = {master_keys.outstanding(m, way) for m in masters for way in master_keys.directions(m)}
    ends = Counter((m["way"], way) for m in masters for way in master_keys.directions(m))
    return {
        "master": values["master"] if kinds == ["engine"] else "+".join(kinds),
        "direction": ways.pop() if len(ways) == 1 else "both",
        "interface": _interface([m["way"] for m in masters]),
        "load": "part" if part else "full",
        "pattern": _pattern([m.get("pattern") or "sequential" for m in masters]),
        "sharing": "several" if max(ends.values(), default=1) > 1 else "one",
        "through": "+".join(sorted({m.get("through") or "" for m in masters} - {""})),
        "flight": LONE if flight == {1} else "",
        "slave": "",
        "program": "",
        "system": "",
        "cache": "",
        "pl_mhz": float(max(m["link_mhz"] for m in masters)),
    }


def _directions(master: Master) -> str:
    found = master.get("direction") or master_keys.OPERATIONS.get(master.get("operation") or "", "")
    return found if found in ("read", "write") else "both"


def _interface(ports: Sequence[str]) -> str:
    """The ports without their numbers: HP for HP0+HP2."""
    return "+".join(sorted({re.sub(r"\d+$", "", port) for port in ports}))


def _pattern(patterns: Sequence[str]) -> str:
    return "+".join(sorted({pattern.split(":")[0] for pattern in patterns}))


def _class(value: int, least: Mapping[str, int]) -> str:
    return next(name for name, bound in least.items() if value >= bound)
