"""Trials on the emulated board: transfers with every byte checked."""

from __future__ import annotations

import random
from dataclasses import dataclass

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import Buffer

MOST_BYTES = 65536
ROOM = 2 * MOST_BYTES  # of a buffer: a transfer may begin anywhere in its first half
BEFORE = 64  # bytes around a transfer that must not change
PATTERNS = ("hash", "ramp", "stream")


@dataclass(frozen=True)
class Trial:
    """transfers: looped-back transfers. bytes: of all transfers. processor: from `hello`."""

    transfers: int
    bytes: int
    target: str


def transfers(client: Client, count: int, seed: int = 1) -> Trial:
    """`count` loop-backs through the DMA engines of all ports, 1 byte to 64 KiB, any alignment.

    AxiometerError at the first byte that is wrong, or that was written and must not have been.
    """
    draw = random.Random(seed)
    target = str(client.hello()["target"])
    engines = [b for b in client.capabilities().blocks if b.type == block_types.DMA]
    buffers = [(client.allocate(ROOM), client.allocate(ROOM)) for _ in engines]
    total = 0
    for number in range(count):
        engine, (source, sink) = draw.choice(list(zip(engines, buffers, strict=True)))
        size = min(int(2 ** draw.uniform(0, 16.01)), MOST_BYTES)
        offset = BEFORE + draw.randrange(MOST_BYTES // 2) // 64 * 64
        place = Place(offset + draw.randrange(64), size)
        _one(client, engine.block, source, sink, place, number)
        total += size
    return Trial(count, total, target)


@dataclass(frozen=True)
class Place:
    """The place of a transfer in both of its buffers."""

    offset: int
    bytes: int


def _one(client: Client, block: int, source: Buffer, sink: Buffer, at: Place, number: int) -> None:
    first, end = at.offset // 4 * 4 - BEFORE, (at.offset + at.bytes + 3) // 4 * 4 + BEFORE
    around = {"offset": first, "bytes": end - first}
    # Outside the transfer, the source has the data that the sink has around the transfer.
    client.fill(source, PATTERNS[number % len(PATTERNS)], number, **around)
    client.fill(sink, "value", number ^ 0x5A5A5A5A, **around)
    client.new_job()
    settings = {"offset": at.offset, "bytes": at.bytes, "beats": 16, "outstanding": 4}
    client.stream(block, "read", source, **settings)
    client.stream(block, "write", sink, **settings)
    client.arm()
    done = client.run()
    span = {"offset": at.offset, "with_offset": at.offset, "bytes": at.bytes}
    wrong = client.compare(source, sink, **span)
    head = client.check(sink, "value", number ^ 0x5A5A5A5A, offset=first, bytes=BEFORE)
    tail = client.check(sink, "value", number ^ 0x5A5A5A5A, offset=end - BEFORE, bytes=BEFORE)
    if done.state != "done" or wrong or head or tail:
        raise AxiometerError(
            f"transfer {number} ({at.bytes} bytes at offset {at.offset}): {done.state}, "
            f"{wrong} bytes wrong, {head + tail} words changed around it",
            remedy="this is a fault of the program or of the design: please report it",
            status=RUN_FAILED,
        )
