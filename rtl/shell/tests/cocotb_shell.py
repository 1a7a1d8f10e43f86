"""axm_shell as software sees it, with blocks of its own that answer with where they were asked."""

import os

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from regs.generated import counter, sniffer
from regs.generated import id as ident

BLOCKS, PORTS = int(os.environ["BLOCKS"]), int(os.environ["PORTS"])
READS, WRITES = int(os.environ["READS"]), int(os.environ["WRITES"])
WORDS = [int(word) for word in os.environ["WORDS"].split(",")][: BLOCKS - 3]
NO_PORT = 0x00FF_0000
SNIFFER = BLOCKS - 1


class Bench:
    def __init__(self, dut):
        self.dut = dut
        bus = AxiLiteBus.from_prefix(dut, "s_axil")
        self.bus = AxiLiteMaster(bus, dut.clk, dut.aresetn, reset_active_level=False)
        self.written: list[tuple[int, int, int]] = []  # block, offset, word

    async def begin(self):
        dut = self.dut
        for name in ("awready", "wready", "bvalid", "bresp", "arready", "rvalid", "rresp", "rdata"):
            getattr(dut, f"m_axil_{name}").value = 0
        for name in dir(dut):
            if name.startswith("mon_axi_"):
                getattr(dut, name).value = 0
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        dut.aresetn.value = 0
        await ClockCycles(dut.clk, 4)
        assert dut.rst.value == 1
        dut.aresetn.value = 1
        await ClockCycles(dut.clk, 3)
        assert dut.rst.value == 0
        cocotb.start_soon(self.answer())

    async def answer(self):
        """Own block k reads as its number and the offset, and notes what is written."""

        def pins(name) -> int:
            return int(getattr(self.dut, f"m_axil_{name}").value)

        def drive(name, value) -> None:
            getattr(self.dut, f"m_axil_{name}").value = value

        everyone = (1 << len(self.dut.m_axil_arvalid)) - 1
        for name in ("arready", "awready", "wready"):
            drive(name, everyone)
        while True:
            await RisingEdge(self.dut.clk)
            reads, writes = pins("arvalid"), pins("awvalid")
            assert (reads | writes).bit_count() < 2, "two blocks are asked"
            assert pins("wvalid") == writes
            for answer, ready in (("rvalid", "rready"), ("bvalid", "bready")):
                if pins(answer) & pins(ready):
                    drive(answer, 0)
            if reads:
                block = reads.bit_length() - 1
                drive("rvalid", reads)
                drive("rdata", (block << 16 | pins("araddr")) << 32 * block)
            if writes:
                drive("bvalid", writes)
                self.written.append((writes.bit_length() - 1, pins("awaddr"), pins("wdata")))

    async def get(self, block, register, index=0) -> int:
        return await self.bus.read_dword((block << 12) + register.OFFSET + 4 * index)

    async def put(self, block, register, value) -> None:
        await self.bus.write_dword((block << 12) + register.OFFSET, value)

    async def burst(self, address, data, port, length) -> None:
        """One burst of `length` beats on two channels (ar and r, or aw and w) of a port."""

        def pins(channel, **values):
            for name, value in values.items():
                signal = getattr(self.dut, f"mon_axi_{channel}{name}")
                width = len(signal) // PORTS
                signal.value = value << width * port

        pins(address, valid=1, ready=1, addr=0x1000 * port, len=length - 1)
        await ClockCycles(self.dut.clk, 1)
        pins(address, valid=0, ready=0)
        for beat in range(length):
            pins(data, valid=1, ready=1, last=beat == length - 1)
            await ClockCycles(self.dut.clk, 1)
        pins(data, valid=0, ready=0)
        await ClockCycles(self.dut.clk, 2)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def software_finds_all_blocks(dut):
    bench = Bench(dut)
    await bench.begin()
    assert await bench.get(0, ident.MAGIC) == 0x41584D31
    assert await bench.get(0, ident.CLOCK_HZ) == 142_857_142
    assert await bench.get(0, ident.BLOCKS) == BLOCKS
    assert await bench.get(0, ident.DESIGN) == 3 << 24 | 16 << 16 | PORTS << 8 | 2
    table = [await bench.get(0, ident.TABLE, k) for k in range(BLOCKS + 1)]
    kinds = (ident.BLOCK_TYPE, counter.BLOCK_TYPE, sniffer.BLOCK_TYPE)
    first, second, last = (NO_PORT | kind for kind in kinds)
    assert table == [first, second, *WORDS, last, 0]
    for block, kind in zip((0, 1, SNIFFER), kinds, strict=True):
        assert await bench.get(block, ident.ID) & 0xFFFF == kind
    assert await bench.get(1, counter.TIME_LO) > 0
    assert await bench.get(1, counter.CLOCK_HZ) == 142_857_142


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def own_blocks_have_their_windows(dut):
    bench = Bench(dut)
    await bench.begin()
    for k in range(len(WORDS)):
        for offset in (0x000, 0x10C, 0xFFC):
            address = (2 + k << 12) + offset
            assert await bench.bus.read_dword(address) == k << 16 | offset
            await bench.bus.write_dword(address, 0x1000 * k + offset)
            assert bench.written.pop() == (k, offset, 0x1000 * k + offset)
    assert bench.written == []
    for block in (BLOCKS, 15):
        assert (await bench.bus.read(block << 12, 4)).resp == AxiResp.DECERR


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def the_sniffer_sees_each_port_in_its_slot(dut):
    bench = Bench(dut)
    await bench.begin()
    slots = []
    for port in range(PORTS):
        slots += [("ar", "r", port)] * READS + [("aw", "w", port)] * WRITES
    assert await bench.get(SNIFFER, sniffer.CAPS) & 0xFF == len(slots)
    writes = sum(1 << k for k, slot in enumerate(slots) if slot[0] == "aw")
    assert await bench.get(SNIFFER, sniffer.CAPS2) & 0xFF == writes
    await bench.put(SNIFFER, sniffer.CTRL, 1)
    while not await bench.get(SNIFFER, sniffer.STATUS) & sniffer.STATUS.ARMED_MASK:
        pass
    for k, (address, data, port) in enumerate(slots):
        await bench.burst(address, data, port, k + 1)
    await bench.put(SNIFFER, sniffer.CTRL, 0)
    for k in range(len(slots)):
        await bench.put(SNIFFER, sniffer.SELECT, k)
        lengths = [await bench.get(SNIFFER, sniffer.LENGTHS, n) for n in range(16)]
        assert lengths == [int(n == k) for n in range(16)], k
