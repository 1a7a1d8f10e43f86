"""The DMA engine on the memory of cocotbext-axi, which is not ours, with random idles."""

import random

import cocotb
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiBus, AxiRam
from dma_driver import RD, WR, dma, noise, start
from flow import axi_pins  # noqa: F401 (lets cocotbext-axi take a lock of two bits)

SIZE = 1 << 17


def pauses(seed, share):
    draw = random.Random(seed)
    while True:
        yield draw.random() < share


def with_pauses(ram, share):
    channels = (ram.write_if.aw_channel, ram.write_if.w_channel, ram.write_if.b_channel,
                ram.read_if.ar_channel, ram.read_if.r_channel)  # fmt: skip
    for number, channel in enumerate(channels):
        channel.set_pause_generator(pauses(number, share))


async def prepare(dut, share):
    bus = AxiBus.from_prefix(dut, "m_axi")
    ram = AxiRam(bus, dut.clk, dut.rst, size=SIZE)
    engine, _, sink, source = await start(dut, own_slave=False, hold=share / 2, rate=1 - share / 2)
    with_pauses(ram, share)
    return engine, ram, sink, source


async def reads_and_writes(dut, share):
    engine, ram, sink, source = await prepare(dut, share)
    width = len(dut.m_axi_wdata) // 8
    draw = random.Random(31)
    step = 1 if int(dut.UNALIGNED.value) else width
    content = noise(SIZE // 2)
    ram.write(0, content)
    await engine.configure(RD, 16, 8)
    await engine.configure(WR, 16, 8)
    written, expected = [], []
    for _ in range(10):
        count = draw.randrange(step, 1200, step)
        read_from = draw.randrange(0, SIZE // 2 - 2048, step)
        write_to = SIZE // 2 + len(written) * 4096 + draw.randrange(0, 2048, step)
        expected.append(content[read_from : read_from + count])
        written.append((write_to, noise(count, count)))
        source.give(written[-1][1], last=True)
        await engine.submit(WR, write_to, count)
        await engine.submit(RD, read_from, count, last=1)
    for _ in written:
        assert (await engine.done(RD))[0] == dma.Code.OK
        assert (await engine.done(WR))[0] == dma.Code.OK
    await ClockCycles(dut.clk, 10)
    assert sink.packets(width) == (expected, b"")
    for address, data in written:
        assert ram.read(address, len(data)) == data


@cocotb.test()
async def reads_and_writes_at_full_speed(dut):
    await reads_and_writes(dut, 0.0)


@cocotb.test()
async def reads_and_writes_with_pauses(dut):
    await reads_and_writes(dut, 0.4)


@cocotb.test()
async def copies_with_pauses(dut):
    engine, ram, _, _ = await prepare(dut, 0.3)
    width = len(dut.m_axi_wdata) // 8
    content = noise(SIZE // 2)
    ram.write(0, content)
    await engine.configure(RD, 16, 8)
    await engine.configure(WR, 16, 8, whole=0)
    draw = random.Random(32)
    step = 1 if int(dut.UNALIGNED.value) else width
    copied = []
    for number in range(10):
        count = draw.randrange(step, 1200, step)
        source = draw.randrange(0, SIZE // 2 - 2048, step)
        target = SIZE // 2 + number * 4096 + draw.randrange(0, 2048, step)
        copied.append((target, content[source : source + count]))
        await engine.submit(WR, target, count, source=source)
    for _ in copied:
        assert (await engine.done(WR))[0] == dma.Code.OK
    for address, data in copied:
        assert ram.read(address, len(data)) == data
