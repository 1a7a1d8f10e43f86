"""Rings that are stopped: what no descriptor may do afterwards, and what STATUS says meanwhile."""

import cocotb
from cocotb.triggers import ClockCycles
from dma_bus import Fault
from dma_driver import RD, WR, dma, noise, start
from dma_ring import BASE, SOURCE, Ring

DISTANCE = 0x1000  # of one descriptor's data to the next one's


async def ready(dut, **options):
    """An engine with a ring of its writing half (a copy's), and what the slave holds."""
    engine, slave, _, source = await start(dut, **options)
    for half in (RD, WR):
        await engine.configure(half, 8, 8)
    return engine, slave, source, Ring(engine, slave, WR)


def give(dut, ring, source, numbers, beats=8):
    """Descriptors and, if the engine does not copy, their stream."""
    count = beats * (len(dut.m_axi_wdata) // 8)
    for number in numbers:
        ring.put(BASE + DISTANCE * number, count, source=SOURCE + DISTANCE * number)
        if not int(dut.COPY.value):
            source.give(noise(count, number), last=False)


def data_written(slave):
    """Numbers of the descriptors whose buffers hold what the engine wrote."""
    return {(place - BASE) // DISTANCE for place in slave.memory.written if place >= BASE}


async def stops(engine, ring, order, half=WR):
    """Software's ways to end a ring: abort and switch off, in either order, or one of them."""
    for step in order:
        await (engine.write(half.CONTROL, 1) if step == "abort" else engine.write(ring.CONTROL, 0))


async def under_way(engine):
    return await engine.read(WR.STATUS) & 3


@cocotb.test()
async def nothing_fetched_runs_after_an_abort(dut):
    """The memory withholds the descriptors till software has aborted and switched the ring off."""
    engine, slave, source, ring = await ready(dut)
    halves = [WR, RD] if int(dut.COPY.value) else [WR]
    for order in (["abort", "off"], ["off", "abort"]):
        for half in halves:
            await ring.open()
            give(dut, ring, source, range(4))
            slave.hang = {"R"}
            await ring.ring()
            await ClockCycles(dut.clk, 60)
            await stops(engine, ring, order, half)
            for _ in range(5):
                assert await under_way(engine), "fetches are in flight, and STATUS says nothing"
                await ClockCycles(dut.clk, 20)
            slave.hang = set()
            await engine.idle(WR)
            assert await engine.read(ring.HEAD) == 0
            assert await engine.read(ring.STATUS) == 0
            await ClockCycles(dut.clk, 200)
            assert data_written(slave) == set()
            assert all(ring.report(number)[2] == 0 for number in range(4))
    # The same ring, from the start.
    await ring.open()
    give(dut, ring, source, [9])
    await ring.ring()
    await ring.finished(1)
    assert ring.report(0)[0] == dma.Code.OK and data_written(slave) == {9}


@cocotb.test()
async def none_runs_behind_an_aborted_one(dut):
    """Aborts at every stage: HEAD says which descriptors were done, and no other was touched."""
    engine, slave, source, ring = await ready(dut, latency=20)
    reached = set()
    for delay in range(0, 260, 13):
        slave.memory.written.clear()
        await ring.open()
        give(dut, ring, source, range(10), beats=20)
        await ring.ring()
        await ClockCycles(dut.clk, delay)
        await engine.write(WR.CONTROL, 1)
        await engine.idle(WR)
        assert await engine.read(ring.STATUS) == dma.Code.ABORTED
        head = await engine.read(ring.HEAD)
        codes = [ring.report(number)[0] for number in range(head)]
        good = codes.count(dma.Code.OK)
        assert codes == [dma.Code.OK] * good + [dma.Code.ABORTED] * (head - good)
        assert all(ring.report(number)[2] == 0 for number in range(head, 10))
        await ClockCycles(dut.clk, 100)
        assert data_written(slave) <= set(range(head))
        assert await engine.read(ring.HEAD) == head
        reached |= {"behind one that was done"} if 0 < good < head else set()
        reached |= {"before all were fetched"} if head < 10 else set()
        await engine.write(ring.CONTROL, 0)
        assert await engine.read(ring.HEAD) == 0 and not await under_way(engine)
        source.clear()
    assert len(reached) == 2, f"the aborts came only {reached}"


@cocotb.test()
async def what_was_fetched_ends_when_a_ring_is_switched_off(dut):
    """Without an abort: descriptors that were asked for are done, STATUS is BUSY until they are."""
    engine, slave, source, ring = await ready(dut)
    await ring.open()
    give(dut, ring, source, range(4))
    slave.hang = {"R"}
    await ring.ring()
    await ClockCycles(dut.clk, 60)
    await engine.write(ring.CONTROL, 0)
    assert await under_way(engine) == 1
    slave.hang = set()
    await engine.idle(WR)
    assert data_written(slave) == set(range(4)) and await engine.read(ring.HEAD) == 0


@cocotb.test()
async def nothing_behind_a_failed_fetch_runs(dut):
    """Its place in the ring is not the next one's: what was fetched behind it is dropped."""
    engine, slave, source, ring = await ready(dut, latency=20)
    await ring.open()
    give(dut, ring, source, range(5))
    slave.read_faults[2] = Fault(resp=2)
    await ring.ring()
    await ClockCycles(dut.clk, 400)
    assert await engine.read(ring.STATUS) == dma.Code.SLVERR
    assert await engine.read(ring.HEAD) == 2 and data_written(slave) == {0, 1}
    assert not await under_way(engine)


@cocotb.test()
async def a_bus_that_was_reset_is_forgotten(dut):
    """FORGET frees a ring whose fetches, or write-backs, will never be answered."""
    engine, slave, source, ring = await ready(dut)
    for channel in ("R", "B"):
        for late in (False, True):
            await ring.open()
            give(dut, ring, source, range(3))
            slave.hang = {channel}
            await ring.ring()
            await ClockCycles(dut.clk, 120)
            await stops(engine, ring, ["abort"] if late else ["abort", "off"])
            assert await under_way(engine)
            slave.forgiving = True
            slave.reset()
            for half in (RD, WR):
                await engine.write(half.CONTROL, 2)
            slave.reset()
            slave.hang = set()
            slave.forgiving = False
            if late:
                await engine.idle(WR)
                assert await engine.read(ring.STATUS) == dma.Code.ABORTED
                await engine.write(ring.CONTROL, 0)
            await engine.idle(WR)
            assert await engine.read(ring.HEAD) == 0
            source.clear()
            slave.memory.written.clear()
            await ring.open()
            give(dut, ring, source, [7])
            await ring.ring()
            await ring.finished(1)
            assert ring.report(0)[0] == dma.Code.OK and data_written(slave) == {7}
            slave.memory.written.clear()
    assert await engine.read(WR.STATUS) & 0xFF0000 == 0, "a completion came that is no one's"


@cocotb.test()
async def a_ring_waits_no_longer_than_the_limit(dut):
    """Also if nothing but a fetch is under way, and the limit is more than one unit."""
    engine, slave, source, ring = await ready(dut)
    await engine.write(dma.TIMEOUT, 3)
    await ring.open()
    give(dut, ring, source, range(2))
    slave.hang = {"R"}
    await ring.ring()
    await ClockCycles(dut.clk, 2 * 64)
    assert await engine.read(ring.STATUS) == 0
    await ClockCycles(dut.clk, 5 * 64)
    assert await engine.read(ring.STATUS) == dma.Code.TIMEOUT_DATA
    slave.hang = set()
    await engine.idle(WR)
    assert await engine.read(ring.HEAD) == 0 and data_written(slave) == set()
