"""Traffic classes and AXI QoS values of ports, as the controller of Zynq UltraScale+ sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axiometer.platform import Platform

# Least AXI QoS values of classes: PG201, DDR Traffic Class.
LOW_LATENCY_QOS = 12
NEIGHBOUR_QOS = {"best_effort": 0, "video": 4, "low_latency": LOW_LATENCY_QOS}


def traffic_class(
    platform: Platform, port: str, direction: str, values: Mapping[str, Any] | None = None
) -> str:
    """Class of a port's traffic: what the point's `qos` or else `qos.PORT.mode` says, or, where
    that is `mapped` or a number, what the controller's port makes of the AFI's QoS value (0 to
    15)."""
    mode, number = _mode(platform, port, direction, values)
    if mode == "low_latency" and direction == "write":
        return "best_effort"  # writes have no such class
    if mode != "mapped":
        return mode
    return "video" if number > _level(platform, port, direction) else "best_effort"


def qos_value(
    platform: Platform, port: str, direction: str, values: Mapping[str, Any] | None = None
) -> int:
    """The AXI QoS value (0 to 15) that the controller's arbiter sees: that of the platform or the
    point; where it is not of the class that is given instead, the nearest that is."""
    mode, number = _mode(platform, port, direction, values)
    if mode == "mapped":
        return number
    of_class = traffic_class(platform, port, direction, values)
    if of_class == "low_latency":
        return max(number, LOW_LATENCY_QOS)
    best_effort = _level(platform, port, direction)
    return max(number, best_effort + 1) if of_class == "video" else min(number, best_effort)


def _mode(
    platform: Platform, port: str, direction: str, values: Mapping[str, Any] | None
) -> tuple[str, int]:
    """A class or `mapped`, and the AXI QoS value, of the point or else of the platform."""
    given = (((values or {}).get("qos") or {}).get(port) or {}).get(direction)
    if isinstance(given, int):
        return "mapped", given
    mode = platform.value(f"qos.{port}.mode") if given is None else given
    return mode, platform.value(f"qos.{port}.{direction}")


def _level(platform: Platform, port: str, direction: str) -> int:
    """The highest QoS value that is best effort."""
    return platform.value(f"path.{platform.value(f'port.{port}.path')}.qos_level_{direction}")
