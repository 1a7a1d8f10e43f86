"""What a DMA engine must do when nothing goes wrong: every byte, completion and interrupt."""

import random

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge
from dma_driver import RD, WR, dma, noise, start
from flow.axil_channels import answers_wait_alone

BASE, SOURCE = 0x1000_0000, 0x3000_0000
BUSY = {"stall": 0.4, "hold": 0.3, "drain": 0.7, "limit": 300, "rate": 0.6}


def width_of(dut):
    return len(dut.m_axi_wdata) // 8


def some_transfers(dut, draw, count, base=BASE, most=1500):
    """Addresses and lengths with what is special: ends of pages, one beat, a beat less and more."""
    width = width_of(dut)
    step = 1 if int(dut.UNALIGNED.value) else width
    for number in range(count):
        length = draw.choice((step, width, 16 * width, draw.randrange(step, most, step)))
        near = draw.choice((0, 4096 - length % 4096, 4096 - width, draw.randrange(0, 4096, step)))
        if number % 3 == 1:  # over the end of a page, by a whole burst or not
            length = draw.randrange(9, 40) * width
            near = 4096 - draw.choice((1, 3, 8)) * width
        yield base + number * 0x4000 + near // step * step, length


def lengths_of_bursts(dut):
    return (1, 3, 16) if int(dut.AXI3.value) else (1, 7, 16, 256)


async def read_all(dut, engine, slave, sink, draw):
    expected = []
    for burst in lengths_of_bursts(dut):
        await engine.configure(RD, burst, draw.choice((1, 2, 8, 16)))
        transfers = list(some_transfers(dut, draw, 6))
        for address, length in transfers:
            await engine.submit(RD, address, length, last=1)
        for _, length in transfers:
            assert (await engine.done(RD))[:2] == (dma.Code.OK, length)
        expected += transfers
    await ClockCycles(dut.clk, 20)
    packets, rest = sink.packets(width_of(dut))
    assert packets == [slave.memory.get(*transfer) for transfer in expected]
    assert rest == b""
    await engine.idle(RD)


@cocotb.test()
async def reads(dut):
    await read_all(dut, *(await start(dut))[:3], random.Random(11))


@cocotb.test()
async def reads_with_pauses(dut):
    await read_all(dut, *(await start(dut, **BUSY))[:3], random.Random(12))


@cocotb.test()
async def reads_without_last(dut):
    engine, slave, sink, _ = await start(dut)
    await engine.configure(RD)
    for number in range(3):
        await engine.submit(RD, BASE + number * 128, 128, last=0)
        await engine.done(RD)
    assert sink.packets(width_of(dut)) == ([], slave.memory.get(BASE, 384))


async def write_all(dut, engine, slave, source, draw):
    for burst in lengths_of_bursts(dut):
        whole = draw.choice((0, 1))
        await engine.configure(WR, burst, draw.choice((1, 2, 8, 16)), whole)
        transfers = list(some_transfers(dut, draw, 6))
        for number, (address, length) in enumerate(transfers):
            slave.memory.put(address - 64, noise(length + 128, number))
        data = [noise(length, 100 + number) for number, (_, length) in enumerate(transfers)]
        for number, (address, length) in enumerate(transfers):
            # A transfer that fills its packet ends with it; one without a mark ends by its length.
            source.give(data[number], last=number % 2 == 0)
            await engine.submit(WR, address, length)
        for number, (_, length) in enumerate(transfers):
            code, moved, word = await engine.done(WR)
            assert (code, moved) == (dma.Code.OK, length)
            assert bool(word & dma.WR_DONE.PACKET_END_MASK) == (number % 2 == 0)
        for number, (address, length) in enumerate(transfers):
            around = noise(length + 128, number)
            wanted = around[:64] + data[number] + around[64 + length :]
            assert slave.memory.get(address - 64, length + 128) == wanted, (hex(address), length)
    await engine.idle(WR)


@cocotb.test()
async def writes(dut):
    engine, slave, _, source = await start(dut)
    await write_all(dut, engine, slave, source, random.Random(13))


@cocotb.test()
async def writes_with_pauses(dut):
    engine, slave, _, source = await start(dut, **BUSY)
    await write_all(dut, engine, slave, source, random.Random(14))


@cocotb.test()
async def short_packets(dut):
    """A packet that ends early ends its transfer; nothing behind it is touched."""
    engine, slave, _, source = await start(dut, rate=0.7, stall=0.2)
    draw = random.Random(15)
    width = width_of(dut)
    for whole in (0, 1):
        await engine.configure(WR, 8, 4, whole)
        packets = []
        for number in range(8):
            count = draw.choice((1, width, width + 1, 8 * width, draw.randrange(1, 20 * width)))
            offset = draw.randrange(width) if int(dut.UNALIGNED.value) else 0
            packets.append((BASE + number * 0x1000 + offset, noise(count, number + 50 * whole)))
            slave.memory.put(BASE + number * 0x1000, b"\xa5" * 0x1000)
            source.give(packets[-1][1], last=True)
            await engine.submit(WR, packets[-1][0], 24 * width)
        for _, data in packets:
            code, moved, word = await engine.done(WR)
            assert (code, moved) == (dma.Code.OK, len(data))
            assert word & dma.WR_DONE.PACKET_END_MASK
        for address, data in packets:
            before, after = address % width, 24 * width - len(data)
            got = slave.memory.get(address - before, before + len(data) + after)
            assert got == b"\xa5" * before + data + b"\xa5" * after


@cocotb.test()
async def copies(dut):
    engine, slave, _, _ = await start(dut, stall=0.2, latency=12)
    draw = random.Random(16)
    for burst in lengths_of_bursts(dut):
        await engine.configure(RD, burst, 8)
        await engine.configure(WR, draw.choice(lengths_of_bursts(dut)), 8, draw.choice((0, 1)))
        sources = some_transfers(dut, draw, 8, SOURCE)
        targets = some_transfers(dut, draw, 8)
        pairs = [(s, t, n) for (s, n), (t, _) in zip(sources, targets, strict=True)]
        for source, target, length in pairs:
            await engine.submit(WR, target, length, source=source)
        for _, _, length in pairs:
            assert (await engine.done(WR))[:2] == (dma.Code.OK, length)
        for source, target, length in pairs:
            assert slave.memory.get(target, length) == slave.memory.get(source, length)
    await engine.idle(WR)
    await engine.idle(RD)


@cocotb.test()
async def attributes_and_capabilities(dut):
    engine, _, _, source = await start(dut)
    caps = await engine.read(dma.CAPS)
    assert caps & 3 == int(dut.HAS_READ.value) | int(dut.HAS_WRITE.value) << 1
    assert caps >> 2 & 1 == int(dut.COPY.value)
    assert 32 << (caps >> 6 & 3) == 8 * width_of(dut)
    assert (await engine.read(dma.ID)) & 0xFFFF == dma.BLOCK_TYPE
    size = width_of(dut).bit_length() - 1
    for half, channel, *values in ((RD, "ar", 5, 2, 9), (WR, "aw", 10, 5, 6)):
        await engine.configure(half, 16, 8, 1, *values)
        if not caps >> (half is WR) & 1:
            values = [0, 0, 0]  # also of a half that there is not: a ring uses its channel
        wanted = dict(zip(("cache", "prot", "qos"), values, strict=True), size=size, burst=1)
        for name, value in wanted.items():
            assert int(getattr(dut, f"m_axi_{channel}{name}").value) == value, (channel, name)


@cocotb.test()
async def queue_is_never_overrun(dut):
    """More submissions than places: those too many are ignored; nothing else is lost."""
    engine, slave, sink, _ = await start(dut)
    await engine.configure(RD)
    places = (await engine.read(RD.STATUS)) >> 8 & 0xFF
    assert places == int(dut.QUEUE.value)
    for number in range(places + 3):
        await engine.submit(RD, BASE + 0x1000 * number, width_of(dut), last=1)
    await ClockCycles(dut.clk, 100)
    status = await engine.read(RD.STATUS)
    assert (status >> 8 & 0xFF, status >> 16 & 0xFF, status & 3) == (0, places, 0)
    for _ in range(places):
        assert (await engine.done(RD))[0] == dma.Code.OK
    assert not (await engine.read(RD.DONE)) >> 31
    assert (await engine.read(RD.STATUS)) >> 8 & 0xFF == places
    assert len(sink.packets(width_of(dut))[0]) == places


@cocotb.test()
async def interrupts(dut):
    """Coalescing by number and by time; a fault counts at once; writing 1 clears."""
    engine, _, _, _ = await start(dut)
    width = width_of(dut)
    await engine.configure(RD)
    await engine.write(dma.IRQ_ENABLE, 3)

    async def one(length=width):
        await engine.submit(RD, BASE, length)
        await engine.done(RD)

    await one()
    assert int(dut.irq.value) == 1 and await engine.read(dma.IRQ_STATUS) == 1
    await engine.write(dma.IRQ_STATUS, 1)
    await FallingEdge(dut.clk)
    assert int(dut.irq.value) == 0
    await engine.write(dma.COALESCE, 3)
    for count in (1, 2, 3):
        await one()
        assert int(dut.irq.value) == (count == 3)
    await engine.write(dma.IRQ_STATUS, 1)
    await engine.write(dma.COALESCE, 200 | 2 << 8)
    await one()
    assert int(dut.irq.value) == 0
    await ClockCycles(dut.clk, 60)
    assert int(dut.irq.value) == 0
    await ClockCycles(dut.clk, 3 * 64)
    assert int(dut.irq.value) == 1
    await engine.write(dma.IRQ_STATUS, 1)
    await one(length=0)
    assert await engine.read(dma.IRQ_STATUS) == 2 and int(dut.irq.value) == 1
    await engine.write(dma.IRQ_ENABLE, 1)
    await FallingEdge(dut.clk)
    assert int(dut.irq.value) == 0


@cocotb.test()
async def register_answers_wait_alone(dut):
    engine, *_ = await start(dut)
    await answers_wait_alone(dut, engine.bus, dma.CAPS.OFFSET, dma.IRQ_ENABLE.OFFSET, 0)


@cocotb.test()
async def what_is_not_there_is_refused(dut):
    engine, *_ = await start(dut)
    there = {0x040: int(dut.HAS_READ.value), 0x080: int(dut.HAS_WRITE.value),
             0x100: int(dut.RINGS.value),
             0x140: int(dut.RINGS.value) * int(dut.HAS_READ.value) * (1 - int(dut.COPY.value)),
             0x180: int(dut.RINGS.value) * int(dut.HAS_WRITE.value)}  # fmt: skip
    for offset, expected in there.items():
        answer = await engine.bus.read(offset, 4)
        assert (int(answer.resp) == 0) == bool(expected), hex(offset)


def advance(bursts, begin, beats, rest):
    """Puts a transfer of so many beats where only `rest` of them are left, more than a burst."""
    bursts.beat.value = begin + beats - rest
    bursts.behind.value = -rest % (1 << len(bursts.behind))


@cocotb.test()
async def lengths_of_32_bits(dut):
    """The end of a transfer of nearly 4 GiB: its counters are put where they are after all but the
    last bursts, which have to be right."""
    engine, slave, sink, source = await start(dut, limit=0)
    width = width_of(dut)
    length, base, rest = (1 << 32) - width, 0xF_F000_0000, 37
    engines = {RD: dut.u_engines.g_read.u_read, WR: dut.u_engines.g_write.u_write}
    for half in (RD, WR):
        await engine.configure(half, 16, 4, whole=0)
        await engine.submit(half, base, length, last=1)
        await ClockCycles(dut.clk, 3)
        assert not slave.bursts, "the source gives nothing yet, and the sink has no room"
        advance(engines[half].u_bursts, base // width, length // width, rest)
        engines[half].moved.value = (length // width - rest) * (1 if half is RD else width)
        await ClockCycles(dut.clk, 2)
        if half is RD:
            sink.limit = 256
        else:
            source.give(noise(rest * width), last=False)
        assert (await engine.done(half))[:2] == (dma.Code.OK, length)
        end = slave.bursts[-1][1] + slave.bursts[-1][2] * width
        assert end == base + length
        assert sum(burst[2] for burst in slave.bursts) == rest
        slave.bursts.clear()
    assert len(sink.beats) == rest and sink.beats[-1][2]
    assert slave.memory.get(base + length - rest * width, rest * width) == noise(rest * width)


@cocotb.test()
async def lengths_of_32_bits_at_any_address(dut):
    """As lengths_of_32_bits; from inside a beat on it is 2^32 / width beats or one more."""
    engine, slave, sink, source = await start(dut, limit=0)
    width = width_of(dut)
    length, base, rest = (1 << 32) - 1, 0xF_F000_0000, 37
    engines = {RD: dut.u_engines.g_read.u_read, WR: dut.u_engines.g_write.u_write}
    for half in (RD, WR):
        for shift in (0, 1, 2, width - 1):
            beats = (shift + length + width - 1) // width
            sink.limit = 0
            await engine.configure(half, 16, 4, whole=0)
            await engine.submit(half, base + shift, length, last=1)
            await ClockCycles(dut.clk, 3)
            advance(engines[half].u_bursts, base // width, beats, rest)
            engines[half].moved.value = (beats - rest) * (1 if half is RD else width)
            if half is RD:
                engines[half].g_align.some.value = 1
            await ClockCycles(dut.clk, 2)
            if half is RD:
                sink.limit = 256
            else:
                source.give(noise(rest * width), last=False)
            assert (await engine.done(half))[:2] == (dma.Code.OK, length), (half, shift)
            end = slave.bursts[-1][1] + slave.bursts[-1][2] * width
            assert end == base + beats * width
            await engine.idle(half)
            source.coming.clear()
            source.there.clear()
