"""DMA transfers on `axm_dma_top`: loop-back pairs, readers with a sink, writers with a source."""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import Capabilities
from axiometer.runs.engines.engines import Counters, Engines
from axiometer.simulate.outcome import StreamOutcome
from axiometer.simulate.start import Start
from axiometer.simulate.stream import Stream

# Default seed of buffers, sources and sinks.
SEED = 0xC35AA500


class DmaEngines(Engines):
    """Streams are halves of DMA engines."""

    engine_type = block_types.DMA
    monitor_type = block_types.MONITOR

    def __init__(
        self,
        client: Client,
        streams: Sequence[Stream],
        burst_beats: int,
        anywhere: bool = False,
        design: Capabilities | None = None,
    ) -> None:
        super().__init__(client, streams, burst_beats, anywhere, design)
        self._places: list[int] = []
        self._configure()

    def _configure(self) -> None:
        self.client.new_job()
        for stream, engine, buffer in zip(self.streams, self.engines, self.buffers, strict=True):
            self.client.stream(
                engine.block,
                stream.direction,
                buffer,
                bytes=stream.bytes,
                beats=self.beats,
                outstanding=stream.outstanding,
            )
            if stream.partner >= 0 and stream.direction == "read":
                block = self.block(block_types.LOOPBACK, stream.port).block
                limit = stream.loopback_bursts * self.beats
                self.client.setting("loopback", block, limit=limit)
            elif stream.direction == "read":
                block = self.block(block_types.SINK, stream.port).block
                self.client.setting("sink", block, check=1)
            elif stream.partner < 0:
                block = self.block(block_types.SOURCE, stream.port).block
                self.client.setting("source", block)

    def prepare(self, start: Start) -> None:
        """Fill buffers to read, clear buffers to write. Save for each stream the position of its
        source in words; it continues where the previous run ended; 0 without a source."""
        counters = self.client.counters()
        stand = {
            c.number("block"): c.number("beats") for c in counters if c.word("kind") == "source"
        }
        self._places = []
        for stream, buffer in zip(self.streams, self.buffers, strict=True):
            if stream.direction == "read":
                self.client.fill(buffer, "stream", SEED)
            else:
                self.client.fill(buffer, "value", 0)
            sources = self.design.find(block_types.SOURCE, stream.port)
            beats = stand[sources[0].block] if sources else 0
            self._places.append(beats * self.design.data_bytes // 4 % 2**32)

    def check_data(self, number: int, books: StreamOutcome, counters: Counters) -> None:
        """Check that a loop-back wrote the data that it read, which equal a source's."""
        stream, what = self.streams[number], self.name(number)
        if stream.direction == "write":
            size = stream.bytes // 4 * 4
            span = {"place": self._places[number], "bytes": size}
            if wrong := self.client.check(self.buffers[number], "stream", SEED, **span):
                raise self.broken(f"{what}: {wrong} words in memory are wrong")
            return
        for sink in self.design.find(block_types.SINK, stream.port):
            errors = next(c["errors"] for c in counters if c["block"] == sink.block)
            if errors:
                raise self.broken(f"{what}: the sink found {errors} wrong beats")
