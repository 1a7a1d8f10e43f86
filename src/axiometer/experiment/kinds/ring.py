"""Packets through a loop-back DMA by a driver, which keeps the caches coherent."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.base.errors import BadValueError
from axiometer.experiment import sizes
from axiometer.experiment.kinds.job_values import MOST_AT_ONCE, whole, whole_bursts
from axiometer.experiment.kinds.kind import STREAM, Conflict, InFabric, Known, Parse, Usual
from axiometer.experiment.port_kinds import is_coherent
from axiometer.experiment.values import Master, Values, known
from axiometer.platform import Platform, limits


class Ring(InFabric):
    keys: tuple[str, ...] = (
        *("port", "through", "pl_mhz", "packet_bytes", "depth", "cache_control"),
        *STREAM,
    )
    at: tuple[str, ...] = ("gp-slave", "acp", "hp", "coherent")
    jobs = True

    def lacks(self, platform: Platform, port: str) -> str:
        return "" if platform.has("processor.ring.fifo_bytes") else "rings of packets"

    def acts(self, platform: Platform, values: Values) -> tuple[str, ...]:
        return ("os", "io", "cache", "cache_control", "ring_depth", "through", "width_bits")

    def _conflict(self, values: Values, platform: Platform) -> Conflict | None:
        if values["os"] != "linux":
            return "os", "a ring of packets needs a Linux driver", 'give os = "linux"'
        coherent = values["cache_control"] == "coherent"
        if coherent != is_coherent(platform, values["ports"][0]):
            right = "a coherent port" if coherent else 'cache_control = "coherent"'
            return "cache_control", "only coherent ports keep caches coherent", f"use {right}"
        if values["io"] == "copy" and values["cache_control"] == "uncached":
            message = "copies of uncached buffers are not modelled"
            return "io", message, 'use cache_control = "explicit"'
        if values["mode"] != "duplex":
            message = "a ring's packets are written and read back"
            return "mode", message, 'remove mode, or give mode = "duplex"'
        return None

    def width_bits(self, platform: Platform, own: Master, way: str) -> int | None:
        return sizes.widest(platform, [known(own["port"])])

    def burst_bytes(self, platform: Platform, own: Master) -> int:
        """Bytes before the packet's size is known; a smaller packet is one burst
        (`whole_bursts`)."""
        return sizes.usual_burst(platform, [known(own["port"])]) * own["width_bits"] // 8

    def follows(self, key: str, platform: Platform, own: Master) -> Known:
        if key == "direction":
            return {"direction": "pair"}
        return super().follows(key, platform, own)


def _cache_control(raw: object, platform: Platform, own: Master) -> str:
    """A parser: "coherent" at coherent ports, one of the other methods elsewhere."""
    coherent = is_coherent(platform, known(own["port"]))
    good = ["coherent"] if coherent else ["explicit", "none", "uncached"]
    if raw not in good:
        raise BadValueError(
            f"cache_control is {limits.shown(raw)}", f"at {own['port']}: {', '.join(good)}"
        )
    return str(raw)


PARSE: Mapping[str, Parse] = {
    "packet_bytes": whole_bursts("packet_bytes"),
    "depth": whole("depth", 1, MOST_AT_ONCE, "packets"),
    "cache_control": _cache_control,
}
USUAL: Mapping[str, Usual] = {
    "packet_bytes": lambda p, own: 4096,
    "depth": lambda p, own: 1,
    "cache_control": lambda p, own: (
        "coherent" if is_coherent(p, known(own["port"])) else "explicit"
    ),
}
