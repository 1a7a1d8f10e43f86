"""Streams of DMA engines that move a buffer each: Zynq-7000 and Cyclone V. In mode `duplex` the
two of a port are halves of a loop-back pair."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from axiometer.platform import Platform
from axiometer.simulate.stream import ENDLESS, Stream, split_pattern

MIB = 2**20
_DIRECTIONS = {"duplex": ("write", "read"), "ps_to_pl": ("read",), "pl_to_ps": ("write",)}
# What the model's FIFO between the halves of a pair holds at most, in bursts.
_MOST_AHEAD = 31


def streams(platform: Platform, values: Mapping[str, Any]) -> tuple[Stream, ...]:
    """The engines, in the order in which the processor starts them: port by port, and in a
    loop-back pair the write half first, so that it is ready when data comes."""
    directions = _DIRECTIONS[values["mode"]]
    count = len(values["ports"]) * len(directions)
    burst = values["burst_bytes"]
    size = values["transfer_bytes"] or ENDLESS
    pattern, stride = split_pattern(values["pattern"])
    region = 0
    if pattern != "sequential" or values["transfer_bytes"] is None:
        memory = platform.value("dram.size_MiB") * MIB // count
        region = 1 << (min(size, memory).bit_length() - 1)
        region = max(region // burst, 1) * burst
    at = bases(platform, values, count, region or size)
    ahead = max(1, min(_MOST_AHEAD, platform.value("master.loopback_bytes") // burst))
    return tuple(
        Stream(
            port=number,
            name=port,
            direction=direction,
            base=at[number * len(directions) + half],
            bytes=size,
            region=region,
            burst_bytes=burst,
            outstanding=outstanding(platform, values, direction),
            gap_cycles=values["gap_cycles"],
            pattern=pattern,
            stride=stride,
            partner=number * 2 + 1 - half if len(directions) == 2 else -1,
            loopback_bursts=ahead,
            loopback_cycles=platform.value("master.loopback_cycles"),
        )
        for number, port in enumerate(values["ports"])
        for half, direction in enumerate(directions)
    )


def outstanding(platform: Platform, values: Mapping[str, Any], direction: str) -> int:
    """Bursts in flight: of the point, or else what the platform's engines keep."""
    own = values.get(f"outstanding_{direction}")
    return platform.value(f"master.outstanding_{direction}") if own is None else own


def bases(platform: Platform, values: Mapping[str, Any], count: int, size: int) -> list[int]:
    """Where the buffers begin, in bytes.

    aligned: each at a multiple of its size rounded up to 1 MiB; packed: one behind the other,
    each at a multiple of a burst; random: as aligned, but each moved by a whole number of rows
    below 64 KiB that is the same in every run.
    """
    if values["placement"] == "packed":
        burst = values["burst_bytes"]
        step = -(-size // burst) * burst
        return [index * step for index in range(count)]
    step = -(-size // MIB) * MIB
    found = [index * step for index in range(count)]
    if values["placement"] == "random":
        row = platform.value("dram.row_bytes")
        draw = random.Random("placement")
        room = platform.value("dram.size_MiB") * MIB - step * count
        most = max(0, min(64 * 1024, room) // row)
        shift = 0
        for index in range(count):
            shift += draw.randint(0, most // count)
            found[index] += shift * row
    return found
