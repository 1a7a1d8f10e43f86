"""DMA engines of `axm_dma_top` under co-simulation (`engines/dma.py`)."""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.runs.cosim.bench import Bench, greeted
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.registers import offset, registers
from axiometer.runs.engines.dma import DmaEngines
from axiometer.simulate.stream import Stream

# MODE of axm_dma_top with both directions.
DUPLEX = 0


class DmaBench(Bench, DmaEngines):
    """Streams are halves of DMA engines."""

    start_clocks = 4

    def __init__(self, cosim: Cosim, streams: Sequence[Stream], burst_beats: int) -> None:
        self.cosim = cosim
        super().__init__(greeted(cosim), streams, burst_beats)

    def start_register(self, direction: str) -> int:
        dma = registers("dma")
        return offset(dma.RD_SUBMIT if direction == "read" else dma.WR_SUBMIT)

    def slot(self, stream: Stream) -> int:
        if self.design.variant == DUPLEX:
            return 2 * stream.port + (stream.direction == "write")
        return stream.port
