"""The free-running counter: counts every clock, and is read in one piece."""

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge
from regs.generated import counter as regs
from stream_bench import start


async def time(master):
    low = await master.read_dword(regs.TIME_LO.OFFSET)
    return await master.read_dword(regs.TIME_HI.OFFSET) << 32 | low


@cocotb.test()
async def counts_clocks(dut):
    master = await start(dut)
    assert await master.read_dword(regs.ID.OFFSET) == 1 << 16 | 9
    assert await master.read_dword(regs.CAPS.OFFSET) == 64
    assert await master.read_dword(regs.CLOCK_HZ.OFFSET) == int(dut.CLOCK_HZ.value)
    before = int(dut.count.value)
    await ClockCycles(dut.clk, 1000)
    assert int(dut.count.value) - before == 1000


@cocotb.test()
async def is_read_in_one_piece(dut):
    """Near a carry into the high half every pair is a time that lies between two looks."""
    master = await start(dut)
    for offset in range(30):
        await FallingEdge(dut.clk)
        dut.count.value = (5 << 32) - offset
        await FallingEdge(dut.clk)
        before = int(dut.count.value)
        assert before <= await time(master) <= int(dut.count.value)
