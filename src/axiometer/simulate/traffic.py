"""Traffic classes and AXI QoS values of ports, for the controller of the Zynq UltraScale+."""

from __future__ import annotations

from axiometer.experiment.values import Qos
from axiometer.platform import Platform

# Least and highest AXI QoS values of classes: PG201, DDR Traffic Class.
QOS_OF_CLASS = {"best_effort": (0, 3), "video": (4, 11), "low_latency": (12, 15)}


def traffic_class(platform: Platform, port: str, direction: str, classes: Qos | None = None) -> str:
    """Class of a port's traffic: the point's `qos` or else `qos.PORT.mode`; for `mapped` or a
    number, the class that the controller's port derives from the AFI's QoS value (0 to 15)."""
    mode, number = _mode(platform, port, direction, classes)
    if mode == "low_latency" and direction == "write":
        return "best_effort"  # writes have no such class
    if mode != "mapped":
        return mode
    path = platform.value(f"{platform.way(port)}.path")
    level = platform.value(f"path.{path}.qos_level_{direction}")
    return "video" if number > level else "best_effort"


def qos_value(platform: Platform, port: str, direction: str, classes: Qos | None = None) -> int:
    """The AXI QoS value (0 to 15) that the controller's arbiter sees.

    It is the number of the platform or the point. If the point gives a class that the platform does
    not, it is the nearest value of that class. A class of the platform leaves the number of its
    registers (a port's type may set the class for any number), except that best effort is never
    above the others."""
    mode, number = _mode(platform, port, direction, classes)
    if mode == "mapped":
        return number
    of_class = traffic_class(platform, port, direction, classes)
    least, highest = QOS_OF_CLASS[of_class]
    if of_class == traffic_class(platform, port, direction):
        least = 0
    return min(max(number, least), highest)


def neighbour_class(platform: Platform, name: str, direction: str) -> str:
    """Class of the traffic of one of the chip's own masters: the class of its controller port, if
    the port's type sets it for all its masters, else the class that the port derives from the
    master's AXI QoS value."""
    path = platform.value(f"neighbour.{name}.path")
    for port in platform.ports:
        if platform.value(f"port.{port}.path", None) == path:
            mode = platform.value(f"qos.{port}.mode", "mapped")
            if mode != "mapped":
                return traffic_class(platform, port, direction)
    level = platform.value(f"path.{path}.qos_level_{direction}")
    return "video" if platform.value(f"neighbour.{name}.qos") > level else "best_effort"


def _mode(platform: Platform, port: str, direction: str, classes: Qos | None) -> tuple[str, int]:
    """A class or `mapped`, and the AXI QoS value, of the point or else of the platform."""
    given = (classes or {}).get(port, {}).get(direction)
    if isinstance(given, int):
        return "mapped", given
    mode = platform.value(f"qos.{port}.mode") if given is None else given
    return mode, platform.value(f"qos.{port}.{direction}")
