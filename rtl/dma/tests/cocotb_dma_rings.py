"""Rings of descriptors: transfers from memory, what is written back, and what stops a ring."""

import random

import cocotb
from cocotb.triggers import ClockCycles
from dma_bus import Fault
from dma_driver import RD, WR, dma, noise, start
from dma_ring import BASE, ENTRIES, RING, Ring

WHOLE = {RD: "READ", WR: "WRITE"}  # names of halves in parameters


def width_of(dut):
    return len(dut.m_axi_wdata) // 8


@cocotb.test()
async def reading_ring(dut):
    engine, slave, sink, _ = await start(dut, stall=0.2, latency=10)
    await engine.configure(RD, 8, 8)
    ring = Ring(engine, slave, RD, 0x8_0000_0000 if len(dut.m_axi_araddr) > 35 else RING)
    await ring.open()
    draw = random.Random(21)
    expected = []
    for _ in range(6):  # several times round
        for _ in range(draw.randrange(1, ENTRIES)):
            count = width_of(dut) * draw.randrange(1, 20)
            expected.append((BASE + 0x1000 * len(expected), count))
            ring.put(*expected[-1], flags=1)
        await ring.ring()
        await ring.finished(len(expected))
        assert ring.report(len(expected) - 1)[:2] == (dma.Code.OK, expected[-1][1])
    packets, rest = sink.packets(width_of(dut))
    assert packets == [slave.memory.get(*transfer) for transfer in expected] and rest == b""
    assert await engine.read(ring.STATUS) == 0
    await engine.write(ring.CONTROL, 0)
    await ClockCycles(dut.clk, 3)
    assert await engine.read(ring.HEAD) == 0
    # The registers' queue works again.
    await engine.submit(RD, BASE, width_of(dut), last=1)
    assert (await engine.done(RD))[0] == dma.Code.OK


@cocotb.test()
async def writing_ring(dut):
    engine, slave, _, source = await start(dut, stall=0.2)
    await engine.configure(WR, 8, 8)
    ring = Ring(engine, slave, WR)
    await ring.open()
    width = width_of(dut)
    for number in range(10):
        ring.put(BASE + 0x1000 * number, 16 * width)
        source.give(noise((number + 1) * width, number), last=True)
    await ring.ring()
    await ring.finished(10)
    for number in range(10):
        data = noise((number + 1) * width, number)
        assert slave.memory.get(BASE + 0x1000 * number, len(data)) == data
        code, moved, word = ring.report(number)
        assert (code, moved, word >> 31) == (dma.Code.OK, len(data), 1)
        assert word & dma.WR_DONE.PACKET_END_MASK


@cocotb.test()
async def descriptors_have_attributes_of_their_own(dut):
    """Whichever halves there are, and whatever is set for their data: also before it is."""
    engine, slave, _, source = await start(dut)
    width = width_of(dut)
    ring_of = {half: Ring(engine, slave, half, RING + 0x1000 * (half is WR))
               for half in (RD, WR) if int(getattr(dut, f"HAS_{WHOLE[half]}").value)}  # fmt: skip
    settings = {"ar": (2, 1), "aw": (3, 2)}  # AxCACHE, AxPROT of the data
    for cache, prot in ((3, 0), (15, 2)):
        if cache != 3:  # reset has (3, 0)
            await engine.write(dma.RING_CONFIG, cache << 16 | prot << 20)
        first = len(slave.attributes)
        for half, ring in ring_of.items():
            await engine.configure(half, 8, 8, 0, *settings["ar" if half is RD else "aw"])
            await ring.open()
            ring.put(BASE, width, flags=1)
            source.give(noise(width) if half is WR else b"", last=False)
            await ring.ring()
            await ring.finished(1)
        seen = slave.attributes[first:]
        for channel, ident, *made in seen:
            assert tuple(made) == ((cache, prot) if ident else settings[channel])
        of_rings = {(channel, ident) for channel, ident, *_ in seen if ident}
        assert of_rings == {(c, 1 + (half is WR)) for c in settings for half in ring_of}


@cocotb.test()
async def a_failed_fetch_stops_the_ring(dut):
    engine, slave, _, _ = await start(dut)
    await engine.configure(RD)
    ring = Ring(engine, slave, RD)
    await ring.open()
    slave.read_faults[0] = Fault(resp=3)
    ring.put(BASE, width_of(dut))
    await ring.ring()
    await ClockCycles(dut.clk, 60)
    assert await engine.read(ring.STATUS) == dma.Code.DECERR
    assert await engine.read(ring.HEAD) == 0
    assert await engine.read(dma.IRQ_STATUS) & 2
    await ring.open()
    ring.put(BASE, width_of(dut))
    await ring.ring()
    await ring.finished(1)
    assert await engine.read(ring.STATUS) == 0


@cocotb.test()
async def a_failed_write_back_stops_the_ring(dut):
    engine, slave, _, _ = await start(dut)
    await engine.configure(RD)
    ring = Ring(engine, slave, RD)
    await ring.open()
    slave.write_faults[0] = Fault(resp=2)
    ring.put(BASE, width_of(dut))
    await ring.ring()
    await ClockCycles(dut.clk, 60)
    assert await engine.read(ring.STATUS) == dma.Code.SLVERR


@cocotb.test()
async def a_ring_says_what_it_waited_for(dut):
    """A slave that hangs on a channel of a fetch or a write-back, or cuts a fetch short."""
    engine, slave, _, _ = await start(dut)
    await engine.configure(RD)
    await engine.write(dma.TIMEOUT, 2)
    ring = Ring(engine, slave, RD)
    for channel, code in (
        ("AR", dma.Code.TIMEOUT_ADDRESS),
        ("R", dma.Code.TIMEOUT_DATA),
        ("AW", dma.Code.TIMEOUT_ADDRESS),
        ("W", dma.Code.TIMEOUT_DATA),
        ("B", dma.Code.TIMEOUT_RESPONSE),
    ):
        await ring.open()
        ring.put(BASE, width_of(dut))
        # A fetch goes to its end before a write-back hangs. What is fetched too late is not done.
        slave.hang = {channel}
        await ring.ring()
        await ClockCycles(dut.clk, 300)
        assert await engine.read(ring.STATUS) == code, channel
        slave.hang = set()
        await engine.idle(RD)
        done = channel in ("AW", "W", "B")
        assert await engine.read(ring.HEAD) == done
        assert ring.report(0) == ((0, width_of(dut), 1 << 31) if done else (0, 0, 0))
        assert await engine.read(ring.STATUS) == code, channel
    if width_of(dut) < 32:  # a descriptor is more than one beat
        await ring.open()
        assert await engine.read(ring.STATUS) == 0
        slave.read_faults[slave.read_count] = Fault(extra=1 - 32 // width_of(dut))
        ring.put(BASE, width_of(dut))
        await ring.ring()
        await ClockCycles(dut.clk, 60)
        assert await engine.read(ring.STATUS) == dma.Code.BAD_LAST
        assert await engine.read(ring.HEAD) == 0
    await ring.open()
    ring.put(BASE, width_of(dut))
    await ring.ring()
    await ring.finished(1)
    assert await engine.read(ring.STATUS) == 0
