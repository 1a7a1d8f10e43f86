"""The stream source against the formula in its register description."""

import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamSink
from regs.generated import stream_source as regs
from stream_bench import SEED, Watch, beat, pauses, start


def expected(number, width, packet, seed=SEED):
    """Beat `number` since the start as (data, keep, last)."""
    data = beat(number, width, seed)
    if packet == 0:
        return data, (1 << width) - 1, 0
    beats = -(-packet // width)
    left = packet - number % beats * width
    return data, (1 << min(left, width)) - 1, int(left <= width)


async def ready_at_random(dut, share):
    draw = random.Random(5)
    while True:
        await RisingEdge(dut.clk)
        dut.m_axis_tready.value = draw.random() >= share


@cocotb.test()
async def sends_the_function_of_the_place(dut):
    master = await start(dut, ["m_axis_tready"])
    width = len(dut.m_axis_tkeep)
    assert await master.read_dword(regs.ID.OFFSET) == 1 << 16 | 6
    assert await master.read_dword(regs.CAPS.OFFSET) == width
    watch = Watch(dut, "m_axis")
    most = (1 << len(dut.m_axis_avail)) - 1
    runs = [(0, SEED, 0.0), (1, 0, 0.3), (width, 1, 0.5), (5 * width + 3, 0xFFFF_FFFF, 0.5)]
    for packet, seed, share in runs:
        await master.write_dword(regs.PACKET_BYTES.OFFSET, packet)
        await master.write_dword(regs.SEED.OFFSET, seed)
        assert int(dut.m_axis_tvalid.value) == 0
        assert int(dut.m_axis_avail.value) == int(dut.m_axis_packets.value) == 0
        watch.beats.clear()
        pace = cocotb.start_soon(ready_at_random(dut, share))
        await master.write_dword(regs.CTRL.OFFSET, regs.CTRL.ENABLE_MASK)
        await ClockCycles(dut.clk, 2)
        assert int(dut.m_axis_avail.value) == most
        assert int(dut.m_axis_packets.value) == (most if packet else 0)
        await ClockCycles(dut.clk, 700)
        await master.write_dword(regs.CTRL.OFFSET, 0)
        await ClockCycles(dut.clk, 40)
        assert await master.read_dword(regs.STATUS.OFFSET) == 0
        assert await master.read_dword(regs.BEATS.OFFSET) == len(watch.beats)
        assert len(watch.beats) > 300
        for number, moved in enumerate(watch.beats):
            assert moved[1:] == expected(number, width, packet, seed), number
        if share == 0:  # no clock without a beat
            clocks = [moved[0] for moved in watch.beats]
            assert clocks == list(range(clocks[0], clocks[0] + len(clocks)))
        pace.cancel()
        await ClockCycles(dut.clk, 2)


@cocotb.test()
async def packets_arrive_whole(dut):
    master = await start(dut)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
    sink.set_pause_generator(pauses(random.Random(8), 0.4))
    width = len(dut.m_axis_tkeep)
    packet = 7 * width - 1
    await master.write_dword(regs.PACKET_BYTES.OFFSET, packet)
    await master.write_dword(regs.CTRL.OFFSET, regs.CTRL.ENABLE_MASK)
    stream = b"".join(beat(k, width).to_bytes(width, "little") for k in range(7 * 20))
    for k in range(20):
        got = await sink.recv()
        assert bytes(got.tdata) == stream[7 * width * k :][:packet]
