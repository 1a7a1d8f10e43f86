"""An accelerator: reads a job's input, computes, and writes its results, through one port."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.experiment.kinds.engine import Engine
from axiometer.experiment.kinds.job_values import MOST_AT_ONCE, whole, whole_bursts
from axiometer.experiment.kinds.kind import STREAM, Known, Parse, Usual
from axiometer.experiment.values import Master
from axiometer.platform import Platform


class Accelerator(Engine):
    keys: tuple[str, ...] = (
        *("port", "through", *STREAM, "width_bits", "pl_mhz", "burst_bytes", "outstanding"),
        *("bytes_in", "bytes_out", "compute_cycles", "buffers"),
    )
    jobs = True

    def follows(self, key: str, platform: Platform, own: Master) -> Known:
        known = {"direction": {"direction": "pair"}, "burst_bytes": {"pattern": "sequential"}}
        return known.get(key, {})


PARSE: Mapping[str, Parse] = {
    "bytes_in": whole_bursts("bytes_in"),
    "bytes_out": whole_bursts("bytes_out"),
    "compute_cycles": whole("compute_cycles", 0, 2**24, "cycles"),
    "buffers": whole("buffers", 1, MOST_AT_ONCE, "buffers"),
}
USUAL: Mapping[str, Usual] = {
    "bytes_in": lambda p, own: max(4096 // own["burst_bytes"], 1) * own["burst_bytes"],
    "bytes_out": lambda p, own: own["bytes_in"],
    "compute_cycles": lambda p, own: 0,
    "buffers": lambda p, own: 2,
}
