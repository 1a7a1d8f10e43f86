"""The burst sniffer on live AXI traffic, counted again by a scoreboard of its own."""

import random
from bisect import bisect

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiMaster, AxiRam
from regs.generated import sniffer as regs

# Where the bins start, as regs/sniffer.rdl lists them.
STARTS = [*range(16), 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224]


def pauses(draw, share):
    while True:
        yield draw.random() < share


class Slot:
    """What one slot should have seen."""

    def __init__(self, port, write):
        names = ("aw", "w") if write else ("ar", "r")
        self.signals = {
            "address": [getattr(port, f"axi_{names[0]}{n}") for n in ("valid", "ready")],
            "beat": [getattr(port, f"axi_{names[1]}{n}") for n in ("valid", "ready")],
        }
        self.where = [getattr(port, f"axi_{names[0]}{n}") for n in ("addr", "len")]
        self.last_signal = getattr(port, f"axi_{names[1]}last")
        self.clear()

    def clear(self):
        self.bins = {name: [0] * 32 for name in ("lengths", "beats", "gaps")}
        self.distances = {"beats": [], "gaps": []}
        self.taken = []  # (clock, address, len)
        self.previous = None  # (clock, last)

    def look(self, clock):
        if all(int(signal.value) for signal in self.signals["address"]):
            address, length = (int(signal.value) for signal in self.where)
            self.taken.append((clock, address, length))
            self.bins["lengths"][bisect(STARTS, length) - 1] += 1
        if all(int(signal.value) for signal in self.signals["beat"]):
            if self.previous is not None:
                kind = "gaps" if self.previous[1] else "beats"
                distance = clock - self.previous[0] - 1
                self.distances[kind].append(distance)
                self.bins[kind][bisect(STARTS, distance) - 1] += 1
            self.previous = clock, int(self.last_signal.value)


class Bench:
    async def start(self, dut):
        Clock(dut.clk, 10, unit="ns").start()
        self.dut, self.looking = dut, False
        dut.rst.value = 1
        self.regs = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.masters, self.rams, self.slots, self.limits = [], [], [], []
        for k, longest in enumerate((256, 16)):  # port 1 keeps to AXI3's bursts
            bus = AxiBus.from_prefix(dut.gen_port[k], "axi")
            self.masters.append(AxiMaster(bus, dut.clk, dut.rst, max_burst_len=longest))
            self.rams.append(AxiRam(bus, dut.clk, dut.rst, size=1 << 16))
            self.slots += [Slot(dut.gen_port[k], False), Slot(dut.gen_port[k], True)]
        await ClockCycles(dut.clk, 3)
        dut.rst.value = 0
        await FallingEdge(dut.clk)
        cocotb.start_soon(self.look())
        await ClockCycles(dut.clk, 5)
        return self

    async def look(self):
        clock = 0
        while True:
            await FallingEdge(self.dut.clk)
            for slot in self.slots if self.looking else ():
                slot.look(clock)
            clock += 1

    def slow_down(self, share):
        for number, end in enumerate(self.masters + self.rams):
            channels = (
                end.write_if.aw_channel, end.write_if.w_channel, end.write_if.b_channel,
                end.read_if.ar_channel, end.read_if.r_channel,
            )  # fmt: skip
            for place, channel in enumerate(channels):
                draw = random.Random(10 * number + place)
                channel.set_pause_generator(pauses(draw, share))

    async def arm(self):
        for slot in self.slots:
            slot.clear()
        self.looking = True
        await self.regs.write_dword(regs.CTRL.OFFSET, regs.CTRL.RUN_MASK)
        clocks = 0
        while not await self.regs.read_dword(regs.STATUS.OFFSET) & regs.STATUS.ARMED_MASK:
            clocks += 1
            assert clocks < 40

    async def stop(self):
        await ClockCycles(self.dut.clk, 4)
        await self.regs.write_dword(regs.CTRL.OFFSET, 0)

    async def memory(self, which, count):
        return [await self.regs.read_dword(which.OFFSET + 4 * k) for k in range(count)]

    async def compare(self, most=(1 << 32) - 1):
        kept = (await self.regs.read_dword(regs.CAPS.OFFSET)) >> 8 & 0xFF
        first = min((taken[0] for slot in self.slots for taken in slot.taken[:1]), default=0)
        full = False
        for number, slot in enumerate(self.slots):
            await self.regs.write_dword(regs.SELECT.OFFSET, number)
            memories = ("lengths", regs.LENGTHS), ("beats", regs.BEATS), ("gaps", regs.GAPS)
            for name, which in memories:
                want = [min(most, count) for count in slot.bins[name]]
                full |= max(slot.bins[name]) > most
                assert await self.memory(which, 32) == want, (number, name)
            for name, which in (("beats", regs.BEAT_RANGE), ("gaps", regs.GAP_RANGE)):
                seen = slot.distances[name]
                want = max(seen) << 16 | min(seen) if seen else 0xFFFF
                assert await self.regs.read_dword(which.OFFSET) == want, (number, name)
            records = slot.taken[:kept]
            state = await self.regs.read_dword(regs.SLOT.OFFSET)
            assert state == (slot.previous is not None) << 8 | len(records)
            got = await self.memory(regs.RECORDS, 4 * min(kept, len(records) + 1))
            for k, (clock, address, length) in enumerate(records):
                middle = length << 24 | address >> 32 & 0xFF_FFFF
                want = [address & 0xFFFF_FFFF, middle, clock - first, address >> 56]
                assert got[4 * k : 4 * k + 4] == want, (number, k)
            assert got[4 * len(records) :] in ([], [0] * 4)
        status = await self.regs.read_dword(regs.STATUS.OFFSET)
        assert bool(status & regs.STATUS.SATURATED_MASK) == full


async def traffic(master, draw, count, longest, top):
    """Accesses at random; addresses use all bits up to `top`, which the memory does not look at."""
    events = []
    for _ in range(count):
        address = draw.getrandbits(top - 16) << 16 | draw.randrange(0xF000)
        size = draw.choice([1, 8, 100, longest]) if draw.random() < 0.8 else draw.randrange(1, 2000)
        if draw.random() < 0.5:
            events.append(master.init_read(address, size))
        else:
            events.append(master.init_write(address, draw.randbytes(size)))
        if draw.random() < 0.2:
            await events[-1].wait()
    for event in events:
        await event.wait()


async def all_ports(bench, seed, count):
    top = int(bench.dut.ADDR_W.value)
    jobs = [
        cocotb.start_soon(traffic(master, random.Random(seed + k), count, 2000, top))
        for k, master in enumerate(bench.masters)
    ]
    for job in jobs:
        await job


@cocotb.test()
async def counts_what_the_scoreboard_counts(dut):
    bench = await Bench().start(dut)
    most = (1 << int(dut.COUNT_W.value)) - 1
    assert await bench.regs.read_dword(regs.ID.OFFSET) == 1 << 16 | 5
    caps = int(dut.ADDR_W.value) << 24 | 32 << 16 | int(dut.RECORDS.value) << 8 | 4
    assert await bench.regs.read_dword(regs.CAPS.OFFSET) == caps
    assert await bench.regs.read_dword(regs.CAPS2.OFFSET) == 0b1010
    for seed, share, count in ((1, 0.0, 40), (2, 0.4, 15), (3, 0.0, 1)):
        bench.slow_down(share)
        await bench.arm()
        await all_ports(bench, 10 * seed, count)
        await bench.stop()
        bench.looking = False
        assert count == 1 or all(len(slot.taken) > 2 for slot in bench.slots)
        await all_ports(bench, 77, 2)  # nothing of this is counted
        await bench.compare(most)


@cocotb.test()
async def long_pauses_fall_into_the_last_bin(dut):
    bench = await Bench().start(dut)
    await bench.arm()
    for pause in (230, 254, 255, 256, 300, 5000):
        await bench.masters[0].read(0x100, 64)
        await ClockCycles(dut.clk, pause)
    await bench.masters[0].read(0x100, 64)
    await bench.stop()
    time = await bench.regs.read_dword(regs.TIME.OFFSET)
    assert time >= 6000
    await ClockCycles(dut.clk, 10)
    assert await bench.regs.read_dword(regs.TIME.OFFSET) == time
    await bench.compare((1 << int(dut.COUNT_W.value)) - 1)


@cocotb.test()
async def time_stops_at_its_end(dut):
    bench = await Bench().start(dut)
    await bench.arm()
    await bench.masters[0].read(0, 8)
    await FallingEdge(dut.clk)
    dut.dut.now.value = 0xFFFF_FFF0
    await ClockCycles(dut.clk, 40)
    assert await bench.regs.read_dword(regs.TIME.OFFSET) == 0xFFFF_FFFF
    status = await bench.regs.read_dword(regs.STATUS.OFFSET)
    assert status == 7  # armed, triggered, saturated
    await bench.stop()
    assert await bench.regs.read_dword(regs.STATUS.OFFSET) == 6
    await bench.arm()
    assert await bench.regs.read_dword(regs.STATUS.OFFSET) == 1
    assert await bench.regs.read_dword(regs.TIME.OFFSET) == 0


@cocotb.test()
async def distances_stop_at_their_end(dut):
    """More than 65535 clocks without a beat are 65535, and in the last bin."""
    bench = await Bench().start(dut)
    await bench.arm()
    await bench.masters[0].read(0, 8)
    await ClockCycles(dut.clk, 1 << 16)
    await bench.masters[0].read(0, 8)
    await bench.stop()
    await bench.regs.write_dword(regs.SELECT.OFFSET, 0)
    assert await bench.regs.read_dword(regs.GAP_RANGE.OFFSET) == 0xFFFF_FFFF
    assert await bench.memory(regs.GAPS, 32) == [0] * 31 + [1]
