"""Frames on `axm_master_top`: one simple master moves them, counter and sniffer observe.

The agent has no job for these masters, as boards do not use them: they are set up and started
register by register, like the published systems.
"""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.cosim.bench import (
    LIMIT_MS,
    Counted,
    arm_sniffer,
    broken,
    same,
)
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.registers import Register, registers
from axiometer.runs.engines.engines import counter
from axiometer.simulate.outcome import StreamOutcome
from axiometer.simulate.start import Start
from axiometer.simulate.stream import Stream

# PL clocks from the first of the write that starts a master to its first address.
START_CLOCKS = 4
SEED = 0x5AA5C33C
# PL clocks without a handshake after which the chip counts as hung.
HUNG = 65536
# PL clocks between two checks of a running master.
LOOK = 256


class MastersBench:
    """A co-simulated simple master with the stream `stream`.

    burst_beats: of all bursts except those that a multiple of 4 KiB cuts.
    """

    start_clocks = START_CLOCKS

    def __init__(self, cosim: Cosim, stream: Stream, burst_beats: int) -> None:
        self.cosim = cosim
        self.stream = stream
        self.burst_beats = burst_beats
        self.write = self.stream.direction == "write"
        self.client = Client(cosim.transport)
        self.client.hello()
        self.design = self.client.capabilities()
        self.map = registers("masters")
        self.master = self._block(self.map.BLOCK_TYPE, self.stream.port)
        self.sniffer = self._block(block_types.SNIFFER, None)
        size = -(-self.stream.bytes // 4096) * 4096
        self.buffer = self.client.allocate(size, align=4, address=self.stream.base)

    def run(self, start: Start) -> Counted:
        """One frame from the chip's state `start`, whose launch must be START_CLOCKS: the chip's
        time accounting as from the model's binding, and `counters`, the sniffer's counts.

        AxiometerError if the master found a fault, data are wrong, or two counts of the same
        differ.
        """
        self._prepare()
        control = self.map.CONTROL
        address = (self.master << 12) + control.OFFSET
        self.cosim.start(start, [(address, 0)])
        self._put(
            control,
            control.START_MASK
            | self.write << control.WRITE_SHIFT
            | (not self.write) << control.CHECK_SHIFT
            | 3 << control.CACHE_SHIFT,
        )
        self._wait()
        if wrong := self.cosim.violation():
            raise broken(f"the design broke a rule of AXI: {wrong}")
        books, counters = self.cosim.result(), self.client.counters(self.sniffer)
        self._check(books["streams"][0], counter(counters, slot=self.slot(self.stream)))
        return {**books, "counters": counters}

    def slot(self, stream: Stream) -> int:
        """The sniffer's slot for a stream."""
        return 2 * stream.port + (stream.direction == "write")

    # ---- before and during -------------------------------------------------------------------

    def _prepare(self) -> None:
        """Set up memory, sniffer and master. Words to be written differ from their old values."""
        span = {"bytes": self.stream.bytes}
        before = ~SEED % 2**32 if self.write else SEED
        self.client.fill(self.buffer, "linear", before, **span)
        arm_sniffer(self.client, self.cosim, self.sniffer, LOOK)
        base = self.stream.base
        self._put(self.map.ADDR_LO, base % 2**32)
        self._put(self.map.ADDR_HI, base >> 32)
        self._put(self.map.WORDS, self._words())
        self._put(self.map.BURST, self.burst_beats - 1)
        self._put(self.map.SEED, SEED)
        self._put(self.map.TIMEOUT, HUNG)

    def _wait(self) -> None:
        status = self.map.STATUS
        most = round(LIMIT_MS * 1e-3 * self.design.clock_hz)
        for _ in range(0, most, LOOK):
            self.cosim.idle(LOOK)
            word = self._get(status)
            if not word & status.BUSY_MASK or word & status.CAUSE_MASK:
                break
        else:
            raise broken(f"a frame did not end in {LIMIT_MS / 1000:g} s of its own time")
        if cause := (word & status.CAUSE_MASK) >> status.CAUSE_SHIFT:
            raise broken(f"a frame ended with {self.map.MasterCause(cause).name}")
        if word & status.CYCLES_SATURATED_MASK:
            raise broken("a frame is longer than the master can count")

    # ---- afterwards --------------------------------------------------------------------------

    def _check(self, books: StreamOutcome, slot: Mapping[str, object]) -> None:
        """Check the data, and that master, sniffer and chip counted the same."""
        if self.write:
            wrong = self.client.check(self.buffer, "linear", SEED, bytes=self.stream.bytes)
        else:
            wrong = self._get(self.map.MISMATCHES)
        if wrong:
            raise broken(f"{wrong} words of a frame are wrong")
        words = self._words()
        same("the master", {"beats": self._get(self.map.MOVED)}, {"beats": words})
        seen = {"beats": words, "bursts": books["bursts"]}
        same("the sniffer", slot, seen)
        clocks = self._get(self.map.CYCLES)
        same("the master", {"clocks": clocks}, {"clocks": books["end"] - books["launch"]})

    # ---- registers ---------------------------------------------------------------------------

    def _words(self) -> int:
        return -(-self.stream.bytes // self.design.data_bytes)

    def _block(self, kind: int, port: int | None) -> int:
        found = self.design.find(kind, port)
        if not found:
            raise broken(f"the design has no block of type {kind}")
        return found[0].block

    def _get(self, register: Register) -> int:
        return self.client.read_register(self.master, register.OFFSET)

    def _put(self, register: Register, value: int) -> None:
        self.client.write_register(self.master, register.OFFSET, value)
