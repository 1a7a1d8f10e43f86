"""The loop-back FIFO against a list: order, counts clock by clock, limit, throughput."""

import random

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from regs.generated import stream_loopback as regs
from stream_bench import Watch, pauses, start

INPUTS = ("s_axis_tvalid", "m_axis_tready")


async def check_counts(dut, watch):
    """Rule 4 of docs/hardware.md, in every clock."""
    forward = int(dut.FORWARD_CYCLES.value)
    inside, clock = [], 0  # beats held: (clock in which it came, last)
    while True:
        await FallingEdge(dut.clk)
        limit = int(dut.limit.value)
        ready = [last for came, last in inside if came + forward <= clock]
        assert int(dut.s_axis_room.value) == max(0, limit - len(inside))
        assert int(dut.m_axis_avail.value) == len(ready)
        assert int(dut.m_axis_packets.value) == sum(ready)
        assert int(dut.m_axis_tvalid.value) == (len(ready) > 0)
        assert int(dut.s_axis_tready.value) == (limit > len(inside))
        leaves = int(dut.m_axis_tvalid.value) and int(dut.m_axis_tready.value)
        enters = int(dut.s_axis_tvalid.value) and int(dut.s_axis_tready.value)
        if leaves:
            inside.pop(0)
        if enters:
            inside.append((clock, int(dut.s_axis_tlast.value)))
        watch["peak"] = max(watch["peak"], len(inside))
        clock += 1


async def ends(dut):
    master = await start(dut, INPUTS)
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
    await FallingEdge(dut.clk)
    seen = {"peak": 0}
    cocotb.start_soon(check_counts(dut, seen))
    return master, source, sink, seen


@cocotb.test()
async def keeps_packets_and_counts(dut):
    master, source, sink, seen = await ends(dut)
    draw = random.Random(3)
    width = len(dut.s_axis_tkeep)
    depth = int(dut.DEPTH.value)
    caps = await master.read_dword(regs.CAPS.OFFSET)
    assert caps == int(dut.FORWARD_CYCLES.value) << 24 | width << 16 | depth
    assert await master.read_dword(regs.ID.OFFSET) == 1 << 16 | 8
    for share_in, share_out in ((0.0, 0.6), (0.6, 0.0), (0.3, 0.3), (0.0, 0.0)):
        source.set_pause_generator(pauses(random.Random(1), share_in))
        sink.set_pause_generator(pauses(random.Random(2), share_out))
        frames = [draw.randbytes(draw.randrange(1, 20 * width)) for _ in range(25)]
        for frame in frames:
            await source.send(AxiStreamFrame(frame))
        for frame in frames:
            got = await sink.recv()
            assert bytes(got.tdata) == frame
    await ClockCycles(dut.clk, 10)
    level = await master.read_dword(regs.LEVEL.OFFSET)
    assert level == seen["peak"] << 16


@cocotb.test()
async def runs_at_one_beat_a_clock(dut):
    _, source, sink, _ = await ends(dut)
    width = len(dut.s_axis_tkeep)
    into, out = Watch(dut, "s_axis"), Watch(dut, "m_axis")
    await source.send(AxiStreamFrame(bytes(width * 500)))
    await sink.recv()
    clocks = [moved[0] for moved in out.beats]
    assert clocks == list(range(clocks[0], clocks[0] + 500))
    assert clocks[0] - into.beats[0][0] == int(dut.FORWARD_CYCLES.value)


@cocotb.test()
async def obeys_its_limit(dut):
    master, source, sink, seen = await ends(dut)
    width = len(dut.s_axis_tkeep)
    depth = int(dut.DEPTH.value)
    sink.pause = True
    frame = bytes(k % 251 for k in range(width * depth * 2))
    await master.write_dword(regs.LIMIT.OFFSET, 0)
    await ClockCycles(dut.clk, 2)
    await source.send(AxiStreamFrame(frame))
    for limit, held in ((0, 0), (5, 5), (depth - 1, depth - 1), (3, depth - 1), (0xFFFF, depth)):
        await master.write_dword(regs.LIMIT.OFFSET, limit)
        await ClockCycles(dut.clk, depth + 10)
        assert await master.read_dword(regs.LIMIT.OFFSET) == limit
        assert int(dut.limit.value) == min(limit, depth)
        assert await master.read_dword(regs.LEVEL.OFFSET) & 0xFFFF == held
    assert await master.read_dword(regs.PACKETS.OFFSET) == 0
    sink.pause = False
    assert bytes((await sink.recv()).tdata) == frame
    assert seen["peak"] == depth


@cocotb.test()
async def clear_forgets(dut):
    master = await start(dut, INPUTS)
    dut.s_axis_tvalid.value = 1
    dut.s_axis_tlast.value = 1
    await ClockCycles(dut.clk, 20)
    dut.s_axis_tvalid.value = 0
    await ClockCycles(dut.clk, 10)
    assert int(dut.m_axis_packets.value) > 0
    await master.write_dword(regs.CTRL.OFFSET, regs.CTRL.CLEAR_MASK)
    await ClockCycles(dut.clk, 2)
    for count in (dut.m_axis_avail, dut.m_axis_packets, dut.m_axis_tvalid):
        assert int(count.value) == 0
    assert int(dut.s_axis_room.value) == int(dut.DEPTH.value)
    assert await master.read_dword(regs.LEVEL.OFFSET) == 0
