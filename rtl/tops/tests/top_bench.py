"""What the benches of the tops with one port and one clock share: registers as software sees them,
the sniffer, and the memory behind the port."""

import logging

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from flow.axi_pins import PinSlave
from regs.generated import id as ident
from regs.generated import sniffer


class TopBench:
    def __init__(self, dut):
        logging.getLogger("cocotb").setLevel(logging.WARNING)
        self.dut = dut
        bus = AxiLiteBus.from_prefix(dut, "s_axil")
        self.bus = AxiLiteMaster(bus, dut.aclk, dut.aresetn, reset_active_level=False)

    async def begin(self):
        cocotb.start_soon(Clock(self.dut.aclk, 10, "ns").start())
        self.dut.aresetn.value = 0
        await ClockCycles(self.dut.aclk, 4)
        self.dut.aresetn.value = 1
        await ClockCycles(self.dut.aclk, 3)

    async def get(self, block, register, index=0) -> int:
        return await self.bus.read_dword((block << 12) + register.OFFSET + 4 * index)

    async def put(self, block, register, value) -> None:
        await self.bus.write_dword((block << 12) + register.OFFSET, value)

    async def discover(self, design, *blocks) -> None:
        """The table names these blocks, each has its window, and beyond them is an error."""
        assert await self.get(0, ident.MAGIC) == 0x41584D31
        assert await self.get(0, ident.DESIGN) == design
        count = await self.get(0, ident.BLOCKS)
        kinds = [await self.get(0, ident.TABLE, k) & 0xFFFF for k in range(count)]
        assert kinds == [block.BLOCK_TYPE for block in blocks]
        for block, kind in enumerate(kinds):
            assert await self.get(block, ident.ID) & 0xFFFF == kind
        assert (await self.bus.read(count << 12, 4)).resp == 3  # DECERR

    async def watch(self, block) -> None:
        """Starts the sniffer and waits until it is ready."""
        await self.put(block, sniffer.CTRL, 1)
        while not await self.get(block, sniffer.STATUS) & sniffer.STATUS.ARMED_MASK:
            pass


class MasterBench(TopBench):
    """Of a top that masters its port: a slave with a memory is there."""

    def __init__(self, dut):
        super().__init__(dut)
        self.bytes = len(dut.m_axi_wdata) // 8
        self.slave = PinSlave(dut, "m_axi", 8 * self.bytes, 12, 5, dut.aclk)

    def fill(self, address, data) -> None:
        self.slave.memory.update(enumerate(data, address))

    def content(self, address, count) -> bytes:
        return bytes(self.slave.memory.get(address + k, 0) for k in range(count))
