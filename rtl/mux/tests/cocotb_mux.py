"""axm_mux_block: data end to end, throughput, fairness, and masters and slaves that fail.

N, AXI3, REGISTERED and TIMEOUT in the environment say how it is built.
"""

import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Combine, FallingEdge, RisingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiMaster, AxiRam
from flow.axi_pins import PinMaster, PinSlave
from regs.generated import mux as regs

N, AXI3, REGISTERED, TIMEOUT = (int(os.environ[k]) for k in ("N", "AXI3", "REGISTERED", "TIMEOUT"))
CAUSES = regs.Cause
SLVERR = 2


def never(_clock):
    return False


def always(_clock):
    return True


def pauses(chance, seed):
    generator = random.Random(seed)
    while True:
        yield generator.random() < chance


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await RisingEdge(dut.clk)


class Bench:
    def __init__(self, dut, **latencies):
        logging.getLogger("cocotb").setLevel(logging.WARNING)
        self.dut = dut
        self.width = len(dut.m_axi_wdata)
        self.bytes = self.width // 8
        self.id_w = len(dut.g_master[0].s_axi_awid)
        self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.slave = PinSlave(dut, "m_axi", self.width, **latencies)
        self.masters = [PinMaster(dut.g_master[k], "s_axi", self.width, dut.clk) for k in range(N)]

    async def get(self, register) -> int:
        return await self.bus.read_dword(register.OFFSET)

    async def fault(self) -> tuple[int, int, int]:
        """Cause, master, count."""
        word = await self.get(regs.FAULT)
        return word & 7, word >> 4 & 7, await self.get(regs.COUNT)

    async def readmit(self, master) -> None:
        await self.bus.write_dword(regs.CONTROL.OFFSET, 1 << (8 + master))
        for _ in range(50):
            status = await self.get(regs.STATUS)
            if not status & (0x010101 << master):
                break
        else:
            raise AssertionError("the master is not readmitted")
        await self.bus.write_dword(regs.CONTROL.OFFSET, regs.CONTROL.CLEAR_MASK)
        assert await self.fault() == (0, 0, 0)

    def memory(self, addr, beats) -> list[int]:
        return [self.slave.word(addr + k * self.bytes) for k in range(beats)]

    async def all_work(self, who, tag, where=0x40000) -> None:
        """Each of the masters writes and reads back a burst, all at the same time."""
        seen = {k: (len(self.masters[k].log["b"]), len(self.masters[k].log["r"])) for k in who}
        for k in who:
            self.masters[k].write(where + k * 0x1000, [tag + k * 16 + n for n in range(6)], 1)
        for k in who:
            await self.masters[k].until("b", seen[k][0] + 1)
            assert self.masters[k].log["b"][-1][1].resp == 0
            self.masters[k].read(where + k * 0x1000, 6, 1)
        for k in who:
            await self.masters[k].until("r", seen[k][1] + 6)
            got = [r.data for _, r in self.masters[k].log["r"][seen[k][1] :]]
            assert got == [tag + k * 16 + n for n in range(6)]


@cocotb.test(timeout_time=500, timeout_unit="us")
async def random_transfers(dut):
    """cocotbext-axi's masters and memory; random lengths, idles and back-pressure everywhere."""
    logging.getLogger("cocotb").setLevel(logging.WARNING)
    longest = 16 if AXI3 else 256
    masters = [
        AxiMaster(
            AxiBus.from_prefix(dut.g_master[k], "s_axi"), dut.clk, dut.rst, max_burst_len=longest
        )
        for k in range(N)
    ]
    ram = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=N << 12)
    for seed, side in enumerate((*masters, ram)):
        writing, reading = side.write_if, side.read_if
        for k, channel in enumerate(
            (
                writing.aw_channel,
                writing.w_channel,
                writing.b_channel,
                reading.ar_channel,
                reading.r_channel,
            )
        ):
            channel.set_pause_generator(pauses((0.0, 0.2, 0.5)[(seed + k) % 3], 10 * seed + k))
    await begin(dut)

    async def work(k):
        generator = random.Random(k)
        model = bytearray(4096)
        await masters[k].write(k << 12, bytes(4096), **ids(0))
        for _ in range(12):
            start = generator.randrange(4096)
            data = generator.randbytes(generator.randint(1, min(600, 4096 - start)))
            await masters[k].write((k << 12) + start, data, **ids(generator.randrange(4)))
            model[start : start + len(data)] = data
            start = generator.randrange(4096)
            length = generator.randint(1, min(600, 4096 - start))
            read = await masters[k].read((k << 12) + start, length, arid=generator.randrange(4))
            assert read.data == model[start : start + length]
        assert bytes(ram.read(k << 12, 4096)) == model

    # cocotbext-axi drives no WID, so in AXI3 all writes have ID 0.
    def ids(wanted):
        return {"awid": 0 if AXI3 else wanted}

    await Combine(*(cocotb.start_soon(work(k)) for k in range(N)))


@cocotb.test(timeout_time=500, timeout_unit="us")
async def identification(dut):
    bench = Bench(dut)
    await begin(dut)
    assert await bench.get(regs.ID) == 1 << 16 | 12
    caps = await bench.get(regs.CAPS)
    assert caps & 0x3F == N | REGISTERED << 4 | AXI3 << 5
    assert (caps >> 8 & 0xF, caps >> 16 & 0xFF) == (bench.id_w, bench.bytes)
    assert await bench.get(regs.CAPS2) == TIMEOUT


@cocotb.test(timeout_time=500, timeout_unit="us")
async def throughput_and_fairness(dut):
    """Every clock moves a beat in each direction, and all have the same share within one burst."""
    bench = Bench(dut)
    await begin(dut)
    for beats in (1, 3, 16):
        bursts = 120 // beats // N + 2
        for log in bench.slave.log.values():
            log.clear()
        for k, master in enumerate(bench.masters):
            for n in range(bursts):
                master.write(k * 0x1000, [k] * beats, n % 4)
                master.read(k * 0x1000, beats, n % 4)
        total = bursts * beats * N
        await bench.slave.until("r", total)
        await bench.slave.until("b", bursts * N)
        for channel in ("w", "r"):
            clocks = [c for c, _ in bench.slave.log[channel]]
            # A beat a clock, without a gap, from the first to the last.
            assert clocks[-1] - clocks[0] == total - 1, (channel, beats)
        for channel in ("aw", "ar"):
            order = [a.id >> bench.id_w for _, a in bench.slave.log[channel]]
            for end in range(1, len(order) + 1):
                shares = [order[:end].count(k) for k in range(N)]
                assert max(shares) - min(shares) <= 1, (channel, end, shares)
        first = bench.slave.log["aw"][0][0], bench.slave.log["w"][0][0]
        assert first[0] == first[1], "an address and its first beat leave together"
        if beats == 1:
            clocks = [c for c, _ in bench.slave.log["aw"]]
            assert clocks[-1] - clocks[0] == total - 1


@cocotb.test(timeout_time=500, timeout_unit="us")
async def latency(dut):
    """Clocks through the multiplexer: none, or one a channel with register slices."""
    bench = Bench(dut, read_latency=1, write_latency=1)
    await begin(dut)
    for k, master in enumerate(bench.masters):
        await ClockCycles(dut.clk, 5)
        begun = master.clock
        master.write(0x100, [1, 2, 3])
        master.read(0x2000, 1)
        await master.until("b", 1)
        await master.until("r", 1)
        for channel in ("aw", "w", "ar"):
            assert bench.slave.log[channel][-1][1].id == (k << bench.id_w)
        # The pins put a word on the channel one clock after it was queued.
        assert master.log["aw"][0][0] - begun <= 2
        for there, back in (("ar", "r"), ("w", "b")):
            turn = master.log[back][0][0] - master.log[there][-1][0]
            assert turn == 1 + 2 * REGISTERED


@cocotb.test(timeout_time=500, timeout_unit="us")
async def slave_that_wants_both(dut):
    """A slave may wait for WVALID before it takes an address, and the other way round."""
    bench = Bench(dut)
    await begin(dut)
    bench.slave.ready["aw"] = lambda _c: bool(int(dut.m_axi_wvalid.value))
    await bench.all_work(range(N), 0x100)
    bench.slave.ready["aw"] = always
    bench.slave.ready["w"] = lambda c: c % 3 == 0
    bench.slave.ready["aw"] = lambda c: c % 7 == 0
    await bench.all_work(range(N), 0x900)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def error_responses(dut):
    """SLVERR and DECERR go to the master whose burst it was, and to no other."""
    bench = Bench(dut)
    await begin(dut)
    bench.slave.corrupt_b = lambda f: (
        {**f, "resp": 2 + (f["id"] & 1)} if f["id"] >> bench.id_w == 1 else f
    )
    bench.slave.corrupt_r = lambda f, _k: {**f, "resp": 3} if f["id"] >> bench.id_w == 1 else f
    for master in bench.masters:
        master.write(0x100, [1, 2], 1)
        master.read(0x100, 2, 1)
    for k, master in enumerate(bench.masters):
        await master.until("b", 1)
        await master.until("r", 2)
        assert master.log["b"][0][1].resp == (3 if k == 1 else 0)
        assert [r.resp for _, r in master.log["r"]] == [3 if k == 1 else 0] * 2
    assert await bench.fault() == (0, 0, 0)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def stray_responses(dut):
    """Responses of nobody are dropped, counted and reported; the others' arrive."""
    bench = Bench(dut)
    await begin(dut)
    strays = [(N - 1) << bench.id_w | 5]  # a master that waits for nothing
    if N & (N - 1):
        strays.append(N << bench.id_w | 1)  # a master that there is not
    for stray in strays:
        for channel, cause in (("b", CAUSES.STRAY_B), ("r", CAUSES.STRAY_R)):
            fields = {"id": stray, "resp": 0, "last": 1, "data": 0}
            if channel == "b":
                fields = {"id": stray, "resp": 0}
            bench.slave.senders[channel].queue.append((0, fields))
            bench.slave.senders[channel].queue.append((0, fields))
            await bench.all_work(range(N - 1), 0x300)
            assert await bench.fault() == (cause, stray >> bench.id_w, 2)
            assert (await bench.get(regs.FAULT)) >> 8 & 0xFF == stray & ((1 << bench.id_w) - 1)
            await bench.bus.write_dword(regs.CONTROL.OFFSET, regs.CONTROL.CLEAR_MASK)
    assert not bench.masters[N - 1].log["b"] + bench.masters[N - 1].log["r"]
    await bench.all_work(range(N), 0x700)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def fault_count_stops_at_its_end(dut):
    """The count of faults stands at 65535 instead of beginning anew; the first fault is kept."""
    bench = Bench(dut)
    await begin(dut)
    stray = {"id": (N - 1) << bench.id_w | 5, "resp": 0}
    bench.slave.senders["b"].queue.append((0, stray))
    await bench.all_work(range(N - 1), 0x300)
    await FallingEdge(dut.clk)
    dut.u_mux.u_mux.u_log.fault_count.value = 0xFFFE
    for count in (0xFFFF, 0xFFFF):
        bench.slave.senders["b"].queue.append((0, stray))
        await bench.all_work(range(N - 1), 0x500)
        assert await bench.fault() == (CAUSES.STRAY_B, N - 1, count)
    await bench.bus.write_dword(regs.CONTROL.OFFSET, regs.CONTROL.CLEAR_MASK)
    assert await bench.fault() == (0, 0, 0)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def master_without_data(dut):
    """A master that announces bursts and sends too little: they are completed with strobes 0 and
    answered SLVERR, the others go on, and after it was reset it works again."""
    bench = Bench(dut)
    await begin(dut)
    bad = bench.masters[1]
    for k in range(4):
        bench.slave.memory[0x1000 + k] = 0xAB
    bad.senders["aw"].queue.append((0, bad._request(0x1000 - bench.bytes, 8, 2, 1, None)))
    bad.senders["aw"].queue.append((0, bad._request(0x3000, 4, 3, 1, None)))
    bad.beat(0x1234, (1 << bench.bytes) - 1, 0, 2)
    await bench.all_work([k for k in range(N) if k != 1], 0x500)
    # Its second address is taken only if there was room for it before it was cut off.
    taken = len(bad.log["aw"])
    await bad.until("b", taken)
    assert [b.resp for _, b in bad.log["b"]] == [SLVERR] * taken
    bad.senders["aw"].reset()
    assert bench.slave.word(0x1000 - bench.bytes) == 0x1234
    assert bench.slave.word(0x1000) & 0xFFFF_FFFF == 0xABAB_ABAB
    assert (await bench.fault())[:2] == (CAUSES.W_TIMEOUT, 1)
    assert await bench.get(regs.STATUS) == 1 << 1
    await bench.readmit(1)
    await bench.all_work(range(N), 0x900)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def master_with_wrong_last(dut):
    """WLAST early or late: the port sees right bursts, the master SLVERR, the others nothing."""
    bench = Bench(dut)
    await begin(dut)
    bad = bench.masters[0]
    full = (1 << bench.bytes) - 1
    for lasts in ((0, 1), (0, 0, 0, 0, 0, 1)):
        seen = len(bad.log["b"])
        bad.senders["aw"].queue.append((0, bad._request(0x1000, 4, 2, 1, None)))
        for n, last in enumerate(lasts):
            bad.beat(n, full, last, 2)
        await bad.until("b", seen + 1)
        assert bad.log["b"][-1][1].resp == SLVERR
        await bench.all_work(range(1, N), 0x500)
        assert (await bench.fault())[:2] == (CAUSES.BAD_WLAST, 0)
        await bench.readmit(0)
        await bench.all_work(range(N), 0x900)


@cocotb.test(skip=not AXI3, timeout_time=500, timeout_unit="us")
async def master_with_wrong_wid(dut):
    bench = Bench(dut)
    await begin(dut)
    bad = bench.masters[0]
    bad.senders["aw"].queue.append((0, bad._request(0x1000, 2, 2, 1, None)))
    bad.beat(1, 1, 0, 2)
    bad.beat(2, 1, 1, 3)
    await bad.until("b", 1)
    assert bad.log["b"][0][1].resp == SLVERR
    assert [w.id for _, w in bench.slave.log["w"]] == [2, 2]
    assert (await bench.fault())[:2] == (CAUSES.BAD_WID, 0)
    await bench.readmit(0)
    await bench.all_work(range(N), 0x900)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def masters_that_take_no_response(dut):
    """A master that takes no responses, or no data, loses them; the others go on."""
    bench = Bench(dut)
    await begin(dut)
    bad = bench.masters[1]
    for channel, cause, bit in (("b", CAUSES.B_TIMEOUT, 8), ("r", CAUSES.R_TIMEOUT, 16)):
        bad.ready[channel] = never
        await ClockCycles(dut.clk, 3)
        for _ in range(3):
            if channel == "b":
                bad.write(0x1000, [1, 2, 3], 1)
            else:
                bad.read(0x1000, 5, 1)
        await ClockCycles(dut.clk, 30)
        await bench.all_work([k for k in range(N) if k != 1], 0x500)
        assert await bench.fault() == (cause, 1, 1)
        assert await bench.get(regs.STATUS) == 1 << (bit + 1)
        bad.ready[channel] = always
        await bench.readmit(1)
        await bench.all_work(range(N), 0x900)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def hanging_slave(dut):
    """A slave that hangs on a channel for a while: nothing is lost, no master is blamed."""
    bench = Bench(dut)
    await begin(dut)
    for channel in ("aw", "w", "ar", "b", "r"):
        if channel in "br":
            bench.slave.senders[channel].when = never
        else:
            bench.slave.ready[channel] = never
        task = cocotb.start_soon(bench.all_work(range(N), 0x100))
        await ClockCycles(dut.clk, 3 * TIMEOUT)
        assert not task.done()
        if channel in "br":
            bench.slave.senders[channel].when = always
        else:
            bench.slave.ready[channel] = always
        await task
        assert await bench.fault() == (0, 0, 0)
