"""axm_dma_top with one port, as software sees it: discovery, transfers, interrupt, sniffer."""

import os
import random

import cocotb
from cocotb.triggers import ClockCycles
from regs.generated import (
    counter,
    dma,
    monitor,
    sniffer,
    stream_loopback,
    stream_sink,
    stream_source,
)
from regs.generated import id as ident
from top_bench import MasterBench

MODE, RINGS = int(os.environ["MODE"]), int(os.environ["RINGS"])
ENGINE, STREAM, MONITOR, SNIFFER = 2, 3, 4, 5  # windows
BLOCKS = (ident, counter, dma, (stream_loopback, stream_sink, stream_source, stream_source)[MODE],
          monitor, sniffer)  # fmt: skip
BOTH, COPY = MODE in (0, 3), MODE == 3
SOURCE, TARGET, RING = 0x1000, 0x9000, 0x7000
BEATS, BURST = 200, 16
SEED = 0xC35AA500  # of the stream blocks, at reset


def pattern(count: int) -> bytes:
    """What the stream source sends and the sink expects, as regs/stream_source.rdl has it."""
    words = bytearray()
    for i in range(count // 4):
        word = i ^ i << 8 ^ i << 16 ^ i << 24 ^ SEED
        words += (word & 0xFFFF_FFFF).to_bytes(4, "little")
    return bytes(words)


class Bench(MasterBench):
    def __init__(self, dut):
        super().__init__(dut)
        self.count = BEATS * self.bytes

    async def address(self, half, address) -> None:
        await self.put(ENGINE, getattr(dma, f"{half}_CONFIG"), BURST - 1 | 4 << 8 | 3 << 16)
        await self.put(ENGINE, getattr(dma, f"{half}_ADDR_LO"), address)

    async def submit(self, half, address, last=0) -> None:
        get = lambda name: getattr(dma, f"{half}_{name}")  # noqa: E731
        await self.address(half, address)
        await self.put(ENGINE, get("LENGTH"), self.count)
        await self.put(ENGINE, get("SUBMIT"), last)

    async def interrupted(self) -> None:
        for _ in range(3000):
            if int(self.dut.irq.value):
                return
            await ClockCycles(self.dut.aclk, 1)
        raise AssertionError("no interrupt came")

    async def done(self, half) -> None:
        """The oldest completion is that of the whole transfer, without a fault."""
        assert await self.get(ENGINE, getattr(dma, f"{half}_DONE_BYTES")) == self.count
        word = await self.get(ENGINE, getattr(dma, f"{half}_DONE"))
        assert (word >> 31, word & 15) == (1, dma.Code.OK)

    async def watched(self, slot, address) -> None:
        """The sniffer's slot saw the bursts of one transfer from `address` on."""
        await self.put(SNIFFER, sniffer.SELECT, slot)
        lengths = [await self.get(SNIFFER, sniffer.LENGTHS, k) for k in range(16)]
        expected = [0] * 16
        expected[BURST - 1] = BEATS // BURST
        expected[BEATS % BURST - 1] += 1
        assert lengths == expected
        assert await self.get(SNIFFER, sniffer.SLOT) & 0xFF == sum(expected)
        step = BURST * self.bytes
        for number in range(3):
            assert await self.get(SNIFFER, sniffer.RECORDS, 4 * number) == address + number * step


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def discovery(dut):
    """Every window has the block that the table tells; the others answer an error."""
    bench = Bench(dut)
    await bench.begin()
    await bench.discover(1 | 1 << 8 | bench.bytes << 16 | MODE << 24, *BLOCKS)
    caps = await bench.get(ENGINE, dma.CAPS)
    assert (caps & 1, caps >> 1 & 1, caps >> 2 & 1) == (MODE != 2, MODE != 1, COPY)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def transfer(dut):
    """One transfer in each direction that there is: data, completion, interrupt, sniffer."""
    bench = Bench(dut)
    await bench.begin()
    await bench.watch(SNIFFER)
    await bench.put(ENGINE, dma.IRQ_ENABLE, dma.IRQ_ENABLE.DONE_MASK)
    await bench.put(ENGINE, dma.COALESCE, 2 if MODE == 0 else 1)
    assert int(dut.irq.value) == 0
    data = random.Random(3).randbytes(bench.count) if BOTH else pattern(bench.count)
    if MODE != 2:
        bench.fill(SOURCE, data)
    if MODE == 1:
        await bench.put(STREAM, stream_sink.CTRL, 3)  # takes, and compares
    if MODE == 2:
        await bench.put(STREAM, stream_source.CTRL, 1)
    if COPY:
        await bench.address("RD", SOURCE)
    if MODE != 1:
        await bench.submit("WR", TARGET)
    if MODE not in (2, 3):
        await bench.submit("RD", SOURCE, last=1)
    await bench.interrupted()
    await bench.put(SNIFFER, sniffer.CTRL, 0)
    if MODE not in (2, 3):
        await bench.done("RD")
    if MODE != 2:
        await bench.watched(0, SOURCE)
    if MODE != 1:
        await bench.done("WR")
        assert bench.content(TARGET, bench.count) == data
        await bench.watched(1 if BOTH else 0, TARGET)
    if MODE == 0:
        assert await bench.get(STREAM, stream_loopback.LEVEL) & 0xFFFF == 0
    if MODE == 1:
        assert await bench.get(STREAM, stream_sink.BEATS_LO) == BEATS
        assert await bench.get(STREAM, stream_sink.BYTES_LO) == bench.count
        assert await bench.get(STREAM, stream_sink.PACKETS) == 1
        assert await bench.get(STREAM, stream_sink.ERRORS) == 0
    await bench.put(ENGINE, dma.IRQ_STATUS, dma.IRQ_STATUS.DONE_MASK)
    await ClockCycles(dut.aclk, 3)
    assert int(dut.irq.value) == 0


@cocotb.test(skip=not RINGS, timeout_time=1, timeout_unit="ms")
async def descriptors(dut):
    """The same by a ring of descriptors for each half; what is at the pins is asserted there
    (rtl/tops/checks), and that descriptors have an AxCACHE and AxPROT of their own here."""
    bench = Bench(dut)
    await bench.begin()
    data = random.Random(4).randbytes(bench.count)
    bench.fill(SOURCE, data)
    await bench.put(STREAM, *((stream_sink.CTRL, 1) if MODE == 1 else (stream_source.CTRL, 1)))
    await bench.put(ENGINE, dma.RING_CONFIG, 15 << 16 | 2 << 20)
    halves = [name for name, there in (("WR", MODE != 1), ("RD", MODE in (0, 1))) if there]
    for number, half in enumerate(halves):
        address = SOURCE if half == "RD" else TARGET
        await bench.address(half, address)
        await bench.address("RD", SOURCE)  # a copy's reading half has a setting, too
        words = (address, 0, bench.count, 1, SOURCE, 0, 0, 0)
        bench.fill(RING + 64 * number, b"".join(word.to_bytes(4, "little") for word in words))
        ring = lambda name: getattr(dma, f"{half}_RING_{name}")  # noqa: B023, E731
        await bench.put(ENGINE, ring("BASE_LO"), RING + 64 * number)
        await bench.put(ENGINE, ring("CONTROL"), 1 | 1 << 8)
        await bench.put(ENGINE, ring("TAIL"), 1)
    for number, half in enumerate(halves):
        for _ in range(400):
            if await bench.get(ENGINE, getattr(dma, f"{half}_RING_HEAD")):
                break
        written = bench.content(RING + 64 * number + 24, 8)
        assert written[0] & 15 == dma.Code.OK and written[3] >> 7
        assert int.from_bytes(written[4:], "little") == bench.count
    if MODE != 1:
        wanted = data if BOTH else pattern(bench.count)
        assert bench.content(TARGET, bench.count) == wanted
    for channel in ("ar", "aw"):
        sent = [(bool(s.id), s.cache, s.prot) for _, s in bench.slave.log[channel]]
        assert set(sent) <= {(False, 3, 0), (True, 15, 2)}
        assert sum(by_ring for by_ring, _, _ in sent) == len(halves)


@cocotb.test(skip=MODE != 1, timeout_time=1, timeout_unit="ms")
async def wrong_data_is_found(dut):
    """The sink says which beat was not what it expected."""
    bench = Bench(dut)
    await bench.begin()
    data = bytearray(pattern(bench.count))
    data[37 * bench.bytes + 1] ^= 4
    bench.fill(SOURCE, data)
    await bench.put(ENGINE, dma.IRQ_ENABLE, dma.IRQ_ENABLE.DONE_MASK)
    await bench.put(STREAM, stream_sink.CTRL, 3)
    await bench.submit("RD", SOURCE, last=1)
    await bench.interrupted()
    assert await bench.get(STREAM, stream_sink.ERRORS) == 1
    assert await bench.get(STREAM, stream_sink.FIRST_ERROR_LO) == 37
    assert await bench.get(STREAM, stream_sink.FIRST_LANES) == 2
