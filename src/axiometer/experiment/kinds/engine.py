"""Streams of DMA engines and traffic generators in the fabric, with the figures of the chip's file,
and convolution accelerators, which only points support."""

from __future__ import annotations

from axiometer.experiment import keys_qos, sizes
from axiometer.experiment.keys_shared import runs_freely
from axiometer.experiment.kinds.kind import STREAM, Conflict, Stream
from axiometer.experiment.values import Master, Values, known
from axiometer.platform import Platform

STREAMS = (
    *("burst_beats", "burst_bytes", "outstanding_read", "outstanding_write", "background"),
    *("skew_us", "mapping", "qos", "program", "width_bits"),
)
"""Keys of a point that have an effect on streams at the memory."""


class Engine(Stream):
    keys: tuple[str, ...] = (
        *("port", "direction", *STREAM),
        *("width_bits", "pl_mhz", "burst_bytes", "outstanding", "pattern", "through", "partner"),
    )

    def directions(self, platform: Platform, own: Master) -> list[str]:
        usual = ["both", "pair"] if runs_freely(platform) else ["pair", "both"]
        return [*usual, "read", "write"]

    def usual_burst(self, platform: Platform, own: Master) -> int:
        return sizes.usual_burst(platform, [known(own["port"])]) * own["width_bits"] // 8


class Dma(Stream):
    """The engines of a point: pairs, or engines that run for a time."""

    at: tuple[str, ...] = ("hp", "coherent")

    def acts(self, platform: Platform, values: Values) -> tuple[str, ...]:
        each = (*STREAMS, "pattern", "masters_per_port", "through", "gap_cycles", "placement")
        # No software starts engines that run for a time.
        return each if runs_freely(platform) else (*each, "os")

    def conflict(self, values: Values, platform: Platform) -> Conflict | None:
        return None


class Convolution(Dma):
    at: tuple[str, ...] = ("hp",)

    def acts(self, platform: Platform, values: Values) -> tuple[str, ...]:
        return (*STREAMS, "accelerators", "fill")

    def conflict(self, values: Values, platform: Platform) -> Conflict | None:
        return keys_qos.convolution_conflict(values, runs_freely(platform), platform)
