"""Vendors' engines at the ports of `axm_vendor_top`: each copies a buffer to another, through a
FIFO in the fabric or by itself. The sniffer counts their bursts on the bus.
"""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.experiment import listed
from axiometer.experiment.values import Master, Values
from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import Block, Buffer, Capabilities, Line, Run
from axiometer.runs.cosim.registers import registers
from axiometer.runs.engines.dma import SEED
from axiometer.runs.engines.engines import Counters, Engines, counter
from axiometer.simulate.outcome import StreamOutcome
from axiometer.simulate.start import Start
from axiometer.simulate.stream import Stream

_ENGINES = {
    ("axi_dma", False): ("AXI_DMA",),
    ("axi_dma", True): ("AXI_DMA_SG",),
    ("axi_cdma", False): ("AXI_CDMA", "AXI_CDMA_SG"),  # the latter also works without descriptors
    ("axi_cdma", True): ("AXI_CDMA_SG",),
    ("msgdma", True): ("MSGDMA",),
}
"""Engines of regs/vendor.rdl for a master's `kind`, without descriptors or with them."""


def asked(values: Values) -> Sequence[Master]:
    """The masters of a point if all are vendors' engines, else ()."""
    masters = listed.masters(values)
    known = {kind for kind, _ in _ENGINES}
    return masters if all(master["engine"] in known for master in masters) else ()


def numbers(master: Master) -> list[int]:
    """Numbers of the engines in regs/vendor.rdl that can be this master."""
    chained = master["engine"] == "msgdma" or bool(master["scatter_gather"])
    names = _ENGINES.get((str(master["engine"]), chained), ())
    return [registers("vendor").Engine[name].value for name in names]


class VendorEngines(Engines):
    """Streams in pairs: data that are read are written. masters: of the point, one for each
    pair."""

    engine_type = block_types.VENDOR
    monitor_type = block_types.SNIFFER

    def __init__(
        self,
        client: Client,
        streams: Sequence[Stream],
        masters: Sequence[Master],
        design: Capabilities,
    ) -> None:
        super().__init__(client, streams, 0, anywhere=True, design=design)
        self.masters = {master["name"]: master for master in masters}
        engine = registers("vendor").Engine
        self.copies = design.variant in (engine.AXI_CDMA, engine.AXI_CDMA_SG)
        self.chains = design.variant in (engine.AXI_DMA_SG, engine.AXI_CDMA_SG)
        self._order: list[int] = []
        self._configure()

    def counted(self, number: int, counters: Counters) -> Line:
        """The sniffer's count of all that the engine moved in that direction, with descriptors."""
        stream = self.streams[number]
        slot = 2 * stream.port + (stream.direction == "write")
        return counter(counters, kind="sniffer", slot=slot, half=stream.direction)

    def check_beats(self, number: int, counted: Line, books: StreamOutcome) -> None:
        """Allow more beats than data: an engine also reads and writes descriptors through the
        port."""
        beats, data = counted.number("beats"), self.beats_of(number, books)
        if beats < data or (beats > data and not self.chains):
            raise self.broken(f"{self.name(number)}: the sniffer counted {beats} beats of {data}")

    def line_of(self, number: int, outcome: Run) -> Line:
        return outcome.streams[self._order[number]]

    def prepare(self, start: Start) -> None:
        for stream, buffer in zip(self.streams, self.buffers, strict=True):
            if stream.direction == "read":
                self.client.fill(buffer, "stream", SEED)
            else:
                self.client.fill(buffer, "value", 0)

    def check_data(self, number: int, books: StreamOutcome, counters: Counters) -> None:
        stream = self.streams[number]
        if stream.direction == "read":
            return
        wrong = self.client.compare(
            self.buffers[number], self.buffers[stream.partner], bytes=stream.bytes
        )
        if wrong:
            raise self.broken(f"{self.name(number)}: {wrong} bytes in memory are wrong")

    def _configure(self) -> None:
        """Add the receiving half first. `_order`: the agent's stream for each of the scenario's."""
        self.client.new_job()
        added = 0
        parts = zip(self.streams, self.engines, self.buffers, strict=True)
        for stream, engine, buffer in parts:
            if self.copies and stream.direction == "read":
                self._order.append(self._order[stream.partner])
                continue
            self._order.append(added)
            added += 1
            self._add(stream, engine, buffer)

    def _add(self, stream: Stream, engine: Block, buffer: Buffer) -> None:
        keys = {"bytes": stream.bytes}
        if self.copies:
            keys["from"] = self.buffers[stream.partner].buffer
        chosen = self.masters[stream.owner or ""]["descriptor_bytes"]
        if self.chains and chosen and chosen < stream.bytes:
            keys["descriptor_bytes"] = chosen
        self.client.stream(engine.block, stream.direction, buffer, **keys)
