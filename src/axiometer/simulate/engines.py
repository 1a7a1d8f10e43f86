"""Streams of engines that run for a time, each in its own region: Zynq UltraScale+. Also streams of
the chip's own masters, and the measurement of such a run."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Self

from axiometer.base import pace
from axiometer.experiment import master_keys, run_length
from axiometer.experiment.keys_qos import BUFFER_BYTES
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.simulate import in_flight, model_tables
from axiometer.simulate.pairs import MIB
from axiometer.simulate.stream import ENDLESS, Stream, split_pattern

# In the order of a port's engines, by number and in memory.
ENGINES = {"mixed": ("read", "write"), "ps_to_pl": ("read",), "pl_to_ps": ("write",)}


def streams(platform: Platform, values: Values) -> tuple[Stream, ...]:
    """The engines, port by port and master by master; each in its own region of whole bursts."""
    burst = values["burst_bytes"]
    size = platform.value("master.region_MiB") * MIB
    pattern, stride = split_pattern(values["pattern"])
    several = values["masters_per_port"] > 1
    engines = product(range(values["masters_per_port"]), ENGINES[values["mode"]])
    every = product(enumerate(values["ports"]), list(engines))
    return tuple(
        Stream(
            port=port,
            name=name,
            master=master if several else None,
            direction=direction,
            base=number * size,
            bytes=ENDLESS,
            region=size // burst * burst,
            burst_bytes=burst,
            outstanding=_outstanding(platform, values, name, direction),
            gap_cycles=values["gap_cycles"],
            pattern=pattern,
            stride=stride,
        ).behind(
            values.get("through"),
            platform.word("master.through", None),
            values["pl_mhz"],
            values["width_bits"],
        )
        for number, ((port, name), (master, direction)) in enumerate(every)
    )


def _outstanding(platform: Platform, values: Values, port: str, direction: str) -> int:
    """Outstanding bursts of one engine."""
    masters = values["masters_per_port"]
    sharing = masters, masters * len(ENGINES[values["mode"]])
    own = in_flight.kept(platform, values, direction)
    return in_flight.at_port(platform, port, direction, own, sharing)


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
        settled. Nothing settles if a master starts or stops on its own, and the model does not
        detect it beside masters that request burst by burst: these measure the whole run."""
        for m in master_keys.of(values):
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
