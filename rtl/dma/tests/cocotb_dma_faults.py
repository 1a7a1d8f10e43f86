"""What a faulty slave does to a DMA engine: named, placed, and overcome."""

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge, Timer
from dma_bus import Fault
from dma_driver import RD, WR, dma, noise, start

BASE, SOURCE = 0x1000_0000, 0x3000_0000
UNIT = 64  # clocks of a unit of TIMEOUT
Code = dma.Code


def width_of(dut):
    return len(dut.m_axi_wdata) // 8


async def prepare(dut, **options):
    engine, slave, sink, source = await start(dut, **options)
    await engine.configure(RD, 4, 4)
    await engine.configure(WR, 4, 4)
    await engine.write(dma.TIMEOUT, 2)
    return engine, slave, sink, source


async def reads_work(engine, slave, sink, width, place=BASE + 0x8000):
    """A transfer after the fault is right."""
    sink.beats.clear()
    await engine.submit(RD, place, 20 * width, last=1)
    assert (await engine.done(RD))[:2] == (Code.OK, 20 * width)
    await ClockCycles(engine.dut.clk, 2)
    assert sink.packets(width) == ([slave.memory.get(place, 20 * width)], b"")
    await engine.idle(RD)


async def writes_work(engine, slave, source, width, place=BASE + 0x8000):
    source.coming.clear()
    source.there.clear()
    await ClockCycles(engine.dut.clk, 2)
    source.give(noise(20 * width, 77), last=False)
    await engine.submit(WR, place, 20 * width)
    assert (await engine.done(WR))[:2] == (Code.OK, 20 * width)
    assert slave.memory.get(place, 20 * width) == noise(20 * width, 77)
    await engine.idle(WR)


@cocotb.test()
async def broken_bursts(dut):
    """RLAST early, late or missing, too few or too many beats, another's ID: named at once; what
    was waiting is aborted; after a silent time-out period all is well again."""
    engine, slave, sink, _ = await prepare(dut)
    width = width_of(dut)
    faults = {
        "early last, beats go on": (Fault(last_at=1), Code.BAD_LAST, 1),
        "early last, beats end": (Fault(extra=-2), Code.BAD_LAST, 1),
        "no last": (Fault(no_last=True), Code.BAD_LAST, 3),
        "late last": (Fault(extra=3), Code.BAD_LAST, 3),
        "another's ID": (Fault(wrong_id=1), Code.BAD_ID, 0),
    }
    for what, (fault, code, good) in faults.items():
        slave.read_faults = {slave.read_count + 1: fault}
        await engine.submit(RD, BASE, 12 * width)
        await engine.submit(RD, BASE + 0x1000, 12 * width)
        assert (await engine.done(RD))[:2] == (code, (4 + good) * width), what
        assert (await engine.done(RD))[:2] == (Code.ABORTED, 0), what
        assert await engine.read(dma.IRQ_STATUS) & 2
        await engine.idle(RD)
        await reads_work(engine, slave, sink, width)


@cocotb.test()
async def answers_that_nobody_asked_for(dut):
    engine, slave, sink, source = await prepare(dut)
    width = width_of(dut)
    for half, channel in ((RD, "R"), (WR, "B")):
        slave.stray = [(channel, 0)]
        await ClockCycles(dut.clk, 4)
        assert not slave.stray
        assert await engine.read(half.STATUS) & 3 == 3
        assert await engine.read(dma.IRQ_STATUS) & 2
        for code in (Code.UNEXPECTED, Code.ABORTED):  # while it is not clean: reported, not lost
            await engine.submit(half, BASE, 4 * width)
            assert (await engine.done(half))[:2] == (code, 0)
        await engine.idle(half)
    await reads_work(engine, slave, sink, width)
    await writes_work(engine, slave, source, width)


HANGS = {"AR": (RD, Code.TIMEOUT_ADDRESS), "R": (RD, Code.TIMEOUT_DATA),
         "AW": (WR, Code.TIMEOUT_ADDRESS), "W": (WR, Code.TIMEOUT_DATA),
         "B": (WR, Code.TIMEOUT_RESPONSE)}  # fmt: skip


async def hang(engine, slave, source, channel, width):
    """Two transfers meet a slave that stops after four bursts on a channel; both are reported."""
    half, code = HANGS[channel]
    if half is WR:
        source.give(noise(56 * width), last=False)
    await engine.submit(half, BASE, 16 * width)
    assert (await engine.done(half))[0] == Code.OK
    slave.hang = {channel}
    await engine.submit(half, BASE, 16 * width)
    await engine.submit(half, BASE + 0x1000, 16 * width)
    await ClockCycles(engine.dut.clk, UNIT * 2 - 20)
    assert (await engine.read(half.STATUS)) >> 16 & 0xFF == 0, "too early"
    assert (await engine.done(half))[:2] == (code, 0)
    # A beat of an address that the slave saw cannot be taken back: the second may have to wait.
    assert (await engine.read(half.STATUS)) & 3 == 3
    return half


@cocotb.test()
async def hanging_slaves_that_answer_late(dut):
    for_all = await prepare(dut)
    engine, slave, sink, source = for_all
    width = width_of(dut)
    for channel in HANGS:
        half = await hang(engine, slave, source, channel, width)
        memory = slave.memory.get(BASE, 0x2000)
        await ClockCycles(dut.clk, 5 * UNIT)
        slave.hang = set()
        assert (await engine.done(half))[:2] == (Code.ABORTED, 0), channel
        await engine.idle(half)
        assert not slave.reads and not slave.writes and not slave.answers, "the bus is not clean"
        if channel in ("AW", "W"):
            # The beat that the slave saw is written; all others come with strobes 0.
            changed = [a for a, b in enumerate(slave.memory.get(BASE, 0x2000)) if b != memory[a]]
            assert all(a < (width if channel == "W" else 4 * width) for a in changed)
        if half is RD:
            await reads_work(engine, slave, sink, width)
        else:
            await writes_work(engine, slave, source, width)


@cocotb.test()
async def no_time_out_without_a_limit(dut):
    engine, slave, sink, _ = await prepare(dut)
    await engine.write(dma.TIMEOUT, 0)
    slave.hang = {"R"}
    await engine.submit(RD, BASE, 4 * width_of(dut))
    await ClockCycles(dut.clk, 20 * UNIT)
    assert (await engine.read(RD.STATUS)) & 3 == 1
    slave.hang = set()
    assert (await engine.done(RD))[0] == Code.OK
    # A stream that does not take, or give, is not the slave's fault.
    await engine.write(dma.TIMEOUT, 1)
    sink.stall = 1.0
    await engine.submit(RD, BASE, 4 * width_of(dut))
    await engine.submit(WR, BASE, 4 * width_of(dut))
    await ClockCycles(dut.clk, 10 * UNIT)
    assert (await engine.read(RD.STATUS)) & 3 == 1
    assert (await engine.read(WR.STATUS)) & 3 == 1
    sink.stall = 0.0
    assert (await engine.done(RD))[0] == Code.OK


@cocotb.test()
async def abort_of_reads(dut):
    engine, slave, sink, _ = await prepare(dut, latency=30)
    width = width_of(dut)
    for number in range(5):
        await engine.submit(RD, BASE + 0x1000 * number, 64 * width)
    await ClockCycles(dut.clk, 10)
    await engine.write(RD.CONTROL, 1 | 4)
    done = [(await engine.done(RD))[:2] for _ in range(5)]
    assert all(code == Code.ABORTED for code, _ in done)
    assert [moved for _, moved in done[1:]] == [0] * 4
    await engine.idle(RD)
    assert not slave.reads
    await reads_work(engine, slave, sink, width)


async def one_beat(dut, slave):
    """Lets one beat of W move; the next one waits then."""
    while not int(dut.m_axi_wvalid.value):
        await ClockCycles(dut.clk, 1)
    slave.hang = set()
    while not slave.memory.written:
        await FallingEdge(dut.clk)
        await Timer(1, "ns")
    slave.hang = {"W"}
    await ClockCycles(dut.clk, 3)
    assert int(dut.m_axi_wvalid.value)


@cocotb.test()
async def abort_while_a_beat_waits(dut):
    """What the slave has seen stays as it is (`Slave` looks); what was written was given."""
    engine, slave, _, source = await prepare(dut)
    width = width_of(dut)
    for offset in (0, width - 1) if int(dut.UNALIGNED.value) else (0,):
        for beats in (3, 4):
            place = BASE + offset
            source.give(noise(beats * width, 5), last=True)
            slave.hang = {"W"}
            await engine.submit(WR, place, beats * width)
            await one_beat(dut, slave)
            await engine.write(WR.CONTROL, 1)
            await ClockCycles(dut.clk, 20)
            slave.hang = set()
            assert (await engine.done(WR))[0] == Code.ABORTED
            await engine.idle(WR)
            for address, found in slave.memory.written.items():
                assert found == noise(beats * width, 5)[address - place], (offset, address)
            slave.memory.written.clear()
            await writes_work(engine, slave, source, width)
            slave.memory.written.clear()


@cocotb.test()
async def a_cut_stream_is_known(dut):
    """A half that rests says whether a packet goes on, however little of it was answered."""
    engine, slave, _, source = await prepare(dut, latency=40)
    width = width_of(dut)
    seen = set()
    for clocks in range(24):
        source.give(noise(3 * width), last=True)
        source.give(noise(12 * width), last=True)
        for place in (BASE, BASE + 0x1000):
            await engine.submit(WR, place, 16 * width)
        await ClockCycles(dut.clk, clocks)
        await engine.write(WR.CONTROL, 1)
        await engine.idle(WR)
        taken = 15 - len(source.coming) - len(source.there)
        cut = taken not in (0, 3, 15)
        in_packet = (await engine.read(WR.STATUS)) & WR.STATUS.IN_PACKET_MASK != 0
        results = [(await engine.done(WR))[:2] for _ in range(2)]
        assert in_packet == cut, (clocks, taken, results)
        seen.add((cut, sum(moved for _, moved in results)))
        source.coming.clear()
        source.there.clear()
        await engine.write(WR.CONTROL, 2)  # the stream begins anew
        assert not (await engine.read(WR.STATUS)) & WR.STATUS.IN_PACKET_MASK
    assert {(False, 0), (True, 0)} <= seen, "DONE_BYTES would do"
    slave.hang = {"B"}
    source.give(noise(8 * width), last=True)
    await engine.submit(WR, BASE, 4 * width)
    await ClockCycles(dut.clk, 20)
    await engine.write(WR.CONTROL, 1)
    slave.answers.clear()
    await engine.write(WR.CONTROL, 2)  # the bus was reset, not the stream
    await engine.idle(WR)
    assert (await engine.read(WR.STATUS)) & WR.STATUS.IN_PACKET_MASK


@cocotb.test()
async def a_beat_that_needs_no_stream_waits(dut):
    """The last beat of a transfer holds bytes left over: what the stream does is nothing to it."""
    engine, slave, _, source = await prepare(dut)
    width = width_of(dut)
    await engine.configure(WR, 4, 4, whole=0)
    data = noise(width, 9)
    source.give(data, last=False)
    slave.hang = {"W"}
    await engine.submit(WR, BASE + width - 1, width)
    await one_beat(dut, slave)
    for seed in range(4):  # the next transfer's data comes meanwhile
        source.give(noise(width, seed), last=False)
        await ClockCycles(dut.clk, 3)
    slave.hang = set()
    assert (await engine.done(WR))[:2] == (Code.OK, width)
    assert slave.memory.get(BASE + width - 1, width) == data
    await engine.idle(WR)
    await engine.configure(WR, 4, 4)
    await writes_work(engine, slave, source, width)


async def copies_work(engine, slave, width):
    await engine.submit(WR, BASE + 0x8000, 30 * width, source=SOURCE + 0x8000)
    assert (await engine.done(WR))[:2] == (Code.OK, 30 * width)
    copied = slave.memory.get(BASE + 0x8000, 30 * width)
    assert copied == slave.memory.get(SOURCE + 0x8000, 30 * width)
    await engine.idle(WR)
    await engine.idle(RD)


async def three_copies(engine, width):
    for number in range(3):
        place = number * 0x1000
        await engine.submit(WR, BASE + place, 12 * width, source=SOURCE + place)
    done = [await engine.done(WR) for _ in range(3)]
    source = dma.WR_DONE.SOURCE_MASK
    return [(code, moved, bool(word & source)) for code, moved, word in done]


@cocotb.test()
async def broken_bursts_in_copies(dut):
    """What was read before is written and counted; then both halves start anew."""
    engine, slave, _, _ = await prepare(dut)
    width = width_of(dut)
    # In the second case all beats of the burst came, and then more.
    faults = (
        (Fault(extra=-2), Code.BAD_LAST, 4),
        (Fault(extra=2), Code.BAD_LAST, 8),
        (Fault(wrong_id=1), Code.BAD_ID, 4),
    )
    for fault, code, beats in faults:
        slave.read_faults = {slave.read_count + 4: fault}
        done = await three_copies(engine, width)
        assert done[0] == (Code.OK, 12 * width, False)
        assert done[1] == (code, beats * width, True)
        assert done[2][0] == Code.ABORTED
        await engine.idle(WR)
        await copies_work(engine, slave, width)
    slave.write_faults = {slave.write_count + 1: Fault(wrong_id=1)}
    done = await three_copies(engine, width)
    assert done[0] == (Code.BAD_ID, 4 * width, False)
    assert [code for code, _, _ in done[1:]] == [Code.ABORTED] * 2
    await engine.idle(WR)
    await copies_work(engine, slave, width)
