"""Engines that move the streams of a scenario, on a board or in a co-simulation.

A subclass handles the blocks of one top. Not for: the simulated chip's counts (`cosim/bench.py`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent import replies as agent
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import Block, Buffer, Capabilities
from axiometer.simulate.outcome import StreamOutcome
from axiometer.simulate.start import Start
from axiometer.simulate.stream import Stream

Counters = list[agent.Line]


class Engines(ABC):
    """streams: of a scenario, whose port n is port n of the design. burst_beats: of all bursts.
    anywhere: buffers need not be at the streams' bases. design: the agent's description of it, if
    it was already read."""

    # Type of a stream's engine, and of the block that monitors it.
    engine_type: int
    monitor_type: int

    def __init__(
        self,
        client: Client,
        streams: Sequence[Stream],
        burst_beats: int,
        anywhere: bool = False,
        design: Capabilities | None = None,
    ) -> None:
        self.client = client
        self.streams = streams
        self.beats = burst_beats
        self.anywhere = anywhere
        self.design = client.capabilities() if design is None else design
        self.engines = [self.block_of(self.engine_type, s) for s in self.streams]
        self.buffers = [self._allocate(s) for s in self.streams]

    def buffer_bytes(self, stream: Stream) -> int:
        """Bytes of memory that a stream needs from its base."""
        return stream.bytes

    @abstractmethod
    def prepare(self, start: Start) -> None:
        """Fill memory and give the agent a job, which is armed afterwards."""

    def size(self, number: int, books: StreamOutcome, line: agent.Line | None) -> int:
        """Bytes that stream `number` has moved; `line` is the agent's for it."""
        return line.number("bytes") if line is not None else self.streams[number].bytes

    def beats_of(self, number: int, books: StreamOutcome) -> int:
        """Beats that stream `number` must have moved."""
        return -(-self.size(number, books, None) // self.design.data_bytes)

    @abstractmethod
    def check_data(self, number: int, books: StreamOutcome, counters: Counters) -> None:
        """AxiometerError unless the data of stream `number` are correct and in their places."""

    def counted(self, number: int, counters: Counters) -> agent.Line:
        """The line of the counter that monitors stream `number`."""
        stream = self.streams[number]
        block = self.block_of(self.monitor_type, stream).block
        return counter(counters, kind="monitor", block=block, half=stream.direction)

    def check_beats(self, number: int, counted: agent.Line, books: StreamOutcome) -> None:
        """AxiometerError unless all beats of stream `number` were counted."""
        if counted.number("beats") != (beats := self.beats_of(number, books)):
            raise self.broken(
                f"{self.name(number)}: the monitor counted {counted['beats']} beats of {beats}"
            )

    def line_of(self, number: int, outcome: agent.Run) -> agent.Line:
        """The agent's line for stream `number`."""
        return outcome.streams[number]

    def broken(self, what: str) -> AxiometerError:
        """The error for wrong data or a missing block."""
        return AxiometerError(
            f"the design or the memory is wrong: {what}",
            remedy="run axiometer doctor, which checks clocks, caches and address map",
            status=RUN_FAILED,
        )

    def failures(self, outcome: agent.Run) -> str:
        """The failed engines with cause and address, in words."""
        errors = {(e.number("block"), e.word("half")): e for e in self.client.errors()}
        words = []
        for number, (engine, stream) in enumerate(zip(self.engines, self.streams, strict=True)):
            state = self.line_of(number, outcome).word("state")
            fault = errors.get((engine.block, stream.direction))
            if fault:
                at = fault.number("address")
                words.append(f"{self.name(number)}: {fault.word('cause')} at {at:#x}")
            elif state != "done":
                words.append(f"{self.name(number)}: {state}")
        return "; ".join(words)

    def block(self, kind: int, port: int) -> Block:
        """The design's block of a type at a port."""
        found = self.design.find(kind, port)
        if not found:
            raise self.broken(f"the design has no block of type {kind} at port {port}")
        return found[0]

    def block_of(self, kind: int, stream: Stream) -> Block:
        """The block of a type that serves a stream; with several at a port, the master's."""
        found = self.design.find(kind, stream.port)
        if len(found) <= (stream.master or 0):
            raise self.broken(f"the design has no block of type {kind} for {stream}")
        return found[(stream.master or 0)]

    def name(self, number: int) -> str:
        """A stream's name for messages."""
        stream = self.streams[number]
        master = f".{stream.master}" if stream.master else ""
        return f"port {stream.name}{master}, {stream.direction}"

    def _allocate(self, stream: Stream) -> Buffer:
        size = -(-self.buffer_bytes(stream) // 4096) * 4096
        if self.anywhere:
            return self.client.allocate(size)
        return self.client.allocate(size, align=4, address=stream.base)


def counter(counters: Counters, **which: object) -> agent.Line:
    """The first counter line of the agent with these values."""
    return next(c for c in counters if all(c.get(key) == want for key, want in which.items()))
