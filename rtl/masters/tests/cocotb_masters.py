"""The simple masters: data, exact timing on an ideal slave, faults of every kind.

LITE, IMPROVED and AXI3 in the environment say which one is built; its registers are reached as
software would.
"""

import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiLiteRam, AxiRam
from flow.axi_pins import PinSlave
from regs.generated import masters as regs

LITE = os.environ["LITE"] == "1"
IMPROVED = os.environ["IMPROVED"] == "1"
AXI3 = os.environ["AXI3"] == "1"
GAP = 3 if LITE else 4
PREFIX = "m_axil" if LITE else "m_axi"
SEED = 0x5A5A_0F0F
CAUSES = regs.MasterCause


class Bench:
    """The device with its registers; `slave(...)` puts an ideal one behind it."""

    def __init__(self, dut):
        logging.getLogger("cocotb").setLevel(logging.WARNING)
        self.dut = dut
        self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.data_w = len(getattr(dut, f"{PREFIX}_wdata"))
        self.bytes = self.data_w // 8
        self.pins = None

    async def begin(self, **latencies):
        cocotb.start_soon(Clock(self.dut.clk, 10, "ns").start())
        if latencies is not None:
            self.pins = PinSlave(self.dut, PREFIX, self.data_w, **latencies)
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 3)
        self.dut.rst.value = 0
        await RisingEdge(self.dut.clk)

    async def get(self, register) -> int:
        return await self.bus.read_dword(register.OFFSET)

    async def put(self, register, value) -> None:
        await self.bus.write_dword(register.OFFSET, value)

    async def start(self, write, addr, words, burst=16, seed=SEED, timeout=400) -> None:
        await self.put(regs.ADDR_LO, addr & 0xFFFF_FFFF)
        await self.put(regs.ADDR_HI, addr >> 32)
        await self.put(regs.WORDS, words)
        await self.put(regs.BURST, burst - 1)
        await self.put(regs.SEED, seed)
        await self.put(regs.TIMEOUT, timeout)
        control = (
            regs.CONTROL.START_MASK | regs.CONTROL.CHECK_MASK | (3 << regs.CONTROL.CACHE_SHIFT)
        )
        await self.put(regs.CONTROL, control | (regs.CONTROL.WRITE_MASK if write else 0))

    async def status(self) -> tuple[int, int, int]:
        """Busy, draining, cause."""
        word = await self.get(regs.STATUS)
        status = regs.STATUS
        return (
            word & status.BUSY_MASK,
            (word & status.DRAINING_MASK) >> status.DRAINING_SHIFT,
            (word & status.CAUSE_MASK) >> status.CAUSE_SHIFT,
        )

    async def finish(self, polls=3000) -> int:
        """Waits for the end of the run; its cause."""
        for _ in range(polls):
            busy, _, cause = await self.status()
            if not busy:
                return cause
            await ClockCycles(self.dut.clk, 5)
        raise AssertionError("the run does not end")

    async def run(self, *args, **kwargs) -> int:
        await self.start(*args, **kwargs)
        return await self.finish()

    async def fault_address(self) -> int:
        return await self.get(regs.FAULT_LO) | await self.get(regs.FAULT_HI) << 32

    async def check_run(self, write, addr, words, burst=16) -> None:
        """A run without a fault, whose data are right."""
        slave = self.pins
        if not write:
            slave.memory.update(expected_bytes(addr, words * self.bytes))
        assert await self.run(write, addr, words, burst) == CAUSES.OK
        assert await self.get(regs.MOVED) == words
        assert await self.get(regs.MISMATCHES) == 0
        if write:
            want = expected_bytes(addr, words * self.bytes)
            assert {a: slave.memory.get(a) for a in want} == want


def expected_bytes(addr: int, count: int) -> dict[int, int]:
    return {
        a: ((a & 0xFFFF_FFFC) ^ SEED) >> (8 * (a % 4)) & 0xFF for a in range(addr, addr + count)
    }


def clocks(log) -> list[int]:
    return [clock for clock, _ in log]


def gaps(log) -> list[int]:
    moved = clocks(log)
    return [b - a for a, b in zip(moved, moved[1:], strict=False)]


def pauses(chance, seed):
    generator = random.Random(seed)
    while True:
        yield generator.random() < chance


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def capabilities(dut):
    bench = Bench(dut)
    await bench.begin()
    assert await bench.get(regs.ID) == 1 << 16 | 10
    caps = await bench.get(regs.CAPS)
    assert caps & 7 == IMPROVED | (not LITE) << 1 | AXI3 << 2
    assert caps >> 4 & 0xF == GAP
    assert caps >> 16 & 0xFF == bench.bytes


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def random_runs(dut):
    """Against cocotbext-axi's memory, with idles and back-pressure on every channel."""
    bench = Bench(dut)
    bus = AxiLiteBus if LITE else AxiBus
    kind = AxiLiteRam if LITE else AxiRam
    size = 1 << 16
    ram = kind(bus.from_prefix(dut, PREFIX), dut.clk, dut.rst, size=size)
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    channels = (
        ram.write_if.aw_channel,
        ram.write_if.w_channel,
        ram.write_if.b_channel,
        ram.read_if.ar_channel,
        ram.read_if.r_channel,
    )
    generator = random.Random(3)
    for turn in range(8):
        for k, channel in enumerate(channels):
            channel.set_pause_generator(pauses((0, 0.3, 0.6)[turn % 3], k + turn))
        words = generator.randint(1, 150)
        burst = generator.randint(1, 16 if AXI3 or generator.random() < 0.5 else 256)
        addr = generator.randrange((size - words * bench.bytes) // bench.bytes) * bench.bytes
        ram.write(addr, b"\xee" * (words * bench.bytes))
        assert await bench.run(True, addr, words, burst, timeout=0) == CAUSES.OK
        want = bytes(expected_bytes(addr, words * bench.bytes).values())
        assert bytes(ram.read(addr, len(want))) == want
        assert await bench.run(False, addr, words, burst, timeout=0) == CAUSES.OK
        assert await bench.get(regs.MOVED) == words
        assert await bench.get(regs.MISMATCHES) == 0
        wrong = generator.randrange(words * bench.bytes)
        ram.write(addr + wrong, bytes([want[wrong] ^ 0x10]))
        assert await bench.run(False, addr, words, burst, timeout=0) == CAUSES.OK
        assert await bench.get(regs.MISMATCHES) == 1


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def cycles_between_data(dut):
    """The published figures, exactly; the slave is always ready and answers after L clocks."""
    bench = Bench(dut)
    await bench.begin()
    slave = bench.pins
    words = 64
    for latency in (1, 2, 32):
        slave.read_latency = slave.write_latency = latency
        for write in (True, False):
            for burst in (1,) if LITE else (1, 4, 16):
                channel = "w" if write else "r"
                address = "aw" if write else "ar"
                slave.log[channel].clear()
                slave.log[address].clear()
                slave.log["b"].clear()
                # Far enough from a page's end that no burst is cut.
                await bench.check_run(write, 0x10000, words, burst)
                between = 4 + latency
                if IMPROVED:
                    between = GAP if write or burst == 1 else max(1, GAP - burst + 1)
                want = ([1] * (burst - 1) + [between]) * (words // burst)
                assert gaps(slave.log[channel]) == want[:-1], (latency, write, burst)
                first = slave.log[address][0][0]
                last = slave.log[channel if not write else "b"][-1][0]
                assert await bench.get(regs.CYCLES) == last - first + 1
                if write:
                    assert slave.log["w"][0][0] == first


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def far_slave(dut):
    """A slave far away gets as much as may be in flight, never more; the run goes on after it."""
    bench = Bench(dut)
    await bench.begin(read_latency=300, write_latency=300)
    most = int(dut.OUTSTANDING.value) if IMPROVED else 1
    for write in (True, False):
        asked, answered = ("aw", "b") if write else ("ar", "r")
        await bench.check_run(write, 0x10000, 3 * most, 1)
        moves = [(clock, 1) for clock in clocks(bench.pins.log[asked])]
        moves += [(clock, -1) for clock in clocks(bench.pins.log[answered])]
        open_now = seen = 0
        for _, change in sorted(moves):
            open_now += change
            seen = max(seen, open_now)
        assert seen == most, (write, seen)


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def start_and_end(dut):
    """First address one clock after the register's effect; busy falls one clock after the end."""
    bench = Bench(dut)
    await bench.begin(read_latency=1, write_latency=1)
    seen = {}

    async def watch():
        clock = 0
        while True:
            await RisingEdge(dut.clk)
            clock += 1
            if int(dut.s_axil_wvalid.value) and int(dut.s_axil_wready.value):
                seen["start"] = clock
            busy = int(dut.busy.value)
            valid = int(getattr(dut, f"{PREFIX}_awvalid").value) or int(
                getattr(dut, f"{PREFIX}_arvalid").value
            )
            if valid and "first" not in seen:
                seen["first"] = clock
            for c in "br":
                if int(getattr(dut, f"{PREFIX}_{c}valid").value) and int(
                    getattr(dut, f"{PREFIX}_{c}ready").value
                ):
                    seen["last"] = clock
            if busy:
                seen["busy"] = clock

    task = cocotb.start_soon(watch())
    for write in (True, False):
        seen.clear()
        await bench.run(write, 0x1000, 20)
        # The write takes effect in the clock after its handshake.
        assert seen["first"] == seen["start"] + 2
        assert seen["busy"] == seen["last"]
    task.cancel()


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def pages(dut):
    """No burst crosses 4 KiB, whatever the start; addresses above 4 GiB where the port has them."""
    bench = Bench(dut)
    await bench.begin()
    slave = bench.pins
    longest = 1 if LITE else 16 if AXI3 else 256
    base = 0x1_2345_0000 if len(getattr(dut, f"{PREFIX}_awaddr")) > 32 else 0x2345_0000
    for write in (True, False):
        channel = "aw" if write else "ar"
        slave.log[channel].clear()
        start = base + 0x1000 - 3 * bench.bytes
        await bench.check_run(write, start, 40, longest)
        bursts = [a for _, a in slave.log[channel]]
        assert sum(a.len + 1 for a in bursts) == 40
        for a in bursts:
            assert a.addr // 4096 == (a.addr + (a.len + 1) * bench.bytes - 1) // 4096
        if not LITE:
            assert bursts[0].len == 2
            assert all(a.size == bench.bytes.bit_length() - 1 and a.burst == 1 for a in bursts)


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def bad_commands(dut):
    bench = Bench(dut)
    await bench.begin()
    bad = [(0x1000, 0, 16), (0x1002, 4, 16)] + ([(0x1000, 4, 17)] if AXI3 else [])
    for addr, words, burst in bad:
        assert await bench.run(True, addr, words, burst) == CAUSES.BAD_COMMAND
        assert await bench.fault_address() == addr
    assert not bench.pins.log["aw"]
    await bench.check_run(True, 0x2000, 33)


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def error_responses(dut):
    """SLVERR and DECERR are reported with the address of the burst; no burst begins after that."""
    bench = Bench(dut)
    await bench.begin()
    slave = bench.pins
    step = bench.bytes * (1 if LITE else 4)
    for write in (True, False):
        for code in (2, 3):
            answered = {"n": 0}

            def corrupt(fields, beat=0, code=code, answered=answered):
                if beat == 0:
                    answered["n"] += 1
                return {**fields, "resp": code if answered["n"] == 3 else 0}

            slave.corrupt_b = corrupt
            slave.corrupt_r = corrupt
            slave.log["aw"].clear()
            slave.log["ar"].clear()
            cause = await bench.run(write, 0x3000, 400, 4)
            assert cause == code
            assert await bench.fault_address() == 0x3000 + 2 * step
            # Those in flight are complete; far fewer than the 400 words were asked for.
            assert len(slave.log["aw" if write else "ar"]) < 25
            slave.corrupt_b = slave.corrupt_r = None
            await bench.check_run(write, 0x3000, 50, 4)


@cocotb.test(skip=LITE, timeout_time=3, timeout_unit="ms")
async def wrong_last_and_id(dut):
    """Early, late and missing RLAST, wrong IDs and responses that nothing asked for."""
    bench = Bench(dut)
    await bench.begin()
    slave = bench.pins
    early = lambda f, k: {**f, "last": 1} if k == 1 else (f if k < 1 else None)  # noqa: E731
    late = lambda f, k: [{**f, "last": 0}, f] if k == 3 else f  # noqa: E731
    missing = lambda f, k: {**f, "last": 0}  # noqa: E731
    wrong_id = lambda f, k=0: {**f, "id": 1}  # noqa: E731
    for corrupt, cause in (
        (early, CAUSES.BAD_LAST),
        (late, CAUSES.BAD_LAST),
        (missing, CAUSES.BAD_LAST),
        (wrong_id, CAUSES.BAD_ID),
    ):
        slave.corrupt_r = corrupt
        assert await bench.run(False, 0x4000, 4, 4) == cause
        assert await bench.fault_address() == 0x4000
        slave.corrupt_r = None
        await ClockCycles(dut.clk, 5)
        await bench.check_run(False, 0x4000, 37, 8)
    slave.corrupt_b = wrong_id
    assert await bench.run(True, 0x4000, 4, 4) == CAUSES.BAD_ID
    slave.corrupt_b = lambda f: [f, f]
    assert await bench.run(True, 0x4000, 8, 4) in (CAUSES.UNEXPECTED, CAUSES.OK)
    await ClockCycles(dut.clk, 5)
    assert (await bench.status())[2] == CAUSES.UNEXPECTED
    slave.corrupt_b = None
    await bench.check_run(True, 0x4000, 37, 8)


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def hanging_slave(dut):
    """A slave that hangs on a channel is reported; the run ends if it goes on, or by FORGET."""
    bench = Bench(dut)
    await bench.begin()
    slave = bench.pins
    never = lambda _clock: False  # noqa: E731
    always = slave.ready["w"]
    hangs = (
        ("aw", True, CAUSES.TIMEOUT_ADDRESS),
        ("w", True, CAUSES.TIMEOUT_DATA),
        ("ar", False, CAUSES.TIMEOUT_ADDRESS),
        ("b", True, CAUSES.TIMEOUT_RESPONSE),
        ("r", False, CAUSES.TIMEOUT_RESPONSE),
    )
    for channel, write, cause in hangs:
        for goes_on in (True, False):
            if channel in ("b", "r"):
                slave.senders[channel].when = never
            else:
                slave.ready[channel] = never
            await bench.start(write, 0x6000, 10, 4, timeout=50)
            await ClockCycles(dut.clk, 150)
            assert await bench.status() == (1, 1, cause), (channel, await bench.status())
            assert await bench.fault_address() == 0x6000
            valid = f"{PREFIX}_{channel}valid"
            if channel not in ("b", "r"):
                assert int(getattr(dut, valid).value), "VALID must not be taken back"
            if not goes_on:
                # The bus is reset: the slave forgets, and so does the master.
                await bench.put(regs.CONTROL, regs.CONTROL.FORGET_MASK)
                slave.forget()
            if channel in ("b", "r"):
                slave.senders[channel].when = always
            else:
                slave.ready[channel] = always
            assert await bench.finish() == cause
            await ClockCycles(dut.clk, 5)
            await bench.check_run(write, 0x6000, 21, 4)
