"""Streams of DMA engines that move a buffer each: Zynq-7000 and Cyclone V. In mode `duplex` the two
of a port are halves of a loop-back pair."""

from __future__ import annotations

import random
from collections.abc import Sequence

from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.simulate import in_flight
from axiometer.simulate.stream import ENDLESS, Stream, split_pattern

MIB = 2**20
_DIRECTIONS = {"duplex": ("write", "read"), "ps_to_pl": ("read",), "pl_to_ps": ("write",)}
# Most bursts in the model's FIFO between the halves of a pair.
_MOST_AHEAD = 31


def streams(platform: Platform, values: Values) -> tuple[Stream, ...]:
    """The engines, in the order in which the processor starts them: port by port, the write half of
    a loop-back pair first, so that it is ready for data."""
    directions = _DIRECTIONS[values["mode"]]
    count = len(values["ports"]) * len(directions)
    burst = values["burst_bytes"]
    size = values["transfer_bytes"] or ENDLESS
    pattern, stride = split_pattern(values["pattern"])
    region = 0
    if pattern != "sequential" or values["transfer_bytes"] is None:
        memory = platform.memory_bytes // count
        region = 1 << (min(size, memory).bit_length() - 1)
        region = max(region // burst, 1) * burst
    at = bases(platform, values, count, region or size)
    ahead = bursts_ahead(platform, burst)
    return tuple(
        Stream(
            port=number,
            name=port,
            direction=direction,
            base=at[number * len(directions) + half],
            bytes=size,
            region=region,
            burst_bytes=burst,
            outstanding=in_flight.at_port(
                platform, port, direction, in_flight.kept(platform, values, direction)
            ),
            gap_cycles=values["gap_cycles"],
            pattern=pattern,
            stride=stride,
            partner=number * 2 + 1 - half if len(directions) == 2 else -1,
            loopback_bursts=ahead,
            loopback_cycles=platform.whole("master.loopback_cycles"),
        ).behind(
            values.get("through"),
            platform.word("master.through", None),
            values["pl_mhz"],
            values["width_bits"],
        )
        for number, port in enumerate(values["ports"])
        for half, direction in enumerate(directions)
    )


def bursts_ahead(platform: Platform, burst_bytes: int) -> int:
    """Bursts that fit in the FIFO between the halves of a pair."""
    return max(1, min(_MOST_AHEAD, platform.whole("master.loopback_bytes") // burst_bytes))


def bases(platform: Platform, values: Values, count: int, size: int) -> list[int]:
    """The bases of `count` buffers of `size` bytes; see `laid_out`."""
    return laid_out(platform, values["placement"], [size] * count, [values["burst_bytes"]] * count)


def laid_out(
    platform: Platform, placement: str, sizes: Sequence[int], grains: Sequence[int]
) -> list[int]:
    """The bases of buffers of `sizes` bytes, in bytes.

    aligned: each at a multiple of 1 MiB after the one before (of half of that, or less, if the
    memory is too small); packed: one after the other, each at a multiple of its grain (a burst);
    random: like aligned, but each moved by a whole number of rows below 64 KiB, the same in every
    run.
    """
    apart = MIB
    while apart > 1 and sum(-(-size // apart) * apart for size in sizes) > platform.memory_bytes:
        apart //= 2
    steps = grains if placement == "packed" else [apart] * len(sizes)
    found, top = [], 0
    for size, step in zip(sizes, steps, strict=True):
        top = -(-top // step) * step
        found.append(top)
        top += -(-size // step) * step
    if placement == "random" and sizes:
        row = platform.whole("dram.row_bytes")
        draw = random.Random("placement")
        room = platform.memory_bytes - top
        most = max(0, min(64 * 1024, room) // row)
        shift = 0
        for index in range(len(sizes)):
            shift += draw.randint(0, most // len(sizes))
            found[index] += shift * row
    return found
