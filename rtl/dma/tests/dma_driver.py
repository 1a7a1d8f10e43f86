"""Starts a DMA engine in its surroundings, and does with its registers what software does."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from dma_bus import Sink, Slave, Source, run

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from regs.generated import dma  # noqa: E402

STREAM_INPUTS = ("m_axis_room", "m_axis_tready", "s_axis_avail", "s_axis_packets", "s_axis_tdata",
                 "s_axis_tkeep", "s_axis_tlast", "s_axis_tvalid")  # fmt: skip
SLAVE_INPUTS = ("arready", "awready", "wready", "rvalid", "rdata", "rresp", "rlast", "rid",
                "bvalid", "bresp", "bid")  # fmt: skip


class Half:
    """Names of the registers of a half: RD or WR."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, register):
        return getattr(dma, f"{self.name}_{register}")


RD, WR = Half("RD"), Half("WR")


class Engine:
    """The registers of the engine, as software sees them."""

    def __init__(self, dut):
        self.dut = dut
        self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)

    async def write(self, register, value):
        await self.bus.write_dword(register.OFFSET, value)

    async def read(self, register):
        return await self.bus.read_dword(register.OFFSET)

    async def configure(self, half, burst=16, outstanding=8, whole=1, cache=3, prot=0, qos=0):
        await self.write(half.CONTROL, whole << 2)
        word = burst - 1 | outstanding << 8 | cache << 16 | prot << 20 | qos << 24
        await self.write(half.CONFIG, word)

    async def submit(self, half, address, count, last=0, source=None):
        if source is not None:
            await self.write(RD.ADDR_LO, source & 0xFFFFFFFF)
            await self.write(RD.ADDR_HI, source >> 32)
        await self.write(half.ADDR_LO, address & 0xFFFFFFFF)
        await self.write(half.ADDR_HI, address >> 32)
        await self.write(half.LENGTH, count)
        await self.write(half.SUBMIT, last)

    async def done(self, half, patience=400):
        """The oldest completion: code, bytes, the DONE word. Waits for it."""
        for _ in range(patience):
            if (await self.read(half.STATUS)) >> 16 & 0xFF:
                moved = await self.read(half.DONE_BYTES)
                word = await self.read(half.DONE)
                assert word >> 31
                return dma.Code(word & 15), moved, word
            await ClockCycles(self.dut.clk, 5)
        raise AssertionError("no completion came")

    async def idle(self, half, patience=200):
        for _ in range(patience):
            if not (await self.read(half.STATUS)) & 3:
                return
            await ClockCycles(self.dut.clk, 10)
        raise AssertionError("the half is busy for ever")


async def start(dut, *, own_slave=True, seed=1, more=(), **options):
    """Clock, reset, surroundings. Returns the engine and its Slave (or None), Sink and Source.

    options: latency, stall (slave); limit, drain, hold (sink); rate (source).
    """
    Clock(dut.clk, 10, unit="ns").start()
    names = list(STREAM_INPUTS)
    if own_slave:
        names += [f"m_axi_{name}" for name in SLAVE_INPUTS]
    for name in names:
        getattr(dut, name).value = 0
    dut.rst.value = 1
    engine = Engine(dut)
    slave = None
    if own_slave:
        slave = Slave(dut, options.get("latency", 3), options.get("stall", 0.0), seed)
    sink = Sink(
        dut,
        options.get("limit", 256),
        options.get("drain", 1.0),
        options.get("hold", 0.0),
        seed + 1,
    )
    source = Source(dut, len(dut.s_axis_tdata) // 8, options.get("rate", 1.0), seed + 2)
    parts = [part for part in (slave, sink, source) if part is not None]
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)
    parts += [make(dut, engine, sink, source) for make in more]
    cocotb.start_soon(run(dut, parts))
    return engine, slave, sink, source


def noise(count, seed=5):
    return random.Random(seed).randbytes(count)
