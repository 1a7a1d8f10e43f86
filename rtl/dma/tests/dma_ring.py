"""What a driver does with a ring of descriptors."""

import struct

from cocotb.triggers import ClockCycles
from dma_driver import dma

RING, BASE, SOURCE = 0x0800_0000, 0x1000_0000, 0x3000_0000
LOG2 = 4
ENTRIES = 1 << LOG2


class Ring:
    """A ring of one half, and its descriptors in the memory of the slave."""

    def __init__(self, engine, slave, half, base=RING):
        self.engine, self.memory, self.half, self.base = engine, slave.memory, half, base
        self.name = f"{half.name}_RING"
        self.given = 0

    def __getattr__(self, register):
        return getattr(dma, f"{self.name}_{register}")

    async def open(self):
        await self.engine.write(self.CONTROL, 0)
        await self.engine.write(self.TAIL, 0)
        await self.engine.write(self.BASE_LO, self.base & 0xFFFFFFFF)
        await self.engine.write(self.BASE_HI, self.base >> 32)
        await self.engine.write(self.CONTROL, 1 | LOG2 << 8)
        self.given = 0

    def put(self, address, count, flags=0, source=0):
        words = struct.pack("<QIIQII", address, count, flags, source, 0, 0)
        self.memory.put(self.base + self.given % ENTRIES * 32, words)
        self.given += 1

    async def ring(self):
        await self.engine.write(self.TAIL, self.given & 0xFFFF)

    async def finished(self, count, patience=300):
        for _ in range(patience):
            if await self.engine.read(self.HEAD) == count & 0xFFFF:
                return
            await ClockCycles(self.engine.dut.clk, 10)
        raise AssertionError(f"only {await self.engine.read(self.HEAD)} of {count} are done")

    def report(self, number):
        """Code, bytes, word of a descriptor that was written back."""
        words = self.memory.get(self.base + number % ENTRIES * 32 + 24, 8)
        word, moved = struct.unpack("<II", words)
        return dma.Code(word & 15), moved, word
