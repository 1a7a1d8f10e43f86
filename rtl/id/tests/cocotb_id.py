"""Reads the identification block as software does."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from regs.generated import id as regs


def pauses(draw):
    while True:
        yield draw.random() < 0.5


async def start(dut):
    Clock(dut.clk, 10, unit="ns").start()
    dut.rst.value = 1
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)
    return master


@cocotb.test()
async def tells_what_it_is(dut):
    master = await start(dut)
    blocks = int(dut.BLOCKS.value)
    table = int(dut.TABLE.value)
    for eager in (True, False):
        if not eager:
            channels = (master.read_if.ar_channel, master.read_if.r_channel)
            for number, channel in enumerate(channels):
                channel.set_pause_generator(pauses(random.Random(number)))
        assert await master.read_dword(regs.ID.OFFSET) == 1 << 16 | regs.BLOCK_TYPE
        assert await master.read_dword(regs.MAGIC.OFFSET) == 0x41584D31
        assert await master.read_dword(regs.CAPS.OFFSET) == 64
        assert await master.read_dword(regs.CAPS2.OFFSET) == 0
        assert await master.read_dword(regs.VERSION.OFFSET) == 0x010203
        assert await master.read_dword(regs.CLOCK_HZ.OFFSET) == 142_857_142
        assert await master.read_dword(regs.BLOCKS.OFFSET) == blocks
        assert await master.read_dword(regs.DESIGN.OFFSET) == 2 << 24 | 16 << 16 | 4 << 8 | 1
        for k in range(regs.TABLE.COUNT):
            want = table >> (32 * k) & 0xFFFF_FFFF if k < blocks else 0
            assert await master.read_dword(regs.TABLE.OFFSET + k * regs.TABLE.STRIDE) == want


@cocotb.test()
async def cannot_be_written(dut):
    master = await start(dut)
    for offset in (regs.ID.OFFSET, regs.MAGIC.OFFSET, regs.TABLE.OFFSET):
        before = await master.read_dword(offset)
        await master.write_dword(offset, ~before & 0xFFFF_FFFF)
        assert await master.read_dword(offset) == before


@cocotb.test()
async def refuses_what_it_does_not_have(dut):
    master = await start(dut)
    assert (await master.read(0x200, 4)).resp == AxiResp.SLVERR
    assert (await master.write(0xFFC, b"1234")).resp == AxiResp.SLVERR
    assert (await master.write(regs.MAGIC.OFFSET, b"1")).resp == AxiResp.SLVERR  # not a whole word
    assert (await master.read(0x020, 4)).data == b"\0\0\0\0"  # a hole in the map
    assert await master.read_dword(regs.MAGIC.OFFSET) == 0x41584D31
