"""Experiment keys of accelerators in the fabric, and of the quality of service of their ports.

`qos` replaces the platform's classes for one point. Its value is `PORT=CLASS`, `PORT.read=CLASS` or
`PORT.write=CLASS`, joined by "+", or one CLASS for all ports. A CLASS is best_effort, video,
low_latency, or an AXI QoS value 0 to 15, which the controller's port maps.
"""

from __future__ import annotations

from axiometer.base.units import whole
from axiometer.experiment.values import Qos, Values
from axiometer.platform import Platform, limits

DIRECTIONS = ("read", "write")
CLASSES = ("best_effort", "video", "low_latency")
MOST_QOS = 15  # AXI QoS has 4 bits
MATRIX_BYTES = 64  # 4 x 4 words of 32 bits; a result has the same size
BUFFER_BYTES = 4096  # each buffer of rtl/convolution in the default build
MOST_ACCELERATORS = limits.most_of_key("accelerators")
FILLS = ("burst", "buffer")


class BadQosError(Exception):
    """A bad value of `qos`: message and remedy."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


def parse_qos(raw: object, platform: Platform, ports: list[str]) -> Qos | None:
    """{port: {direction: class or value}} from `raw`; None for "platform", the default.

    BadQosError for a bad value, or if `platform` has no such setting.
    """
    if raw is None or raw == "platform":
        return None
    example = f'give "best_effort", or "{ports[0]}=video" or "{ports[0]}.read=7" joined by +'
    good = isinstance(raw, str | int) and not isinstance(raw, bool)
    if not good or (isinstance(raw, int) and not 0 <= raw <= MOST_QOS):
        raise BadQosError(f"qos is {limits.shown(raw)}", example)
    found: Qos = {}
    for word in str(raw).split("+"):
        target, equals, name = word.strip().rpartition("=")
        port, dot, direction = target.partition(".")
        if (equals and port not in ports) or (dot and direction not in DIRECTIONS):
            raise BadQosError(
                f"qos has the unknown target {target!r}",
                f"{example}; ports of the point: {', '.join(ports)}",
            )
        for each in [port] if equals else ports:
            if not platform.has(f"qos.{each}.mode"):
                raise BadQosError(
                    f"board {platform.name} has no QoS setting of {each}", "remove qos"
                )
            for d in [direction] if dot else DIRECTIONS:
                found.setdefault(each, {})[d] = _class(name.strip(), example)
    return found


def _class(name: str, example: str) -> str | int:
    value = whole(name)
    if value is not None and value <= MOST_QOS:
        return value
    if name not in CLASSES:
        raise BadQosError(
            f"qos has the unknown class {name!r}", f"{example}; classes: {', '.join(CLASSES)}"
        )
    return name


def convolution_conflict(
    values: Values, freely: bool, platform: Platform
) -> tuple[str, str, str] | None:
    """The key, the message and the remedy if a point with master "convolution" is not valid."""
    if not freely:
        return (
            "master",
            f"convolution accelerators are not modelled at the ports of {platform.name}",
            "use zcu102 or ultra96",
        )
    if values["mode"] != "mixed":
        return "mode", "a convolution reads and writes", 'remove mode, or write mode = "mixed"'
    if values["pattern"] != "sequential" or values["gap_cycles"]:
        key = "gap_cycles" if values["gap_cycles"] else "pattern"
        return key, f"convolution accelerators have no {key}", f"remove {key}"
    if values["masters_per_port"] != 1:
        return (
            "masters_per_port",
            "accelerators have their own multiplexer",
            "use accelerators instead",
        )
    burst = values["burst_bytes"]
    if burst & (burst - 1) or not MATRIX_BYTES <= burst <= BUFFER_BYTES:
        return (
            "burst_bytes",
            f"a burst of {burst} bytes for convolution accelerators",
            f"give a power of two from {MATRIX_BYTES} to {BUFFER_BYTES}",
        )
    return None
