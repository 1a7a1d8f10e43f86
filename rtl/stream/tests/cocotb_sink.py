"""The stream sink: what it counts, what it finds wrong, and its back-pressure."""

import random

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSource
from regs.generated import stream_sink as regs
from stream_bench import Watch, beat, pauses, read64, start

CHECKING = regs.CTRL.ENABLE_MASK | regs.CTRL.CHECK_MASK


async def ends(dut):
    master = await start(dut, ["s_axis_tvalid"])
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
    return master, source


async def counts(master):
    await ClockCycles(master.write_if.clock, 4)
    return {
        "beats": await read64(master, regs.BEATS_LO, regs.BEATS_HI),
        "bytes": await read64(master, regs.BYTES_LO, regs.BYTES_HI),
        "packets": await master.read_dword(regs.PACKETS.OFFSET),
        "errors": await master.read_dword(regs.ERRORS.OFFSET),
    }


@cocotb.test()
async def counts_and_checks(dut):
    master, source = await ends(dut)
    draw = random.Random(11)
    width = len(dut.s_axis_tkeep)
    assert await master.read_dword(regs.ID.OFFSET) == 1 << 16 | 7
    assert await master.read_dword(regs.CAPS.OFFSET) == width
    assert int(dut.s_axis_room.value) == (1 << len(dut.s_axis_room)) - 1
    source.set_pause_generator(pauses(random.Random(1), 0.3))
    for wrong_share, throttle in ((0, 0), (0.1, 0x0302), (1, 0)):
        await master.write_dword(regs.THROTTLE.OFFSET, throttle)
        await master.write_dword(regs.CTRL.OFFSET, CHECKING | regs.CTRL.CLEAR_MASK)
        want = {"beats": 0, "bytes": 0, "packets": 0, "errors": 0}
        first = None
        for _ in range(12):
            data, beats = bytearray(), draw.randrange(1, 20)
            size = (beats - 1) * width + draw.randrange(1, width + 1)
            for number in range(want["beats"], want["beats"] + beats):
                data += beat(number, width).to_bytes(width, "little")
            del data[size:]
            for k in range(beats):
                if draw.random() < wrong_share:
                    lanes = draw.randrange(1, 1 << min(width, size - k * width))
                    for lane in range(width):
                        if lanes >> lane & 1:
                            data[k * width + lane] ^= draw.randrange(1, 256)
                    first = first or (want["beats"] + k, lanes)
                    want["errors"] += 1
            want["beats"] += beats
            want["bytes"] += size
            want["packets"] += 1
            await source.send(AxiStreamFrame(bytes(data)))
        await source.wait()
        assert await counts(master) == want
        status = await master.read_dword(regs.STATUS.OFFSET)
        assert status == (regs.STATUS.FAILED_MASK if first else 0)
        if first:
            assert await read64(master, regs.FIRST_ERROR_LO, regs.FIRST_ERROR_HI) == first[0]
            assert await master.read_dword(regs.FIRST_LANES.OFFSET) == first[1]


@cocotb.test()
async def without_check_all_is_right(dut):
    master, source = await ends(dut)
    await source.send(AxiStreamFrame(bytes(100)))
    await source.wait()
    assert (await counts(master))["errors"] == 0
    assert await master.read_dword(regs.STATUS.OFFSET) == 0
    # Off: takes nothing and promises nothing.
    await master.write_dword(regs.CTRL.OFFSET, 0)
    await source.send(AxiStreamFrame(bytes(100)))
    await ClockCycles(dut.clk, 40)
    assert (await counts(master))["bytes"] == 100
    assert int(dut.s_axis_room.value) == 0
    await master.write_dword(regs.CTRL.OFFSET, regs.CTRL.ENABLE_MASK)
    await source.wait()
    assert (await counts(master))["bytes"] == 200


@cocotb.test()
@cocotb.parametrize(throttle=[(0, 0), (0, 1), (3, 1), (0, 5), (9, 4), (255, 255)])
async def back_pressure_has_its_rhythm(dut, throttle):
    on, off = throttle
    master, _ = await ends(dut)
    await master.write_dword(regs.THROTTLE.OFFSET, off << 8 | on)
    await ClockCycles(dut.clk, 10)
    length = 4 * (on + 1 + off)
    trace = []
    for _ in range(length):
        await FallingEdge(dut.clk)
        trace.append(int(dut.s_axis_tready.value))
    if off == 0:
        assert all(trace)
        return
    period = on + 1 + off
    assert trace[period:] == trace[:-period]
    assert sum(trace[:period]) == on + 1
    changes = sum(a != b for a, b in zip(trace, trace[1:], strict=False))
    assert 6 <= changes <= 8


@cocotb.test()
async def counts_stop_at_their_end(dut):
    master, source = await ends(dut)
    await master.write_dword(regs.CTRL.OFFSET, CHECKING)
    for name, counter in (("packets", dut.packets), ("errors", dut.errors)):
        await master.write_dword(regs.CTRL.OFFSET, CHECKING | regs.CTRL.CLEAR_MASK)
        await FallingEdge(dut.clk)
        counter.value = 0xFFFF_FFFE
        for number in range(3):
            await source.send(AxiStreamFrame(b"\x77"))
            await source.wait()
            want = min(0xFFFF_FFFF, 0xFFFF_FFFF + number)
            assert (await counts(master))[name] == want
            status = await master.read_dword(regs.STATUS.OFFSET)
            assert status & regs.STATUS.SATURATED_MASK == (number > 0)


@cocotb.test()
async def takes_one_beat_a_clock(dut):
    master, source = await ends(dut)
    watch = Watch(dut, "s_axis")
    await source.send(AxiStreamFrame(bytes(200 * len(dut.s_axis_tkeep))))
    await source.wait()
    await ClockCycles(dut.clk, 2)
    clocks = [moved[0] for moved in watch.beats]
    assert clocks == list(range(clocks[0], clocks[0] + 200))
