"""What a FIFO must do, driven with random pushes and pops."""

import random
from collections import deque

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge


@cocotb.test()
async def keeps_order(dut):
    Clock(dut.clk, 10, unit="ns").start()
    depth = int(dut.DEPTH.value)
    draw = random.Random(1)
    dut.rst.value = 1
    dut.clear.value = 0
    dut.in_valid.value = 0
    dut.out_ready.value = 0
    await RisingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.rst.value = 0
    held = deque()
    for step in range(3000):
        eager = (step // 300) % 3  # mostly full, mostly empty, both
        dut.in_valid.value = draw.random() < (0.9, 0.3, 1.0)[eager]
        dut.in_data.value = draw.getrandbits(32)
        dut.out_ready.value = draw.random() < (0.3, 0.9, 1.0)[eager]
        await cocotb.triggers.Timer(1, "ns")
        assert int(dut.count.value) == len(held) <= depth
        pop = dut.out_valid.value and dut.out_ready.value
        push = dut.in_valid.value and dut.in_ready.value
        if pop:
            assert int(dut.out_data.value) == held.popleft()
        if push:
            held.append(int(dut.in_data.value))
        await FallingEdge(dut.clk)
