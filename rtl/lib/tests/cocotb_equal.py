"""axm_equal: all pairs of words."""

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def all_pairs(dut):
    words = range(1 << len(dut.a))
    for a in words:
        for b in words:
            dut.a.value, dut.b.value = a, b
            await Timer(1, "ns")
            assert int(dut.equal.value) == (a == b), (a, b)
