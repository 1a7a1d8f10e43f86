"""The monitor against a scoreboard that recounts everything from the signals."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from monitor_bus import Read, Write, drive
from monitor_scoreboard import Scoreboard, from_registers
from regs.generated import monitor as regs

START, STOP, CLEAR, SNAPSHOT = 1, 2, 4, 8
WIDTH_BYTES = int(os.environ.get("WIDTH_BYTES", "8"))
NARROW = os.environ.get("NARROW") == "1"


class Bench:
    def __init__(self, dut, seed=1, **options):
        self.dut, self.draw = dut, random.Random(seed)
        self.board = Scoreboard()
        self.read = Read(dut, self.draw, **options)
        self.write = Write(dut, self.draw, **{k: v for k, v in options.items() if k != "ids"})
        self.lite = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)

    async def begin(self):
        dut = self.dut
        for name in ("start", "stop", "clear", "snapshot", "read_wants", "write_wants"):
            getattr(dut, name).value = 0
        for handle in dut:
            if handle._name.startswith("mon_axi_"):
                handle.value = 0
        size = (
            self.draw.randrange(WIDTH_BYTES.bit_length())
            if NARROW
            else WIDTH_BYTES.bit_length() - 1
        )
        dut.mon_axi_arsize.value = size
        dut.mon_axi_awsize.value = size
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        dut.rst.value = 1
        await ClockCycles(dut.clk, 5)
        dut.rst.value = 0
        cocotb.start_soon(drive(dut, self.read, self.write, self.board, self.draw))
        await self.until(regs.STATUS.READY_MASK, True)

    async def get(self, offset):
        return await self.lite.read_dword(offset)

    async def put(self, offset, value):
        await self.lite.write_dword(offset, value)

    async def control(self, bits):
        await self.put(regs.CONTROL.OFFSET, bits)

    async def until(self, mask, wanted):
        for _ in range(400):
            if bool(await self.get(regs.STATUS.OFFSET) & mask) == wanted:
                return
        raise AssertionError(f"STATUS {mask:#x} does not become {wanted}")

    async def snapshot(self):
        """Both directions of a new snapshot."""
        await self.control(SNAPSHOT)
        await self.until(regs.STATUS.SNAPSHOT_PENDING_MASK, False)
        words = {offset: await self.get(offset) for offset in range(0x200, 0x3A0, 4)}
        return from_registers(words, regs, "READ"), from_registers(words, regs, "WRITE")

    def compare(self, snapshot, board):
        for name, got, want in zip(("read", "write"), snapshot, board, strict=True):
            want = dict(want)
            exact = want.pop("NARROW")
            want["BYTES"] = exact if NARROW else want["DATA"] * WIDTH_BYTES
            assert got == want, f"{name}:\n{got}\n{want}"
            classes = ("DATA", "IDLE", "ADDRESS", "WAIT", "STALL", "RESPONSE")
            assert sum(got[c] for c in classes) == got["CYCLES"]
            assert sum(got["HISTOGRAM"]) == got["BURSTS"]

    async def rest(self):
        self.read.stopped = self.write.stopped = True
        while not (self.read.idle and self.write.idle):
            await RisingEdge(self.dut.clk)

    async def compare_all(self):
        """After a stop: everything that was counted."""
        got = await self.snapshot()
        self.compare(got, (self.board.read.state(), self.board.write.state()))
        return got


@cocotb.test()
async def counts_exactly(dut):
    """Snapshots under load match the scoreboard at one and the same clock; so does the end."""
    bench = Bench(dut, seed=int(os.environ.get("SEED", "1")))
    await bench.begin()
    await bench.control(START | CLEAR)
    for _ in range(4):
        await ClockCycles(dut.clk, bench.draw.randrange(100, 500))
        got = await bench.snapshot()
        assert got[0]["CYCLES"] == got[1]["CYCLES"]
        bench.compare(got, bench.board.history[got[0]["CYCLES"]])
    await bench.rest()
    await bench.control(STOP)
    got = await bench.compare_all()
    assert all(
        side["BURSTS"] > 50 and min(side["DATA"], side["WAIT"], side["STALL"]) > 0 for side in got
    )
    assert await bench.get(regs.STATUS.OFFSET) & ~regs.STATUS.READY_MASK == 0


@cocotb.test()
async def extremes_exactly(dut):
    """The longest latency is of the snapshot's clock even while it grows with almost each burst."""
    bench = Bench(dut, seed=8, max_len=1)
    await bench.begin()
    bench.read.change = bench.write.change = lambda: None
    for side in (bench.read, bench.write):
        side.speed = dict.fromkeys(side.speed, 1.0)
    bench.read.speed["data"] = bench.write.speed["answer"] = 0.8
    bench.board.clear_at_start = True
    for _ in range(12):
        await bench.rest()
        await bench.control(STOP)
        await bench.until(regs.STATUS.READY_MASK, True)
        bench.read.stopped = bench.write.stopped = False
        await bench.control(START | CLEAR)
        got = await bench.snapshot()
        bench.compare(got, bench.board.history[got[0]["CYCLES"]])
        assert 0 < got[0]["CYCLES"] <= 116


@cocotb.test()
async def pins_and_clear(dut):
    """Start, stop and clear by the pins; a start with clear soon after a stop loses nothing."""
    bench = Bench(dut, seed=2)
    await bench.begin()

    async def pulse(*names):
        for name in names:
            getattr(dut, name).value = 1
        await RisingEdge(dut.clk)
        for name in names:
            getattr(dut, name).value = 0

    await pulse("start")
    await ClockCycles(dut.clk, 333)
    await pulse("stop")
    await RisingEdge(dut.clk)
    assert not dut.running.value
    assert bench.board.read.state()["CYCLES"] == 334  # as many as clocks lie between the pulses
    bench.board.clear_at_start = True
    for wait in (1, 30, 70, 200):
        # Stopped, and started again with clear after `wait` clocks.
        await ClockCycles(dut.clk, wait)
        await pulse("start", "clear")
        while not dut.running.value:
            await RisingEdge(dut.clk)
        await ClockCycles(dut.clk, 257)
        await pulse("stop")
        await ClockCycles(dut.clk, 2)
        counted = bench.board.read.state()["CYCLES"]
        if wait in (70, 200):
            got = await bench.compare_all()
            assert got[0]["CYCLES"] == counted
    # Without clear it goes on.
    bench.board.clear_at_start = False
    await pulse("start")
    await ClockCycles(dut.clk, 100)
    await pulse("stop")
    await ClockCycles(dut.clk, 2)
    await bench.compare_all()
    # Clear while running: what is before the end of the sweep is forgotten.
    await pulse("start")
    await ClockCycles(dut.clk, 100)
    await pulse("clear")
    await ClockCycles(dut.clk, 100)
    await pulse("stop")
    await ClockCycles(dut.clk, 2)
    got = await bench.snapshot()
    assert 100 - 58 <= got[0]["CYCLES"] <= 101


@cocotb.test()
async def long_latency(dut):
    """A latency beyond 15 bits is cut, and STATUS says so."""
    bench = Bench(dut, seed=3, limit=1, max_len=1)
    await bench.begin()
    await bench.control(START | CLEAR)
    await ClockCycles(dut.clk, 50)
    bench.read.change = bench.write.change = lambda: None
    bench.read.speed = dict.fromkeys(bench.read.speed, 1.0) | {"data": 0.0}
    bench.write.speed = dict.fromkeys(bench.write.speed, 1.0) | {"answer": 0.0}
    bench.board.keep = False
    await ClockCycles(dut.clk, 33000)
    assert not await bench.get(regs.STATUS.OFFSET) & regs.STATUS.SATURATED_MASK
    bench.read.speed["data"] = bench.write.speed["answer"] = 1.0
    await ClockCycles(dut.clk, 50)
    await bench.rest()
    await bench.control(STOP)
    got = await bench.compare_all()
    assert got[0]["MAX"] == got[1]["MAX"] == 0x7FFF
    assert await bench.get(regs.STATUS.OFFSET) & regs.STATUS.SATURATED_MASK
    await bench.control(CLEAR)
    await ClockCycles(dut.clk, 120)
    assert not await bench.get(regs.STATUS.OFFSET) & regs.STATUS.SATURATED_MASK
    got = await bench.snapshot()
    assert got[0]["CYCLES"] == 0 and got[1]["MIN"] == 0x7FFF and sum(got[0]["HISTOGRAM"]) == 0


@cocotb.test()
async def saturates(dut):
    """With counters of 9 bits: each stays at its end, reads as all ones, and STATUS says so."""
    bench = Bench(dut, seed=4)
    await bench.begin()
    await bench.control(START | CLEAR)
    await ClockCycles(dut.clk, 1500)
    await bench.rest()
    await bench.control(STOP)
    got = await bench.snapshot()
    full = 0
    for side, want in zip(got, (bench.board.read.state(), bench.board.write.state()), strict=True):
        want["BYTES"] = want["DATA"] * WIDTH_BYTES
        for name, value in side.items():
            if name in ("MIN", "MAX", "INACTIVITY"):
                assert value == want[name]
                continue
            pairs = [(value, want[name])]
            if name == "HISTOGRAM":
                pairs = list(zip(value, want[name], strict=True))
            for have, true in pairs:
                full += true >= 512
                assert have == (true if true < 512 else 2**64 - 1), name
    assert full > 6
    assert await bench.get(regs.STATUS.OFFSET) & regs.STATUS.SATURATED_MASK


@cocotb.test()
async def out_of_order(dut):
    """Bursts that end out of order are reported; the sum of latencies is right all the same."""
    bench = Bench(dut, seed=5, ids=2, max_len=4)
    await bench.begin()
    await bench.control(START | CLEAR)
    await ClockCycles(dut.clk, 600)
    await bench.rest()
    await bench.control(STOP)
    await bench.compare_all()  # the scoreboard, too, pairs the oldest address with each end
    assert await bench.get(regs.STATUS.OFFSET) & regs.STATUS.ORDER_MASK


@cocotb.test()
async def too_many(dut):
    """More bursts in flight than can be followed are reported."""
    bench = Bench(dut, seed=6, limit=12, max_len=4)
    await bench.begin()
    await bench.control(START | CLEAR)
    bench.read.change = lambda: None
    bench.read.speed["data"] = 0.0
    await ClockCycles(dut.clk, 300)
    assert await bench.get(regs.STATUS.OFFSET) & regs.STATUS.OVERRUN_MASK


@cocotb.test()
async def capabilities(dut):
    bench = Bench(dut)
    await bench.begin()
    assert await bench.get(0) == 1 << 16 | 4
    caps = await bench.get(regs.CAPS.OFFSET)
    assert caps & 0xFF == WIDTH_BYTES and caps >> 24 & 1 == NARROW
    assert await bench.get(regs.CAPS2.OFFSET) == 15 << 16 | 15 << 8 | 58
    # The counters are read-only.
    await bench.put(regs.COUNTERS_READ_DATA_LO.OFFSET, 5)
