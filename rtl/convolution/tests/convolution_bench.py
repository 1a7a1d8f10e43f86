"""The convolution accelerators under test: registers as software sees them, and a reference."""

import logging
import random
import struct

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from regs.generated import convolution as regs

CAUSES = regs.Cause
MATRIX = 64  # bytes


def convolve(a: bytes, b: bytes) -> bytes:
    """The cyclic convolution of two 4 x 4 matrices of 32-bit words, modulo 2^32, from its
    definition."""
    x, y = struct.unpack("<16I", a), struct.unpack("<16I", b)
    return struct.pack(
        "<16I",
        *(
            sum(
                x[4 * ((i - k) % 4) + (j - n) % 4] * y[4 * k + n]
                for k in range(4)
                for n in range(4)
            )
            % 2**32
            for i in range(4)
            for j in range(4)
        ),
    )


def convolve_all(a: bytes, b: bytes) -> bytes:
    """The convolutions of all matrices of `a` with those of `b`, one after another."""
    return b"".join(
        convolve(a[at : at + MATRIX], b[at : at + MATRIX]) for at in range(0, len(a), MATRIX)
    )


class Bench:
    """The device with its registers and the data of a run: lanes lie `step` bytes apart."""

    A, B, C = 0x0_0000, 0x4_0000, 0x8_0000
    STEP = 0x8000

    def __init__(self, dut):
        logging.getLogger("cocotb").setLevel(logging.WARNING)
        self.dut = dut
        self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.lanes = int(dut.LANES.value)
        self.block = int(dut.BEATS.value) * 16
        self.draw = random.Random(11)

    async def begin(self):
        cocotb.start_soon(Clock(self.dut.clk, 10, "ns").start())
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 3)
        self.dut.rst.value = 0
        await RisingEdge(self.dut.clk)

    async def get(self, register) -> int:
        return await self.bus.read_dword(register.OFFSET)

    async def put(self, register, value) -> None:
        await self.bus.write_dword(register.OFFSET, value)

    async def start(
        self, blocks=1, burst=128, turn=1, reads=16, writes=16, base=0, step=None, clocks=0
    ):
        """Starts a run with bursts of `burst` bytes and turns of `turn` bursts."""
        for low, high, at in (
            (regs.A_LO, regs.A_HI, self.A),
            (regs.B_LO, regs.B_HI, self.B),
            (regs.C_LO, regs.C_HI, self.C),
        ):
            await self.put(low, base + at & 0xFFFF_FFFF)
            await self.put(high, base + at >> 32)
        await self.put(regs.LANE_STEP, self.STEP if step is None else step)
        await self.put(regs.BLOCKS, blocks)
        await self.put(regs.CLOCKS, clocks)
        exponents = (burst // 16).bit_length() - 1 | (turn.bit_length() - 1) << 8
        await self.put(regs.BURST, exponents)
        await self.put(regs.LIMITS, reads | writes << 8)
        await self.put(regs.CONTROL, regs.CONTROL.START_MASK | 3 << regs.CONTROL.CACHE_SHIFT)

    async def finish(self, polls=4000) -> int:
        """Waits for the end of the run; its cause."""
        for _ in range(polls):
            status = await self.get(regs.STATUS)
            if not status & regs.STATUS.BUSY_MASK:
                return (status & regs.STATUS.CAUSE_MASK) >> regs.STATUS.CAUSE_SHIFT
            await ClockCycles(self.dut.clk, 20)
        raise AssertionError("the run does not end")

    async def run(self, **settings) -> int:
        await self.start(**settings)
        return await self.finish()

    async def fault_address(self) -> int:
        return await self.get(regs.FAULT_LO) | await self.get(regs.FAULT_HI) << 32

    def inputs(self, blocks: int) -> dict[int, tuple[bytes, bytes]]:
        """Random matrices of both inputs by lane."""
        size = blocks * self.block
        return {
            k: (self.draw.randbytes(size), self.draw.randbytes(size)) for k in range(self.lanes)
        }

    def places(self, lane: int) -> tuple[int, int, int]:
        """Where a lane's inputs and results lie."""
        return tuple(at + lane * self.STEP for at in (self.A, self.B, self.C))
