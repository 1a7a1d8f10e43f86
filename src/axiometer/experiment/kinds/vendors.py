"""Engines of vendors' catalogues, at ports into which fabric masters write (`vendor.py`)."""

from __future__ import annotations

from axiometer.base.errors import BadValueError
from axiometer.experiment import vendor
from axiometer.experiment.kinds.kind import PUBLISHED, STREAM, Known, Stream
from axiometer.experiment.values import Master, known
from axiometer.platform import Platform, limits

_LINK = ("port", "through", "width_bits", "pl_mhz")
_BURSTS = ("burst_bytes", "outstanding")
_HLS = tuple(
    f"{most}_{way}_{what}"
    for most, what in (("max", "burst_length"), ("num", "outstanding"))
    for way in ("read", "write")
)
KEYS = {
    "axi_dma": (*PUBLISHED, "width_bits", *_BURSTS, "scatter_gather", "descriptor_bytes"),
    "axi_cdma": (*_LINK, "direction", *_BURSTS, "scatter_gather", "descriptor_bytes", *STREAM),
    "axi_vdma": (
        *(*_LINK, "direction", *_BURSTS, "pixel_bytes", "frame"),
        *("region", "base", "start_us", "stop_us"),
    ),
    "msgdma": (*_LINK, "direction", *_BURSTS, "descriptor_bytes", *STREAM),
    "hls_m_axi": (*_LINK, "direction", *_HLS, "latency", *STREAM),
}
USUAL_DESCRIPTOR = 65536
"""The default bytes of a descriptor's buffer."""
DESCRIPTORS_AHEAD = 2
"""Descriptors that a copying engine holds: one active, one queued."""


class Vendor(Stream):
    """A vendor's engine."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.keys = KEYS[name]

    def ports(self, platform: Platform) -> list[str]:
        return vendor.ports(platform)

    def directions(self, platform: Platform, own: Master) -> list[str]:
        return vendor.directions(self.name)

    def wrong_direction(self, raw: str, platform: Platform, own: Master) -> BadValueError:
        good = f"{self.name} supports: {', '.join(vendor.directions(self.name))}"
        return BadValueError(f"direction is {limits.shown(raw)}", good)

    def usual_burst(self, platform: Platform, own: Master) -> int:
        port, width = known(own["port"]), own["width_bits"]
        size = vendor.number(self.name, "burst_beats") * width // 8
        return vendor.at_port(platform, port, size, width)

    def follows(self, key: str, platform: Platform, own: Master) -> Known:
        if key == "port":
            return {"pattern": "sequential", "pieces": 1}
        if key == "max_write_burst_length":
            return _hls_burst(platform, own)
        if key == "descriptor_bytes" and own["direction"] == "pair":  # a job is a descriptor
            usual = max(USUAL_DESCRIPTOR // own["burst_bytes"], 1) * own["burst_bytes"]
            return {
                "descriptor_bytes": own["descriptor_bytes"] or usual,
                "depth": DESCRIPTORS_AHEAD,
            }
        if key == "frame" and own["frame"] is not None:
            return {"rate_mbs": float(vendor.demand_mbs(own["frame"], known(own["pixel_bytes"])))}
        return {}


def _hls_burst(platform: Platform, own: Master) -> Known:
    """The longest burst of either direction; for a copy, the longest that both support."""
    each = {"read": own["max_read_burst_length"], "write": own["max_write_burst_length"]}
    ways = [own["direction"]] if own["direction"] in each else list(each)
    given = [beats for way in ways if (beats := each[way]) is not None]
    if len(given) < len(ways):
        return {}
    beats = min(given) if own["direction"] == "pair" else max(given)
    size = beats * own["width_bits"] // 8
    return {"burst_bytes": vendor.at_port(platform, known(own["port"]), size, own["width_bits"])}
