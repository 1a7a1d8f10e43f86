"""Runs an experiment on a co-simulated design, and checks all that can be checked.

The agent moves the data and reads the hardware's counters; the simulation has the chip's counts.
Both must agree. This file has the common part of all tops; a subclass handles the blocks of one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.registers import registers
from axiometer.runs.engines.engines import Counters, Engines, counter
from axiometer.simulate.outcome import Outcome, StreamOutcome
from axiometer.simulate.start import Start
from axiometer.simulate.stream import Stream


class Counted(Outcome):
    """A run with the hardware's counters, from the agent."""

    counters: Counters


# PL clocks of a register write: the next start cannot come earlier.
WRITE_CLOCKS = 4
# Limits of a run in simulated and in real time. A run that hangs ends far earlier: by the engines'
# time-outs, or by the simulation (cosim/src/watchdog.hpp).
LIMIT_MS = 600_000
WALL_S = 24 * 3600.0
# The chip's histogram of latencies is exact below this.
EXACT_LATENCY = 512


class Bench(Engines):
    """A co-simulated design with engines for streams. A subclass sets `cosim` and begins the
    conversation (`greeted`) before the constructor looks for engines."""

    cosim: Cosim

    # The monitor counts latencies from here on as one less.
    latency_limit = 2**62
    # PL clocks from the first of the write that starts an engine to its first address.
    start_clocks: int

    @abstractmethod
    def start_register(self, direction: str) -> int:
        """Offset of the register whose write starts an engine."""

    @abstractmethod
    def slot(self, stream: Stream) -> int:
        """The sniffer's slot for a stream."""

    def broken(self, what: str) -> AxiometerError:
        return broken(what)

    # ---- a run -----------------------------------------------------------------------------

    def run(self, start: Start) -> Counted:
        """One repeat: the chip's time accounting as from the model's binding, with the bytes that
        the engines have moved, and `counters`, the counts of monitors and sniffer.

        AxiometerError if a start is impossible, a transfer failed, data are wrong, or two counts of
        the same differ.
        """
        arrivals = self._arrivals(start.launch)
        self.prepare(start)
        self.client.arm()
        self.cosim.start(start, arrivals)
        outcome = self.client.run(timeout_ms=LIMIT_MS, wall_s=WALL_S)
        if outcome.state != "done":
            raise broken(f"a transfer ended with {outcome.state}: {self.failures(outcome)}")
        if wrong := self.cosim.violation():
            raise broken(f"the design broke a rule of AXI: {wrong}")
        result = self.cosim.result()
        counters = self.client.counters()
        wholes = []
        pairs = zip(result["streams"], outcome.streams, strict=True)
        for number, (books, line) in enumerate(pairs):
            # In a free run time accounting covers the measured part; counters count all.
            whole = books.pop("whole", books)
            whole["bytes"] = self.size(number, whole, line)
            self._compare(number, whole, counters)
            self.check_data(number, whole, counters)
            wholes.append(whole)
        self._compare_slots(wholes, counters)
        return {**result, "counters": counters}

    def _arrivals(self, launches: Sequence[int]) -> list[tuple[int, int]]:
        """Address and PL clock of the register writes that start the engines. One write may start
        two streams of an engine."""
        arrivals: dict[int, int] = {}
        for engine, stream, launch in zip(self.engines, self.streams, launches, strict=True):
            address = (engine.block << 12) + self.start_register(stream.direction)
            at = launch - self.start_clocks
            before = max(arrivals.values(), default=None)
            if arrivals.get(address) == at:
                continue
            if at < 0 or address in arrivals or (before is not None and at - before < WRITE_CLOCKS):
                raise AxiometerError(
                    f"the RTL backend cannot start engines at PL clocks "
                    f"{', '.join(map(str, launches))}",
                    remedy=f"the processor starts one after another: give a skew of at least "
                    f"{WRITE_CLOCKS} PL clocks",
                )
            arrivals[address] = at
        return list(arrivals.items())

    def _compare(self, number: int, books: StreamOutcome, counters: Counters) -> None:
        """Check that monitor and chip counted the same bursts, beats and latencies."""
        stream = self.streams[number]
        beats = self.beats_of(number, books)
        latencies = [latency for latency, _ in books["latency"]]
        seen: dict[str, float] = {"bursts": books["bursts"], "beats": beats}
        if not latencies or latencies[-1] < self.latency_limit:
            seen["latency_sum"] = books["latency_sum"]
        if latencies and latencies[-1] < EXACT_LATENCY:
            seen |= {"latency_min": latencies[0], "latency_max": latencies[-1]}
        mine = self.block_of(self.monitor_type, stream).block
        half = counter(counters, kind="monitor", block=mine, half=stream.direction)
        same(f"{self.name(number)}: the monitor", half, seen)

    def _compare_slots(self, books: list[StreamOutcome], counters: Counters) -> None:
        """Check that the sniffer counted the sum of all masters for each port and direction."""
        sniffer = self.design.find(block_types.SNIFFER)[0].block
        moved: dict[int, dict[str, int]] = {}
        for number, (stream, of) in enumerate(zip(self.streams, books, strict=True)):
            seen = moved.setdefault(self.slot(stream), {"bursts": 0, "beats": 0})
            seen["bursts"] += of["bursts"]
            seen["beats"] += self.beats_of(number, of)
        for slot, seen in moved.items():
            counted = counter(counters, block=sniffer, slot=slot)
            same(f"slot {slot} of the sniffer", counted, seen)


def greeted(cosim: Cosim) -> Client:
    """A conversation with the agent in a co-simulation."""
    client = Client(cosim.transport)
    client.hello()
    return client


def arm_sniffer(client: Client, cosim: Cosim, block: int, look: int) -> None:
    """Start a new count of the sniffer `block`; checks every `look` PL clocks whether it is
    ready."""
    sniffer = registers("sniffer")
    for word in (0, sniffer.CTRL.RUN_MASK):
        client.write_register(block, sniffer.CTRL.OFFSET, word)
    while not client.read_register(block, sniffer.STATUS.OFFSET) & sniffer.STATUS.ARMED_MASK:
        cosim.idle(look)


def same(who: str, counted: Mapping[str, object], seen: Mapping[str, object]) -> None:
    """AxiometerError unless the counts of `who` equal the chip's."""
    differ = {k: (counted[k], v) for k, v in seen.items() if counted[k] != v}
    if differ:
        text = ", ".join(f"{key} {mine}, not {chips}" for key, (mine, chips) in differ.items())
        raise broken(f"{who} and the chip counted differently: {text}")


def broken(what: str) -> AxiometerError:
    """The error for a fault of this program or its design."""
    return AxiometerError(
        f"the co-simulation is wrong: {what}",
        remedy="this is a fault of Axiometer; please report it with the experiment file",
        status=RUN_FAILED,
    )
