"""Streams of the chip's own masters beside the ports, convolution accelerators, and the measurement
of a run without an end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from axiometer.base import pace
from axiometer.experiment import listed, master_keys, run_length
from axiometer.experiment.keys_qos import BUFFER_BYTES
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.simulate import model_tables
from axiometer.simulate.placement import MIB
from axiometer.simulate.stream import ENDLESS, Stream


def background(
    platform: Platform, values: Values, rates: Mapping[str, float]
) -> tuple[Stream, ...]:
    """The streams of the chip's own masters: bursts at the distance that gives their MB/s, at the
    end of the memory, each in a region as large as an engine's."""
    if not rates:
        return ()
    size = platform.value("master.region_MiB") * MIB
    top = platform.value("dram.size_MiB") * MIB
    found: list[Stream] = []
    for number, (name, rate) in enumerate(rates.items()):
        table = f"neighbour.{name}"
        burst = platform.value(f"{table}.burst_bytes")
        for direction in platform.value(f"{table}.directions"):
            top -= size
            found.append(
                Stream(
                    port=len(values["ports"]) + number,
                    name=name,
                    background=True,
                    direction=direction,
                    base=top,
                    bytes=ENDLESS,
                    region=size,
                    burst_bytes=burst,
                    outstanding=platform.value(f"{table}.outstanding"),
                    pace=pace.of(rate, burst, values["pl_mhz"]),
                )
            )
    return tuple(found)


CONFIDENCE = 0.005
"""The precision at which a run until its rate has settled may end: `Measure`."""


class Measure(model_tables.Measure):
    """The measurement of a free run (docs/keys.md)."""

    @classmethod
    def of_point(cls, values: Values) -> Self:
        """100 us and 25 us at the point's clock, and `CONFIDENCE` if the run may end when it has
        settled. A run by size is measured as a whole; so is one in which a master starts or stops
        on its own, where nothing settles, or requests burst by burst, where the model does not
        detect it."""
        if values["transfer_bytes"] is not None:
            return cls(settle=0, block=0, confidence=0.0)
        for m in listed.masters(values):
            if m["start_us"] or m["stop_us"] is not None or master_keys.is_source(m):
                return cls(settle=0, block=0, confidence=0.0)
        pl_mhz = values["pl_mhz"]
        confidence = CONFIDENCE if run_length.of_point(values).until_settled else 0.0
        return cls(settle=round(100.0 * pl_mhz), block=round(25.0 * pl_mhz), confidence=confidence)


class Accelerators(model_tables.Convolution):
    """Convolution accelerators at each port (docs/keys.md)."""

    @classmethod
    def of_point(cls, values: Values) -> Self | None:
        """The accelerators of a point; None if it has other masters."""
        if values["master"] != "convolution":
            return None
        turns = {"burst": 1, "buffer": BUFFER_BYTES // values["burst_bytes"]}
        return cls(
            lanes=values["accelerators"], buffer_bytes=BUFFER_BYTES, turn=turns[values["fill"]]
        )
