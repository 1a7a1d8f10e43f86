"""Places of buffers in the memory."""

from __future__ import annotations

import random
from collections.abc import Sequence

from axiometer.platform import Platform

MIB = 2**20


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
