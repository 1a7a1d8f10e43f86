"""axm_convolution_top with one port, as software sees it: discovery, a buffer of convolutions.

The arithmetic, faults and order of bursts are checked on the accelerators themselves
(rtl/convolution/tests)."""

import os
import random

import cocotb
from regs.generated import convolution, counter, sniffer
from regs.generated import id as ident
from top_bench import MasterBench

LANES = int(os.environ["LANES"])
CONVOLUTION, SNIFFER = 2, 3  # windows
A, B, C, STEP = 0x1_0000, 0x2_0000, 0x3_0000, 0x2000
BUFFER, MATRIX, BEAT, BURST = 4096, 64, 16, 128  # bytes


class Bench(MasterBench):
    async def bursts(self, slot: int) -> int:
        """How many the sniffer has seen on a slot."""
        await self.put(SNIFFER, sniffer.SELECT, slot)
        return sum([await self.get(SNIFFER, sniffer.LENGTHS, k) for k in range(32)])


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def discovery(dut):
    """Every window has the block that the table tells; there is no interrupt."""
    bench = Bench(dut)
    await bench.begin()
    design = 4 | 1 << 8 | BEAT << 16 | LANES << 24
    await bench.discover(design, ident, counter, convolution, sniffer)
    assert dut.irq.value == 0


@cocotb.test(timeout_time=9, timeout_unit="ms")
async def a_buffer_each(dut):
    """With a single 1 in the first place the other matrix comes back; the sniffer sees both
    directions."""
    bench = Bench(dut)
    await bench.begin()
    draw = random.Random(7)
    want = []
    for lane in range(LANES):
        other = draw.randbytes(BUFFER)
        bench.fill(A + lane * STEP, (b"\x01" + bytes(MATRIX - 1)) * (BUFFER // MATRIX))
        bench.fill(B + lane * STEP, other)
        want.append(other)
    await bench.watch(SNIFFER)
    for register, value in (
        (convolution.A_LO, A),
        (convolution.B_LO, B),
        (convolution.C_LO, C),
        (convolution.LANE_STEP, STEP),
        (convolution.BLOCKS, 1),
        (convolution.BURST, (BURST // BEAT).bit_length() - 1),
        (convolution.LIMITS, 16 | 16 << 8),
        (convolution.CONTROL, convolution.CONTROL.START_MASK),
    ):
        await bench.put(CONVOLUTION, register, value)
    for _ in range(4000):
        status = await bench.get(CONVOLUTION, convolution.STATUS)
        if not status & convolution.STATUS.BUSY_MASK:
            break
    else:
        raise AssertionError("the run does not end")
    assert status & convolution.STATUS.CAUSE_MASK == 0
    await bench.put(SNIFFER, sniffer.CTRL, 0)
    for lane, other in enumerate(want):
        assert bench.content(C + lane * STEP, BUFFER) == other
    assert await bench.bursts(0) == 2 * LANES * BUFFER // BURST
    assert await bench.bursts(1) == LANES * BUFFER // BURST
