"""Traffic generators of `axm_traffic_top` under co-simulation (`engines/traffic.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from axiometer.base.errors import AxiometerError
from axiometer.runs.cosim.bench import Bench, greeted
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.registers import offset, registers
from axiometer.runs.engines import addresses
from axiometer.runs.engines.traffic import TrafficEngines
from axiometer.simulate.stream import Stream

# Limits of the registers.
MOST_GAP = 2**16 - 1
MOST = 2**32 - 1
MOST_REGION = 2**32
# No AXI burst crosses a multiple of this.
PAGE = 4096


class TrafficBench(Bench, TrafficEngines):
    """Streams are directions of traffic generators; clocks as in TrafficEngines."""

    start_clocks = 4
    latency_limit = 2**15

    def __init__(
        self, cosim: Cosim, streams: Sequence[Stream], burst_beats: int, clocks: int
    ) -> None:
        self.cosim = cosim
        super().__init__(greeted(cosim), streams, burst_beats, clocks)

    def start_register(self, direction: str) -> int:
        return offset(registers("traffic").CONTROL)

    def slot(self, stream: Stream) -> int:
        return 2 * stream.port + (stream.direction == "write")


def check(
    streams: Sequence[Stream], burst_beats: int, duration_clocks: int, axi3: bool, crosses: bool
) -> None:
    """AxiometerError if a traffic generator cannot run one of `streams`.

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
                f"bursts of {burst} bytes on every {step} bytes that start again at the base: "
                "the last would leave the buffer",
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
