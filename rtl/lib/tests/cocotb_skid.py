"""axm_skid and axm_hold: order, nothing lost, a word a clock, offered words stay."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge


@cocotb.test(timeout_time=200, timeout_unit="us")
async def random_flow(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    at_once = dut._name == "axm_hold" or int(dut.PASS.value)
    dut.in_valid.value = dut.out_ready.value = 0
    dut.rst.value = 1
    await ClockCycles(dut.clk, 2)
    dut.rst.value = 0
    generator = random.Random(5)
    sent, got, moved = [], [], []
    offered = None
    word = 0
    for clock in range(3000):
        await RisingEdge(dut.clk)
        taken = int(dut.in_valid.value) and int(dut.in_ready.value)
        if taken:
            sent.append((clock, int(dut.in_data.value)))
        if offered is not None:
            assert int(dut.out_valid.value) and int(dut.out_data.value) == offered
        offered = None
        if int(dut.out_valid.value):
            if int(dut.out_ready.value):
                got.append((clock, int(dut.out_data.value)))
                moved.append(clock)
            else:
                offered = int(dut.out_data.value)
        # The last thousand clocks without any pause.
        busy = clock > 2000
        if taken or not int(dut.in_valid.value):
            word += 1
            dut.in_data.value = word
            dut.in_valid.value = int(busy or generator.random() < 0.6)
        dut.out_ready.value = int(busy or generator.random() < 0.6)
    assert [w for _, w in got] == [w for _, w in sent][: len(got)]
    assert len(sent) - len(got) <= 2
    assert sum(clock > 2005 for clock in moved) == 3000 - 2006
    delay = min(g[0] - s[0] for s, g in zip(sent, got, strict=False))
    assert delay == (0 if at_once else 1)
