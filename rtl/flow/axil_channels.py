"""The channels of a register slave do not wait for one another, as AXI4-Lite requires."""

from __future__ import annotations

from cocotb.triggers import ClockCycles, First, with_timeout


async def answers_wait_alone(dut, bus, read_offset: int, write_offset: int, value: int) -> None:
    """A read's answer that nobody takes keeps no write from its own, and the other way round; and
    it stays as it is. `bus`: the AxiLiteMaster; `read_offset`: a register that keeps its value."""
    expected = await bus.read_dword(read_offset)
    reads, writes = bus.read_if.r_channel, bus.write_if.b_channel
    for held, other in ((reads, writes), (writes, reads)):
        held.pause = True
        operations = {
            reads: bus.init_read(read_offset, 4),
            writes: bus.init_write(write_offset, value.to_bytes(4, "little")),
        }
        assert not operations[held].is_set()
        await with_timeout(First(operations[other].wait()), 100 * 10, "ns")
        if held is reads:  # refused, and without effect
            answer = await with_timeout(bus.write(0xFFC, bytes(4)), 100 * 10, "ns")
        else:
            answer = await with_timeout(bus.read(0xFFC, 4), 100 * 10, "ns")
        assert int(answer.resp) == 2
        await ClockCycles(dut.clk, 10)
        assert not operations[held].is_set()
        held.pause = False
        await with_timeout(First(operations[held].wait()), 100 * 10, "ns")
        assert int(operations[held].data.resp) == 0
        assert int.from_bytes(operations[reads].data.data, "little") == expected
