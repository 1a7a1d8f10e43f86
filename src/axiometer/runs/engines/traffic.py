"""Traffic on `axm_traffic_top`: one generator a port, its directions independent of each other."""

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

    clocks: the PL clock at which a run by duration begins no more bursts (`stop` of a start);
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
        self._seed = 0  # of the run at hand

    def buffer_bytes(self, stream: Stream) -> int:
        """All that the run can reach: a burst takes as many clocks as it has beats."""
        bursts = -(-stream.bytes // stream.burst_bytes)
        if self._clocks >= 0:
            bursts = min(bursts, self._clocks // self.beats + stream.outstanding + 1)
        return addresses.extent(stream, bursts)

    def size(self, number: int, books: StreamOutcome, told: Line | None) -> int:
        stream = self.streams[number]
        return min(stream.bytes, books["bursts"] * stream.burst_bytes)

    def beats_of(self, number: int, books: StreamOutcome) -> int:
        return -(-self.size(number, books, None) // self.design.data_bytes)

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
            raise self.broken(
                f"{self.name(number)}: {buffer.size // 4 - wrong} words in memory are those "
                f"that were written; there must be {right}"
            )
