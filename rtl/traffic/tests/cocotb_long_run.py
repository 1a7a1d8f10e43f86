"""16 MiB in bursts of one beat, in both directions, through a multiple of 4 GiB."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from regs.generated import traffic as regs

SEED, BYTES = 0x51DE, 16 << 20
BEATS = BYTES // 8


@cocotb.test()
async def single_beats(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.seed.value = SEED
    dut.rst.value = 1
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    lite = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    await lite.write_dword(regs.SEED.OFFSET, SEED)
    base = (1 << 32) - (4 << 20)
    for first in (regs.READ_BASE_LO.OFFSET, regs.WRITE_BASE_LO.OFFSET):
        # contiguous, checked
        step = BYTES // BEATS
        words = (base, 0, BYTES - step, step, BEATS - 1, 64 << 24, 1 << 4, 0)
        for k, value in enumerate(words):
            await lite.write_dword(first + 4 * k, value)
    while not await lite.read_dword(regs.STATUS.OFFSET) & regs.STATUS.READY_MASK:
        pass
    await lite.write_dword(regs.CONTROL.OFFSET, 3)
    # The clock runs without Python in between.
    await ClockCycles(dut.clk, BEATS)
    await ClockCycles(dut.clk, 100)
    status = await lite.read_dword(regs.STATUS.OFFSET)
    assert status & 0xF == 0, hex(status)
    assert int(dut.read_beats.value) == int(dut.write_beats.value) == BEATS
    assert int(dut.wrong.value) == 0
    await lite.write_dword(regs.CONTROL.OFFSET, regs.CONTROL.SNAPSHOT_MASK)
    await ClockCycles(dut.clk, 120)

    async def counter(name):
        return await lite.read_dword(getattr(regs, f"COUNTERS_{name}").OFFSET)

    for side in ("READ", "WRITE"):
        assert await counter(f"{side}_BURSTS_LO") == await counter(f"{side}_DATA_LO") == BEATS
        assert await counter(f"{side}_BYTES_LO") == BYTES
        assert await counter(f"{side}_LATENCY") == 1 << 16 | 1
        assert await counter(f"{side}_CYCLES_LO") == BEATS + 1
