"""axm_slave_top as a port sees it, pin by pin: latencies as stated, and data kept.

What the sniffer sees of it is checked under co-simulation (`test_rtl_slaves.py`)."""

import os

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge
from regs.generated import counter, sniffer
from regs.generated import id as ident
from top_bench import TopBench

FULL = int(os.environ["FULL"])
EXTRA_READ, EXTRA_WRITE = int(os.environ["EXTRA_READ"]), int(os.environ["EXTRA_WRITE"])
READ_LATENCY = EXTRA_READ + (2 if FULL else 1)
# From the last beat to the response, and from the address to the first beat.
WRITE_LATENCY = EXTRA_WRITE + 1
TO_FIRST = 1 if FULL else 0


class Bench(TopBench):
    async def begin(self):
        for name in ("arvalid", "awvalid", "wvalid", "rready", "bready"):
            self.pin(name).value = 0
        for name, value in (("arsize", 2), ("awsize", 2), ("arburst", 1), ("awburst", 1)):
            self.pin(name).value = value
        for name in ("arid", "awid", "wid"):
            self.pin(name).value = 0
        self.pin("wstrb").value = 0xF
        await super().begin()

    def pin(self, name):
        return getattr(self.dut, f"s_axi_{name}")

    async def clock(self):
        """What the slave drives in this clock, then its end."""
        await ReadOnly()
        names = ("arready", "awready", "wready", "rvalid", "bvalid")
        seen = {name: int(self.pin(name).value) for name in names}
        if seen["rvalid"]:
            seen["rdata"] = int(self.pin("rdata").value)
        await RisingEdge(self.dut.aclk)
        return seen

    async def write(self, address, words):
        """Clocks of the beats and of the response, from the address."""
        self.pin("awaddr").value = address
        self.pin("awlen").value = len(words) - 1
        beats, clock, asked = [], 0, False
        self.pin("bready").value = 1
        while True:
            left = len(words) - len(beats)
            self.pin("awvalid").value = not asked
            self.pin("wvalid").value = left > 0
            if left:
                self.pin("wdata").value = words[len(beats)]
                self.pin("wlast").value = left == 1
            seen = await self.clock()
            asked = asked or seen["awready"]
            if left and seen["wready"]:
                beats.append(clock)
            if seen["bvalid"]:
                self.pin("bready").value = 0
                return beats, clock
            clock += 1

    async def read(self, address, count):
        """Clocks of the beats, from the address, and the words."""
        self.pin("araddr").value = address
        self.pin("arlen").value = count - 1
        self.pin("rready").value = 1
        beats, words, clock, asked = [], [], 0, False
        while len(beats) < count:
            self.pin("arvalid").value = not asked
            seen = await self.clock()
            asked = asked or seen["arready"]
            if seen["rvalid"]:
                beats.append(clock)
                words.append(seen["rdata"])
            clock += 1
        self.pin("rready").value = self.pin("arvalid").value = 0
        return beats, words

    async def get(self, block, register, index=0) -> int:
        return await self.bus.read_dword((block << 12) + register.OFFSET + 4 * index)


@cocotb.test()
async def software_finds_its_blocks(dut):
    bench = Bench(dut)
    await bench.begin()
    assert await bench.get(0, ident.BLOCKS) == 3
    types = [(await bench.get(block, ident.ID)) & 0xFFFF for block in range(3)]
    assert types == [block.BLOCK_TYPE for block in (ident, counter, sniffer)]


@cocotb.test()
async def times_are_as_stated_and_data_kept(dut):
    bench = Bench(dut)
    await bench.begin()
    count = 16 if FULL else 1
    for k in range(6):
        words = [0x1000 * k + 7 * n for n in range(count)]
        beats, response = await bench.write(256 + 64 * k, words)
        assert beats == list(range(TO_FIRST, TO_FIRST + count))
        assert response == beats[-1] + WRITE_LATENCY
        beats, found = await bench.read(256 + 64 * k, count)
        assert beats == list(range(READ_LATENCY, READ_LATENCY + count))
        assert found == words
