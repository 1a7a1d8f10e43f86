"""axm_traffic_top as software sees it: discovery, a run of all generators at once, who got what."""

import logging
import os

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from flow.axi_pins import PinSlave
from regs.generated import id as ident
from regs.generated import mux, traffic

PORTS = int(os.environ["PORTS"])
MASTERS = int(os.environ["MASTERS"])
BURSTS, BEATS = 24, 8
SEED = 0x1234_5678


class Bench:
    def __init__(self, dut):
        logging.getLogger("cocotb").setLevel(logging.WARNING)
        self.dut = dut
        self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.bytes = len(dut.g_port[0].m_axi_wdata) // 8
        self.slaves = [
            PinSlave(dut.g_port[p], "m_axi", self.bytes * 8, 20, 10, dut.clk) for p in range(PORTS)
        ]

    async def begin(self):
        cocotb.start_soon(Clock(self.dut.clk, 10, "ns").start())
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 4)
        self.dut.rst.value = 0
        await ClockCycles(self.dut.clk, 2)

    async def get(self, block, register) -> int:
        return await self.bus.read_dword((block << 12) + register.OFFSET)

    async def put(self, block, register, value) -> None:
        await self.bus.write_dword((block << 12) + register.OFFSET, value)

    async def table(self) -> list[tuple[int, int, int]]:
        """Type, port and instance of each block."""
        words = [
            await self.bus.read_dword(0x100 + 4 * k) for k in range(await self.get(0, ident.BLOCKS))
        ]
        return [(w & 0xFFFF, w >> 16 & 0xFF, w >> 24) for w in words]

    async def wait(self, block, mask, value) -> None:
        for _ in range(400):
            if await self.get(block, traffic.STATUS) & mask == value:
                return
        raise AssertionError(f"block {block}: {await self.get(block, traffic.STATUS):#x}")


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def discovery(dut):
    """Every window has the block that the table tells."""
    bench = Bench(dut)
    await bench.begin()
    assert await bench.get(0, ident.MAGIC) == 0x41584D31
    design = await bench.get(0, ident.DESIGN)
    assert design == 2 | PORTS << 8 | bench.bytes << 16 | MASTERS << 24
    table = await bench.table()
    assert [k for k, (kind, _, _) in enumerate(table) if kind == 1] == [0]
    for block, (kind, port, instance) in enumerate(table):
        assert await bench.bus.read_dword(block << 12) & 0xFFFF == kind
        if kind == 3:
            assert instance // MASTERS == port
        if kind == 12:
            caps = await bench.get(block, mux.CAPS)
            assert caps & 15 == MASTERS
    kinds = [kind for kind, _, _ in table]
    assert kinds.count(traffic.BLOCK_TYPE) == PORTS * MASTERS
    assert kinds.count(mux.BLOCK_TYPE) == (PORTS if MASTERS > 1 else 0)


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def all_at_once(dut):
    """Started by the first, every generator writes its region and reads it back without error."""
    bench = Bench(dut)
    await bench.begin()
    blocks = [k for k, (kind, _, _) in enumerate(await bench.table()) if kind == 3]
    table = await bench.table()
    shape = (BEATS - 1) | 4 << traffic.READ_SHAPE.OUTSTANDING_SHIFT
    for writing in (True, False):
        first = "WRITE" if writing else "READ"
        for k, block in enumerate(blocks):
            for direction in ("READ", "WRITE"):
                get = lambda name, d=direction: getattr(traffic, f"{d}_{name}")  # noqa: E731
                await bench.put(block, traffic.SEED, SEED)
                await bench.put(block, get("BASE_LO"), 0x10000 * (k % MASTERS))
                await bench.put(block, get("FINAL"), 0xFFFFFFFF)
                await bench.put(block, get("STEP"), BEATS * len(dut.g_port[0].m_axi_wdata) // 8)
                await bench.put(block, get("LIMIT"), BURSTS - 1)
                await bench.put(block, get("SHAPE"), shape)
                pin = direction == first and k > 0
                check = direction == "READ"
                await bench.put(
                    block,
                    get("MODE"),
                    pin << traffic.READ_MODE.PIN_SHIFT
                    | check << traffic.READ_MODE.CHECK_SHIFT
                    | (BEATS - 1) << traffic.READ_MODE.TAIL_SHIFT,
                )
        for block in blocks:
            await bench.wait(block, traffic.STATUS.READY_MASK, traffic.STATUS.READY_MASK)
        start = traffic.CONTROL.START_WRITE_MASK if writing else traffic.CONTROL.START_READ_MASK
        await bench.put(blocks[0], traffic.CONTROL, start)
        busy = traffic.STATUS.READ_BUSY_MASK | traffic.STATUS.WRITE_BUSY_MASK
        errors = traffic.STATUS.READ_ERROR_MASK | traffic.STATUS.WRITE_ERROR_MASK
        for block in blocks:
            await bench.wait(block, busy | errors, 0)
    width = len(dut.g_port[0].m_axi_awid) - (MASTERS - 1).bit_length()
    begun = []
    for p, slave in enumerate(bench.slaves):
        for channel, data in (("aw", "w"), ("ar", "r")):
            order = [a.id >> width for _, a in slave.log[channel]]
            assert {m: order.count(m) for m in range(MASTERS)} == dict.fromkeys(
                range(MASTERS), BURSTS
            )
            assert all(a.addr >> 16 == a.id >> width for _, a in slave.log[channel])
            # All ask all the time: shares are even, and the port is hardly ever idle.
            middle = order[MASTERS : len(order) // 2]
            shares = [middle.count(m) for m in range(MASTERS)]
            assert max(shares) - min(shares) <= 1, (p, channel, shares)
            clocks = [c for c, _ in slave.log[data]]
            assert len(clocks) == MASTERS * BURSTS * BEATS
            if MASTERS > 1:
                assert clocks[-1] - clocks[0] <= len(clocks) * 1.02
        begun.append(slave.log["aw"][0][0])
    assert max(begun) - min(begun) <= 1, begun
    for block, (kind, _, _) in enumerate(table):
        if kind == 12:
            assert await bench.get(block, mux.COUNT) == 0
    await RisingEdge(dut.clk)
