"""The demultiplexer between an AXI4-Lite master and three memories."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiLiteRam, AxiResp

TIMEOUT = 64


def pauses(draw):
    while True:
        yield draw.random() < 0.5


def channels(end):
    return [
        end.write_if.aw_channel,
        end.write_if.w_channel,
        end.write_if.b_channel,
        end.read_if.ar_channel,
        end.read_if.r_channel,
    ]


async def start(dut):
    Clock(dut.clk, 10, unit="ns").start()
    dut.rst.value = 1
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    windows = [
        AxiLiteRam(AxiLiteBus.from_prefix(dut.gen_window[k], "axil"), dut.clk, dut.rst, size=4096)
        for k in range(3)
    ]
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)
    return master, windows


@cocotb.test()
async def each_window_is_its_block(dut):
    master, windows = await start(dut)
    draw = random.Random(1)
    held = {}
    for step in range(300):
        if step == 150:  # the rest with pauses everywhere
            for number, end in enumerate([master, *windows]):
                for place, channel in enumerate(channels(end)):
                    channel.set_pause_generator(pauses(random.Random(10 * number + place)))
        address = draw.randrange(3) << 12 | draw.randrange(8) << 2
        if draw.random() < 0.5:
            word = draw.getrandbits(32)
            await master.write_dword(address, word)
            held[address] = word
            assert windows[address >> 12].read_dword(address & 0xFFF) == word
        else:
            assert await master.read_dword(address) == held.get(address, 0)
    for k, window in enumerate(windows):
        for place in range(8):
            assert window.read_dword(4 * place) == held.get(k << 12 | place << 2, 0)


@cocotb.test()
async def reads_and_writes_take_turns(dut):
    master, windows = await start(dut)
    writes = [master.init_write(4 * k, bytes([k] * 4)) for k in range(32)]
    reads = [master.init_read(0x1000, 4) for _ in range(32)]
    await writes[-1].wait()
    assert sum(event.is_set() for event in reads) >= 28, "reads starved"
    await reads[-1].wait()
    assert [windows[0].read(4 * k, 1)[0] for k in range(32)] == list(range(32))


@cocotb.test()
async def a_transfer_takes_three_clocks(dut):
    master, _ = await start(dut)
    dut_ready = dut.s_axil_arready
    events = [master.init_read(0, 4) for _ in range(20)]
    taken, clock = [], 0
    while not events[-1].is_set():
        await RisingEdge(dut.clk)
        clock += 1
        if dut.s_axil_arvalid.value and dut_ready.value:
            taken.append(clock)
    steps = {b - a for a, b in zip(taken, taken[1:], strict=False)}
    assert max(steps) <= 4, steps  # the memory model answers a clock later than our blocks


@cocotb.test()
async def no_block_no_answer(dut):
    master, _ = await start(dut)
    for address in (0x3000, 0xF000, 0x3FFC):
        assert (await master.read(address, 4)).resp == AxiResp.DECERR
        assert (await master.write(address, b"1234")).resp == AxiResp.DECERR
    await master.write_dword(0x2000, 7)
    assert await master.read_dword(0x2000) == 7
    assert dut.dead.value == 0


async def hang(dut, kind):
    """A block stops on one channel: SLVERR in time, the others go on, reset brings it back."""
    master, windows = await start(dut)
    await master.write_dword(0x1000, 0x1111)
    channel = channels(windows[1])[kind]
    channel.pause = True
    before = cocotb.utils.get_sim_time("ns")
    access = master.write(0x1004, b"abcd") if kind < 3 else master.read(0x1000, 4)
    assert (await access).resp == AxiResp.SLVERR
    clocks = (cocotb.utils.get_sim_time("ns") - before) / 10
    assert TIMEOUT <= clocks <= TIMEOUT + 8
    assert dut.dead.value == 0b010
    await master.write_dword(0x2000, 5)
    assert await master.read_dword(0x2000) == 5
    assert (await master.read(0x1000, 4)).resp == AxiResp.SLVERR  # at once: given up
    # A late answer goes nowhere.
    channel.pause = False
    for k in range(10):
        await master.write_dword(0x2000 + 4 * k, k)
        assert await master.read_dword(0x2000 + 4 * k) == k
    assert dut.dead.value == 0b010
    dut.rst.value = 1
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 4)
    assert dut.dead.value == 0
    assert await master.read_dword(0x1000) == 0x1111


@cocotb.test()
@cocotb.parametrize(kind=[0, 1, 2, 3, 4])
async def a_dead_block_does_not_hang_the_bus(dut, kind):
    await hang(dut, kind)
