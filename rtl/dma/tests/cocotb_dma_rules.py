"""The clocks in which a DMA engine acts: docs/hardware.md, "When an engine acts", rules 1, 2, 3, 5.

An observer works out, from what moved in the clocks before, what must be valid in each clock.
"""

from collections import deque

import cocotb
from cocotb.triggers import ClockCycles
from dma_driver import RD, WR, noise, start

BASE = 0x1000_0000
PAGE = 4096


def split(address, count, width, longest):
    """Bursts of a transfer: address and beats."""
    while count:
        room = PAGE - address % PAGE
        size = min(count, longest * width, room)
        yield address, size // width
        address += size
        count -= size


class Observer:
    """Follows the submissions of one half, and says which bursts wait in which clock."""

    def __init__(self, dut, half, longest, outstanding):
        self.dut, self.half, self.longest, self.outstanding = dut, half, longest, outstanding
        self.width = len(dut.m_axi_wdata) // 8
        self.values, self.bursts, self.coming, self.taken = {}, deque(), [], []
        self.in_flight = 0
        self.starts: list[int] = []  # clocks from submission to address
        self.ends: list[int] = []  # clocks from last beat or response to completion
        self.shown = 0

    def drive(self, _clock):
        # The engine takes a transfer in one clock, and its first burst stands in the next.
        self.bursts.extend(self.taken)
        self.taken, self.coming = self.coming, []

    def follow(self, clock):
        dut = self.dut
        if dut.s_axil_wvalid.value and dut.s_axil_wready.value:
            offset, value = int(dut.s_axil_awaddr.value), int(dut.s_axil_wdata.value)
            self.values[offset] = value
            if offset == self.half.SUBMIT.OFFSET:
                address = self.values[self.half.ADDR_LO.OFFSET]
                count = self.values[self.half.LENGTH.OFFSET]
                idle = not self.bursts and self.in_flight == 0
                for number, (place, beats) in enumerate(
                    split(address, count, self.width, self.longest)
                ):
                    last = place + beats * self.width == address + count
                    # The effect of the register's write is there in the clock after it.
                    effect = clock + 1 if idle and number == 0 else None
                    self.coming.append((place, beats, last, effect))


class ReadRules(Observer):
    def __init__(self, dut, sink, longest, outstanding):
        super().__init__(dut, RD, longest, outstanding)
        self.sink, self.pending, self.held = sink, 0, False
        self.flying = deque()

    def sample(self, clock):
        dut = self.dut
        wanted = self.held
        if not wanted and self.bursts and self.in_flight < self.outstanding:
            wanted = self.sink.room - self.pending >= self.bursts[0][1]
        assert bool(dut.m_axi_arvalid.value) == wanted, f"arvalid in clock {clock}"
        if wanted:
            place, beats, last, effect = self.bursts[0]
            assert int(dut.m_axi_araddr.value) == place
            assert int(dut.m_axi_arlen.value) == beats - 1
            if effect is not None and not self.held:
                self.starts.append(clock - effect)
            self.held = not dut.m_axi_arready.value
            if not self.held:
                self.bursts.popleft()
                self.in_flight += 1
                self.pending += beats
                self.flying.append(last)
                self.shown += 1
        ended = False
        if dut.m_axi_rvalid.value and dut.m_axi_rready.value:
            self.pending -= 1
            if dut.m_axi_rlast.value:
                self.in_flight -= 1
                ended = self.flying.popleft()
        assert bool(dut.rd_done_valid.value) == ended, (
            "completion is not in the clock of the last beat"
        )
        self.ends.append(0) if ended else None
        self.follow(clock)


class WriteRules(Observer):
    def __init__(self, dut, source, longest, outstanding, whole):
        super().__init__(dut, WR, longest, outstanding)
        self.source, self.whole = source, whole
        self.beats_left = 0  # of the burst that has begun
        self.address_taken = True
        self.flying = deque()

    def sample(self, clock):
        dut = self.dut
        if self.beats_left == 0 and self.address_taken and self.bursts:
            place, beats, last, effect = self.bursts[0]
            there = self.source.avail >= beats if self.whole else self.source.avail > 0
            if self.in_flight < self.outstanding and there:
                self.bursts.popleft()
                self.beats_left, self.address_taken = beats, False
                self.place, self.beats, self.last = place, beats, last
                self.in_flight += 1
                self.shown += 1
                if effect is not None:
                    self.starts.append(clock - effect)
        assert bool(dut.m_axi_awvalid.value) == (not self.address_taken), (
            f"awvalid in clock {clock}"
        )
        wanted = self.beats_left > 0 and self.source.avail > 0
        assert bool(dut.m_axi_wvalid.value) == wanted, f"wvalid in clock {clock}"
        if not self.address_taken:
            assert int(dut.m_axi_awaddr.value) == self.place
            assert int(dut.m_axi_awlen.value) == self.beats - 1
            self.address_taken = bool(dut.m_axi_awready.value)
        if wanted and dut.m_axi_wready.value:
            self.beats_left -= 1
        if (
            self.beats_left == 0
            and self.address_taken
            and self.shown > len(self.flying) + len(self.ends)
        ):
            self.flying.append(self.last)
        ended = False
        if dut.m_axi_bvalid.value and dut.m_axi_bready.value:
            self.in_flight -= 1
            ended = self.flying.popleft()
            self.ends.append(0)
        assert bool(dut.wr_done_valid.value) == ended, (
            "completion is not in the clock of the response"
        )
        self.follow(clock)


async def read_by_rules(dut, longest, outstanding, **options):
    rules = []

    def make(dut, _engine, sink, _source):
        rules.append(ReadRules(dut, sink, longest, outstanding))
        return rules[0]

    engine, slave, sink, _ = await start(dut, more=(make,), **options)
    width = len(dut.m_axi_wdata) // 8
    await engine.configure(RD, longest, outstanding)
    lengths = (1, longest, 5 * longest, 1, 1, 2, 300, 3 * longest + 1)
    for number, beats in enumerate(lengths):
        await engine.submit(RD, BASE + number * 0x10000 + 8 * width * number, beats * width)
    for _ in lengths:
        await engine.done(RD, patience=2000)
    assert rules[0].shown == len(slave.bursts) > len(lengths)
    assert rules[0].starts and max(rules[0].starts) <= 1 and len(rules[0].ends) == len(lengths)


@cocotb.test()
async def reads_limited_by_outstanding(dut):
    await read_by_rules(dut, 4, 3, latency=25, limit=4000)


@cocotb.test()
async def reads_limited_by_room(dut):
    await read_by_rules(dut, 8, 8, latency=9, limit=19, drain=0.6)


@cocotb.test()
async def reads_of_one_beat(dut):
    await read_by_rules(dut, 1, 16, latency=12, limit=4000)


@cocotb.test()
async def reads_of_a_slow_slave(dut):
    await read_by_rules(dut, 16, 4, latency=5, stall=0.5, limit=100, drain=0.5)


async def write_by_rules(dut, longest, outstanding, whole, **options):
    rules = []

    def make(dut, _engine, _sink, source):
        rules.append(WriteRules(dut, source, longest, outstanding, whole))
        return rules[0]

    engine, slave, _, source = await start(dut, more=(make,), **options)
    width = len(dut.m_axi_wdata) // 8
    await engine.configure(WR, longest, outstanding, int(whole))
    lengths = (1, longest, 5 * longest, 1, 1, 2, 300, 3 * longest + 1)
    source.give(noise(sum(lengths) * width), last=False)
    for number, beats in enumerate(lengths):
        await engine.submit(WR, BASE + number * 0x10000 + 8 * width * number, beats * width)
    for _ in lengths:
        await engine.done(WR, patience=2000)
    assert rules[0].shown == len(slave.bursts) > len(lengths)
    assert rules[0].starts and max(rules[0].starts) <= 1


@cocotb.test()
async def writes_of_whole_bursts(dut):
    await write_by_rules(dut, 8, 4, True, latency=20, rate=0.5)


@cocotb.test()
async def writes_limited_by_outstanding(dut):
    await write_by_rules(dut, 4, 2, True, latency=15)


@cocotb.test()
async def writes_of_one_beat(dut):
    await write_by_rules(dut, 1, 16, True, latency=8)


@cocotb.test()
async def writes_that_cut_through(dut):
    await write_by_rules(dut, 16, 3, False, latency=6, rate=0.6)


@cocotb.test()
async def writes_to_a_slow_slave(dut):
    await write_by_rules(dut, 16, 3, True, latency=6, rate=0.8, stall=0.5)


@cocotb.test()
async def addresses_do_not_wait_for_ready(dut):
    """Rule 5: with a slave that takes nothing, address and first beat are valid all the same."""
    engine, slave, _, source = await start(dut)
    slave.hang = {"AR", "AW", "W"}
    await engine.configure(RD)
    await engine.configure(WR)
    width = len(dut.m_axi_wdata) // 8
    source.give(noise(16 * width), last=False)
    await ClockCycles(dut.clk, 40)
    await engine.submit(RD, BASE, 16 * width)
    await engine.submit(WR, BASE, 16 * width)
    await ClockCycles(dut.clk, 3)
    assert dut.m_axi_arvalid.value and dut.m_axi_awvalid.value and dut.m_axi_wvalid.value
    slave.hang = set()
    await engine.done(RD)
    await engine.done(WR)
