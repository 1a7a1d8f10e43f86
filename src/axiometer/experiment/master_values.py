"""What each key of a `[[master]]` table may be, and how it is normalised.

A parser gets the value as the file wrote it, the platform, and the master's values so far; it
returns the normalised value or raises `BadValueError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from axiometer.errors import BadValueError, did_you_mean
from axiometer.experiment import keys, keys_usp, master_keys
from axiometer.experiment.keys import KEYS, Values
from axiometer.platform import Platform, limits


def _port(raw: Any, platform: Platform, own: Values) -> str:
    found = KEYS["ports"].parse(raw, platform, own)
    if len(found) != 1:
        raise BadValueError(f"port is {limits.shown(raw)}", "name one port of each master")
    if not platform.has(f"port.{found[0]}.path"):
        good = ", ".join(p for p in platform.ports if platform.has(f"port.{p}.path"))
        raise BadValueError(f"port {found[0]} has no way to the memory of its own", good)
    return found[0]


def _direction(raw: Any, platform: Platform, own: Values) -> str:
    if raw not in master_keys.DIRECTIONS:
        hint = did_you_mean(limits.shown(raw), master_keys.DIRECTIONS, "known values")
        raise BadValueError(f"direction is {limits.shown(raw)}", hint)
    if raw == "pair" and keys_usp.runs_freely(platform):
        raise BadValueError(f"the engines of {platform.name} are not pairs", 'give "both"')
    return raw


def _as(name: str) -> Callable[[Any, Platform, Values], Any]:
    """As the key `name` of a point, at the master's port and width."""

    def parse(raw: Any, platform: Platform, own: Values) -> Any:
        return KEYS[name].parse(raw, platform, {**own, "ports": [own["port"]]})

    return parse


def _outstanding(raw: Any, platform: Platform, own: Values) -> int:
    names = {"read": ("outstanding_read",), "write": ("outstanding_write",)}
    both = ("outstanding_read", "outstanding_write")
    return min(KEYS[name].parse(raw, platform, own) for name in names.get(own["direction"], both))


def _rate(raw: Any, platform: Platform, own: Values) -> float:
    most = own["width_bits"] / 8 * own["pl_mhz"]
    if not limits.is_number(raw) or not 0 < raw <= most:
        raise BadValueError(
            f"rate_mbs is {limits.shown(raw)}",
            f"give more than 0 and at most {most:g}, {own['width_bits']} bits at "
            f"{own['pl_mhz']:g} MHz",
        )
    return float(raw)


def _bytes(name: str, least: int) -> Callable[[Any, Platform, Values], int]:
    def parse(raw: Any, platform: Platform, own: Values) -> int:
        size = (
            0 if raw == 0 and not isinstance(raw, bool) and not least else keys.size_of(name, raw)
        )
        memory = platform.value("dram.size_MiB") * 2**20
        if size > memory or size < (own["burst_bytes"] if least else 0):
            raise BadValueError(
                f"{name} is {limits.shown(raw)}",
                f"give at least {'a burst' if least else 0} and at most the memory, {memory} bytes",
            )
        return size

    return parse


def _time(name: str) -> Callable[[Any, Platform, Values], float]:
    def parse(raw: Any, platform: Platform, own: Values) -> float:
        most = limits.of_key("duration").most * 1e6
        if not limits.is_number(raw) or not 0 <= raw <= most:
            raise BadValueError(f"{name} is {limits.shown(raw)}", f"give 0 to {most:g} us")
        return float(raw)

    return parse


PARSE: Mapping[str, Callable[[Any, Platform, Values], Any]] = {
    "port": _port,
    "direction": _direction,
    "width_bits": _as("width_bits"),
    "pl_mhz": _as("pl_mhz"),
    "burst_bytes": _as("burst_bytes"),
    "outstanding": _outstanding,
    "rate_mbs": _rate,
    "gap_cycles": _as("gap_cycles"),
    "pattern": _as("pattern"),
    "region": _bytes("region", 1),
    "base": _bytes("base", 0),
    "start_us": _time("start_us"),
    "stop_us": _time("stop_us"),
}
"""By key, in an order in which each needs only those before it."""
USUAL: Mapping[str, Callable[[Platform, Values], Any]] = {
    "direction": lambda p, own: "both" if keys_usp.runs_freely(p) else "pair",
    "width_bits": lambda p, own: keys.widest(p, [own["port"]]),
    "burst_bytes": lambda p, own: keys.usual_burst(p, [own["port"]]) * own["width_bits"] // 8,
    "pattern": lambda p, own: "sequential",
}
