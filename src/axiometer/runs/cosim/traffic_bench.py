"""Traffic on `axm_traffic_top`: one generator a port, its directions independent of each other."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from axiometer.base.errors import AxiometerError
from axiometer.runs.agent import block_types
from axiometer.runs.agent.replies import Line
from axiometer.runs.cosim import addresses
from axiometer.runs.cosim.bench import Bench, Counters, broken
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.registers import offset, registers
from axiometer.simulate.outcome import StreamOutcome
from axiometer.simulate.start import Start
from axiometer.simulate.stream import Stream

PATTERNS = {"sequential": "contiguous", "stride": "strided", "random": "random"}
# What the registers hold.
MOST_GAP = 2**16 - 1
MOST = 2**32 - 1
MOST_REGION = 2**32
# No AXI burst crosses a multiple of this.
PAGE = 4096


class TrafficBench(Bench):
    """Streams are directions of traffic generators.

    clocks: the PL clock at which a run by duration begins no more bursts (`stop` of a start);
    -1: streams run to their bytes.
    """

    engine_type = monitor_type = block_types.TRAFFIC
    start_clocks = 3
    latency_limit = 2**15

    def __init__(
        self, cosim: Cosim, streams: Sequence[Stream], burst_beats: int, clocks: int
    ) -> None:
        self._clocks = clocks
        super().__init__(cosim, streams, burst_beats)
        self._seed = 0  # of the run at hand

    def buffer_bytes(self, stream: Stream) -> int:
        """All that the run can reach: a burst takes as many clocks as it has beats."""
        bursts = -(-stream.bytes // stream.burst_bytes)
        if self._clocks >= 0:
            bursts = min(bursts, self._clocks // self.beats + stream.outstanding + 1)
        return addresses.extent(stream, bursts)

    def start_register(self, direction: str) -> int:
        return offset(registers("traffic").CONTROL)

    def size(self, number: int, books: StreamOutcome, told: Line | None) -> int:
        stream = self.streams[number]
        return min(stream.bytes, books["bursts"] * stream.burst_bytes)

    def beats_of(self, number: int, books: StreamOutcome) -> int:
        return -(-self.size(number, books, None) // self.design.data_bytes)

    def slot(self, stream: Stream) -> int:
        return 2 * stream.port + (stream.direction == "write")

    def prepare(self, start: Start) -> None:
        """The job is new in each run: seeds and the clocks that are left differ."""
        self._seed = start.pattern_seed
        self.client.new_job()
        for number, stream in enumerate(self.streams):
            buffer, seed = self.buffers[number], addresses.seed(self._seed, stream.port)
            # A word that is written cannot be what was there before.
            before = seed if stream.direction == "read" else ~seed % 2**32
            self.client.fill(buffer, "address", before)
            self.client.traffic(
                self.engines[number].block,
                stream.direction,
                buffer,
                beats=self.beats,
                outstanding=stream.outstanding,
                gap=stream.gap_cycles,
                check=1,
                seed=seed,
                **self._pattern(stream),
                **self._end(stream, start.launch[number]),
            )

    def _pattern(self, stream: Stream) -> dict[str, str | int]:
        keys: dict[str, str | int] = {"pattern": PATTERNS[stream.pattern]}
        size = self.buffer_bytes(stream)
        if stream.pattern == "random":
            keys["stride"] = addresses.mask(stream)
        elif stream.pattern == "stride":
            keys["stride"] = min(stream.stride, size)
        # The last burst of the region begins at its last step: what the buffer holds besides
        # belongs to nobody.
        return keys | {"bytes": size}

    def _end(self, stream: Stream, launch: int) -> dict[str, str | int]:
        if self._clocks < 0:
            return {"stop": "bytes", "limit": stream.bytes}
        return {"stop": "clocks", "limit": max(self._clocks - launch, 0)}

    def check_data(self, number: int, books: StreamOutcome, counters: Counters) -> None:
        """What is read, the generator has checked. Of what was written, as many words must be
        right as the bursts have; all words were wrong before."""
        stream, buffer = self.streams[number], self.buffers[number]
        if stream.direction == "read":
            return
        seed = addresses.seed(self._seed, stream.port)
        wrong = self.client.check(buffer, "address", seed)
        right = addresses.written(stream, self._seed, books["bursts"], self.design.data_bytes) // 4
        if buffer.size // 4 - wrong != right:
            raise broken(
                f"{self.name(number)}: {buffer.size // 4 - wrong} words in memory are those "
                f"that were written; there must be {right}"
            )


def check(
    streams: Sequence[Stream], burst_beats: int, duration_clocks: int, axi3: bool, crosses: bool
) -> None:
    """AxiometerError if a traffic generator cannot do what one of `streams` asks for.

    crosses: its bursts may cross 4 KiB.
    """
    if burst_beats > (16 if axi3 else 256):
        raise cannot(
            f"bursts of {burst_beats} beats on a port of AXI{3 if axi3 else 4}",
            f"give at most {16 if axi3 else 256}",
        )
    if duration_clocks > MOST:
        raise cannot(f"for {duration_clocks} PL clocks", f"give at most {MOST}")
    for stream in streams:
        burst, step = stream.burst_bytes, addresses.step(stream)
        if not crosses and burst > gcd(step, stream.base, PAGE):
            raise cannot(
                f"bursts of {burst} bytes from {stream.base:#x} on every {step} bytes: "
                f"one would cross a multiple of {PAGE}",
                f"give a power of two up to {PAGE} as burst, and its multiple as stride",
            )
        wraps = stream.region and stream.bytes // burst * step > stream.region
        if stream.pattern == "stride" and 0 < step < burst and (duration_clocks >= 0 or wraps):
            raise cannot(
                f"bursts of {burst} bytes on every {step} bytes that begin anew at the base: "
                "the last would lead out of the buffer",
                f"give a stride of at least {burst} bytes",
            )
        gap = stream.gap_cycles + (burst_beats - 1 if stream.direction == "read" else 0)
        if stream.gap_cycles and gap > MOST_GAP:
            raise cannot(
                f"a gap of {stream.gap_cycles} clocks with {burst_beats} beats",
                f"give at most {MOST_GAP - burst_beats + 1}",
            )
        if duration_clocks < 0 and stream.bytes > MOST:
            raise cannot(f"{stream.bytes} bytes", f"give at most {MOST}")
        if stream.region > MOST_REGION:
            raise cannot(f"a region of {stream.region} bytes", f"give at most {MOST_REGION}")


def cannot(what: str, remedy: str) -> AxiometerError:
    """The error for a point that no top of the RTL can run."""
    return AxiometerError(f"the RTL backend cannot run {what}", remedy=remedy)
