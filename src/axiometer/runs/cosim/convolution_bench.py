"""Convolution accelerators on `axm_convolution_top`: a block at each port, for a given time.

The agent has no job for accelerators: they are set up and started register by register. Inputs make
every result known: all words of a block (as many matrices as a buffer holds) are equal, so all
words of its results are 16 times the product, with another number for each block.
"""

from __future__ import annotations

from axiometer.experiment.keys_qos import BUFFER_BYTES
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
from axiometer.runs.cosim.registers import registers
from axiometer.runs.cosim.traffic_bench import cannot
from axiometer.runs.engines.engines import Counters, counter
from axiometer.simulate.engines import Accelerators
from axiometer.simulate.outcome import StreamOutcome
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.start import Start

# PL clocks from the first of the write that starts a block to that in which the model's
# accelerators look for a burst to send; address set-up adds LANES clocks.
START_CLOCKS = 4
LOOK = 256  # PL clocks between two checks of running blocks
MOST_BUFFERS = 32  # of the agent
BEAT = 16


class ConvolutionBench:
    """The co-simulated accelerators of a scenario. Nothing is measured after its `stop`."""

    def __init__(self, cosim: Cosim, scenario: Scenario) -> None:
        self.cosim = cosim
        self.clocks = clocks = scenario.stop
        self.streams = scenario.streams
        self.lanes, self.turn = _accelerators(scenario).lanes, _accelerators(scenario).turn
        self.client = Client(cosim.transport)
        self.client.hello()
        self.design = self.client.capabilities()
        self.map = registers("convolution")
        self.blocks = [self._block(self.map.BLOCK_TYPE, p) for p in range(len(self.streams) // 2)]
        self.sniffer = self._block(block_types.SNIFFER, None)
        reach = clocks * BEAT // (2 * self.lanes)
        self.reach = (reach // BUFFER_BYTES + 4) * BUFFER_BYTES
        self.buffers = {
            (port, name, lane): self.client.allocate(self.reach, align=4, address=at)
            for port in range(len(self.blocks))
            for name, lane, at in self._places(port)
        }

    def run(self, start: Start) -> Counted:
        """One repeat: the chip's time accounting as from the model's binding, and `counters`.

        AxiometerError if an accelerator found a fault, results are wrong, or two counts of the same
        differ.
        """
        for port in range(len(self.blocks)):
            self._prepare(port, self.clocks)
        arm_sniffer(self.client, self.cosim, self.sniffer, LOOK)
        control = self.map.CONTROL
        word = control.START_MASK | 3 << control.CACHE_SHIFT
        arrivals = []
        for port, block in enumerate(self.blocks):
            at = start.launch[2 * port] - START_CLOCKS - self.lanes
            if at < 0:
                raise cannot(f"a launch at PL clock {start.launch[2 * port]}", "give a skew")
            arrivals.append(((block << 12) + control.OFFSET, at))
        self.cosim.start(start, arrivals)
        for block in self.blocks:
            self.client.write_register(block, control.OFFSET, word)
        for port in range(len(self.blocks)):
            self._wait(port)
        if wrong := self.cosim.violation():
            raise broken(f"the design broke a rule of AXI: {wrong}")
        result = self.cosim.result()
        counters = self.client.counters(self.sniffer)
        for number, books in enumerate(result["streams"]):
            self._compare(number, books.pop("whole", books), counters)
        for port in range(len(self.blocks)):
            self._check_results(port)
        return {**result, "counters": counters}

    # ---- before and during -------------------------------------------------------------------

    def _places(self, port: int) -> list[tuple[str, int, int]]:
        """Input or result, lane and address, as in the model's accelerators."""
        reads, writes = self.streams[2 * port], self.streams[2 * port + 1]
        span = self._span(port)
        found = []
        for lane in range(self.lanes):
            found.append(("a", lane, reads.base + lane * span))
            found.append(("b", lane, reads.base + (self.lanes + lane) * span))
            found.append(("c", lane, writes.base + lane * span))
        return found

    def _span(self, port: int) -> int:
        """Bytes from one lane's matrices to the next lane's."""
        region = self.streams[2 * port].region
        return region // (2 * self.lanes) // BUFFER_BYTES * BUFFER_BYTES

    @staticmethod
    def _value(port: int, name: str, lane: int, block: int) -> int:
        """The word that fills a block of inputs."""
        odd = {"a": 0x9E3779B1, "b": 0x85EBCA77}[name]
        return (odd * (1 + block + 1009 * lane + 8191 * port)) % 2**32

    def _prepare(self, port: int, clocks: int) -> None:
        reads, writes = self.streams[2 * port], self.streams[2 * port + 1]
        for (of, name, lane), buffer in self.buffers.items():
            if of != port:
                continue
            if name == "c":
                self.client.fill(buffer, "value", 0)
                continue
            for k in range(self.reach // BUFFER_BYTES):
                span = {"offset": k * BUFFER_BYTES, "bytes": BUFFER_BYTES}
                self.client.fill(buffer, "value", self._value(port, name, lane, k), **span)
        at = {name: address for name, lane, address in self._places(port) if lane == 0}
        words = {
            "A_LO": at["a"] % 2**32,
            "A_HI": at["a"] >> 32,
            "B_LO": at["b"] % 2**32,
            "B_HI": at["b"] >> 32,
            "C_LO": at["c"] % 2**32,
            "C_HI": at["c"] >> 32,
            "LANE_STEP": self._span(port),
            "BLOCKS": self.reach // BUFFER_BYTES,
            "BURST": (reads.burst_bytes // BEAT).bit_length() - 1
            | (self.turn.bit_length() - 1) << self.map.BURST.TURN_LOG2_SHIFT,
            "LIMITS": reads.outstanding | writes.outstanding << self.map.LIMITS.WRITES_SHIFT,
            "CLOCKS": clocks,
        }
        for name, value in words.items():
            self.client.write_register(self.blocks[port], getattr(self.map, name).OFFSET, value)

    def _wait(self, port: int) -> None:
        status = self.map.STATUS
        for _ in range(0, round(LIMIT_MS * 1e-3 * self.design.clock_hz), LOOK):
            word = self.client.read_register(self.blocks[port], status.OFFSET)
            if cause := (word & status.CAUSE_MASK) >> status.CAUSE_SHIFT:
                raise broken(f"accelerators at port {port} ended with {self.map.Cause(cause).name}")
            if not word & status.BUSY_MASK:
                return
            self.cosim.idle(LOOK)
        raise broken(f"a run did not end in {LIMIT_MS / 1000:g} s of its own time")

    # ---- afterwards --------------------------------------------------------------------------

    def _compare(self, number: int, books: StreamOutcome, counters: Counters) -> None:
        """Check that sniffer and chip counted the same bursts and beats."""
        stream = self.streams[number]
        name = f"port {stream.name}, {stream.direction}"
        slot = 2 * stream.port + (stream.direction == "write")
        beats = books["bursts"] * stream.burst_bytes // BEAT
        seen = {"bursts": books["bursts"], "beats": beats}
        same(f"{name}: the sniffer", counter(counters, slot=slot), seen)

    def _check_results(self, port: int) -> None:
        """Check that right words match the number of convolutions, and that no others are
        written."""
        done = self.client.read_register(self.blocks[port], self.map.DONE.OFFSET)
        right = written = 0
        for lane in range(self.lanes):
            buffer = self.buffers[port, "c", lane]
            written += self.client.check(buffer, "value", 0)
            for k in range(self.reach // BUFFER_BYTES):
                product = 16 * self._value(port, "a", lane, k) * self._value(port, "b", lane, k)
                span = {"offset": k * BUFFER_BYTES, "bytes": BUFFER_BYTES}
                wrong = self.client.check(buffer, "value", product % 2**32, **span)
                right += BUFFER_BYTES // 4 - wrong
        if not right == written == 16 * done:
            raise broken(
                f"port {port}: {done} convolutions are done, {written} words are written and "
                f"{right} of them right; there must be {16 * done}"
            )

    def _block(self, kind: int, port: int | None) -> int:
        found = self.design.find(kind, port)
        if not found:
            raise broken(f"the design has no block of type {kind}")
        return found[0].block


def _accelerators(scenario: Scenario) -> Accelerators:
    assert scenario.accelerators is not None  # the master is "convolution"
    return scenario.accelerators


def check(scenario: Scenario) -> None:
    """AxiometerError if the RTL's accelerators cannot run a scenario with accelerators."""
    clocks, lanes = scenario.stop, _accelerators(scenario).lanes
    ports = len(scenario.streams) // 2
    if 3 * ports * lanes > MOST_BUFFERS:
        raise cannot(
            f"{lanes} accelerators at each of {ports} ports",
            f"use fewer: at most {MOST_BUFFERS // 3} together",
        )
    if not 0 < clocks < 2**32:
        raise cannot(f"for {clocks} PL clocks", f"give a duration of at most {2**32 - 1} clocks")
    if clocks * BEAT // (2 * lanes) + 8 * BUFFER_BYTES > scenario.streams[0].region // (2 * lanes):
        raise cannot("a run that is longer than its matrices", "give a shorter duration")
