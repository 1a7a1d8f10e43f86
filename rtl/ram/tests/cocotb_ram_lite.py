"""axm_ram_lite: function against cocotbext-axi's master; a word a clock both ways."""

import logging
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from flow.axi_pins import PinMaster

BYTES = 4096


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await RisingEdge(dut.clk)


def pauses(chance, seed):
    generator = random.Random(seed)
    while True:
        yield generator.random() < chance


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def random_transfers(dut):
    logging.getLogger("cocotb").setLevel(logging.WARNING)
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    await begin(dut)
    for k, channel in enumerate(
        (
            master.write_if.aw_channel,
            master.write_if.w_channel,
            master.write_if.b_channel,
            master.read_if.ar_channel,
            master.read_if.r_channel,
        )
    ):
        channel.set_pause_generator(pauses(0.3, k))
    generator = random.Random(1)
    model = bytearray(BYTES)
    await master.write(0, bytes(BYTES))
    for _ in range(100):
        start = generator.randrange(BYTES)
        data = generator.randbytes(generator.randint(1, min(BYTES - start, 40)))
        await master.write(start, data)
        model[start : start + len(data)] = data
        start = generator.randrange(BYTES)
        length = generator.randint(1, min(BYTES - start, 40))
        assert (await master.read(start, length)).data == model[start : start + length]
    assert (await master.read(0, BYTES)).data == model


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def full_throughput(dut):
    await begin(dut)
    master = PinMaster(dut, "s_axil", len(dut.s_axil_wdata))
    for k in range(64):
        master.write(k * master.bytes, [k + 7])
    await master.until("b", 64)
    for k in range(64):
        master.read(k * master.bytes)
        master.write(2048 + k * master.bytes, [k])
    await master.until("r", 64)
    await master.until("b", 128)
    assert [r.data for _, r in master.log["r"]] == [k + 7 for k in range(64)]
    for channel, count in (("r", 64), ("b", 64), ("b", 128)):
        clocks = [clock for clock, _ in master.log[channel][count - 64 : count]]
        assert clocks[-1] - clocks[0] == 63, channel
    assert master.log["r"][0][0] - master.log["ar"][0][0] == 1
    assert master.log["b"][0][0] - master.log["w"][0][0] == 1
