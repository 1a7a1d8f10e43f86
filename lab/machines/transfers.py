"""Transfers by the agent on an emulated board, with every byte checked."""

from __future__ import annotations

import random

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import Buffer

MOST_BYTES = 65536
ROOM = 2 * MOST_BYTES  # of a buffer: a transfer may begin anywhere in its first half
BEFORE = 64  # bytes around a transfer that must not change
PATTERNS = ("hash", "ramp", "stream")


def transfers(client: Client, count: int, seed: int = 1) -> int:
    """The bytes of `count` loop-backs through the DMA engines of all ports, 1 byte to 64 KiB, any
    alignment.

    AxiometerError at the first byte that is wrong, or that was written and must not have been.
    """
    draw = random.Random(seed)
    engines = [b for b in client.capabilities().blocks if b.type == block_types.DMA]
    buffers = [(client.allocate(ROOM), client.allocate(ROOM)) for _ in engines]
    total = 0
    for number in range(count):
        engine, (source, sink) = draw.choice(list(zip(engines, buffers, strict=True)))
        size = min(int(2 ** draw.uniform(0, 16.01)), MOST_BYTES)
        offset = BEFORE + draw.randrange(MOST_BYTES // 2) // 64 * 64 + draw.randrange(64)
        _one(client, engine.block, source, sink, offset, size, number)
        total += size
    return total


def _one(
    client: Client, block: int, source: Buffer, sink: Buffer, offset: int, size: int, number: int
) -> None:
    """A transfer, at the same offset of both buffers."""
    first, end = offset // 4 * 4 - BEFORE, (offset + size + 3) // 4 * 4 + BEFORE
    around = {"offset": first, "bytes": end - first}
    other = number ^ 0x5A5A5A5A  # the words around the transfer
    client.fill(source, PATTERNS[number % len(PATTERNS)], number, **around)
    client.fill(sink, "value", other, **around)
    client.new_job()
    settings = {"offset": offset, "bytes": size, "beats": 16, "outstanding": 4}
    client.stream(block, "read", source, **settings)
    client.stream(block, "write", sink, **settings)
    client.arm()
    done = client.run()
    wrong = client.compare(source, sink, offset=offset, with_offset=offset, bytes=size)
    changed = client.check(sink, "value", other, offset=first, bytes=BEFORE)
    changed += client.check(sink, "value", other, offset=end - BEFORE, bytes=BEFORE)
    if done.state != "done" or wrong or changed:
        raise AxiometerError(
            f"transfer {number} ({size} bytes at offset {offset}): {done.state}, "
            f"{wrong} bytes wrong, {changed} words changed around it",
            remedy="this is a fault of the program or of the design: please report it",
            status=RUN_FAILED,
        )
