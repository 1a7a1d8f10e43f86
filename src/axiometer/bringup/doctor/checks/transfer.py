"""One loop-back transfer by the agent."""

from __future__ import annotations

from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import Block, Buffer, Capabilities, Run

TIMEOUT_CLOCKS = 65472
WALL_S = 120.0


def engines(found: Capabilities) -> list[Block]:
    """The DMA engines whose reading half feeds their writing half through a FIFO."""
    return [e for e in found.find(block_types.DMA) if found.find(block_types.LOOPBACK, e.port)]


def run(client: Client, engine: Block, source: Buffer, to: Buffer, size: int) -> Run:
    """Moves `size` bytes; the engine times out after TIMEOUT_CLOCKS without an answer."""
    client.new_job()
    for half, buffer in (("write", to), ("read", source)):
        client.stream(engine.block, half, buffer, bytes=size, timeout_clocks=TIMEOUT_CLOCKS)
    client.arm()
    return client.run(wall_s=WALL_S)
