"""Traffic on `axm_traffic_top`: one generator a port, with independent directions."""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import Capabilities, Line
from axiometer.runs.engines import addresses
from axiometer.runs.engines.engines import Counters, Engines
from axiometer.simulate.outcome import StreamOutcome
from axiometer.simulate.start import Start
from axiometer.simulate.stream import Stream

PATTERNS = {"sequential": "contiguous", "stride": "strided", "random": "random"}


class TrafficEngines(Engines):
    """Streams are directions of traffic generators.

    clocks: the PL clock after which a run by duration begins no bursts (`stop` of a start);
    -1: streams run to their bytes.
    """

    engine_type = monitor_type = block_types.TRAFFIC

    def __init__(
        self,
        client: Client,
        streams: Sequence[Stream],
        burst_beats: int,
        clocks: int,
        anywhere: bool = False,
        design: Capabilities | None = None,
    ) -> None:
        self._clocks = clocks
        super().__init__(client, streams, burst_beats, anywhere, design)
        self._seed = 0  # of the current run

    def buffer_bytes(self, stream: Stream) -> int:
        """All bytes that the run can reach: a burst takes as many clocks as it has beats."""
        bursts = -(-stream.bytes // stream.burst_bytes)
        if self._clocks >= 0:
            bursts = min(bursts, self._clocks // self.beats + stream.outstanding + 1)
        return addresses.extent(stream, bursts)

    def size(self, number: int, books: StreamOutcome, line: Line | None) -> int:
        stream = self.streams[number]
        return min(stream.bytes, books["bursts"] * stream.burst_bytes)

    def prepare(self, start: Start) -> None:
        """Make a job for each run: seeds and the clocks that are left differ."""
        self._seed = start.pattern_seed
        self.client.new_job()
        for number, stream in enumerate(self.streams):
            buffer, seed = self.buffers[number], addresses.seed(self._seed, stream.port)
            # A word to be written must differ from its previous value.
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
        # The last burst of the region begins at its last step; the rest of the buffer is not used.
        return keys | {"bytes": size}

    def _end(self, stream: Stream, launch: int) -> dict[str, str | int]:
        if self._clocks < 0:
            return {"stop": "bytes", "limit": stream.bytes}
        return {"stop": "clocks", "limit": max(self._clocks - launch, 0)}

    def check_data(self, number: int, books: StreamOutcome, counters: Counters) -> None:
        """Check written words: the right ones must be as many as the bursts have; before the run
        all words were wrong. The generator has checked read data."""
        stream, buffer = self.streams[number], self.buffers[number]
        if stream.direction == "read":
            return
        seed = addresses.seed(self._seed, stream.port)
        wrong = self.client.check(buffer, "address", seed)
        right = addresses.written(stream, self._seed, books["bursts"], self.design.data_bytes) // 4
        if buffer.size // 4 - wrong != right:
            raise self.broken(
                f"{self.name(number)}: {buffer.size // 4 - wrong} words in memory have the written "
                f"value; there must be {right}"
            )
