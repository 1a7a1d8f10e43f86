"""axm_ram_full: function against cocotbext-axi's master and a model of bytes; exact timing."""

import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiBus, AxiMaster
from flow.axi_pins import PinMaster

FIXED, INCR, WRAP = 0, 1, 2
OKAY, SLVERR = 0, 2


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.extra_read.value = 0
    dut.extra_write.value = 0
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await RisingEdge(dut.clk)


def pins(dut):
    return PinMaster(dut, "s_axi", len(dut.s_axi_wdata))


def pauses(chance, seed):
    generator = random.Random(seed)
    while True:
        yield generator.random() < chance


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def random_transfers(dut):
    """Random transfers of all sizes and alignments, idles and back-pressure on every channel."""
    logging.getLogger("cocotb").setLevel(logging.WARNING)
    master = AxiMaster(
        AxiBus.from_prefix(dut, "s_axi"),
        dut.clk,
        dut.rst,
        max_burst_len=16 if int(os.environ["AXI3"]) else 256,
    )
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
    size = int(os.environ["BYTES"])
    model = bytearray(size)
    await master.write(0, bytes(size))
    widest = (len(dut.s_axi_wdata) // 8).bit_length() - 1
    for turn in range(60):
        dut.extra_read.value = generator.choice((0, 0, 1, 5))
        dut.extra_write.value = generator.choice((0, 0, 2))
        start = generator.randrange(size)
        data = generator.randbytes(generator.randint(1, min(size - start, 300)))
        await master.write(start, data, size=generator.randint(0, widest))
        model[start : start + len(data)] = data
        start = generator.randrange(size)
        length = generator.randint(1, min(size - start, 300))
        read = await master.read(start, length, size=generator.randint(0, widest))
        assert read.data == model[start : start + length], turn
    assert (await master.read(0, size)).data == model


def beats_of(address, beats, burst, size, bus):
    """Byte addresses of each beat, written from the AXI specification (A3.4.1)."""
    number = 1 << size
    aligned = address // number * number
    total = number * beats
    low = address // total * total
    found = []
    for k in range(beats):
        if burst == FIXED:
            start = address
        else:
            start = address if k == 0 else aligned + k * number
            if burst == WRAP and start >= low + total:
                start -= total
        end = start // number * number + number
        found.append(range(start, end))
    return found


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def bursts_of_every_kind(dut):
    """FIXED, INCR and WRAP bursts, narrow and unaligned, against a model of the memory's bytes."""
    await begin(dut)
    master = pins(dut)
    size, bus = int(os.environ["BYTES"]), master.bytes
    generator = random.Random(2)
    model = bytearray(generator.randbytes(size))
    for base in range(0, size, bus):
        master.write(base, [int.from_bytes(model[base : base + bus], "little")])
    await master.until("b", size // bus)
    for _ in range(80):
        burst = generator.choice((FIXED, INCR, WRAP))
        width = generator.randint(0, bus.bit_length() - 1)
        beats = generator.choice((2, 4, 8, 16)) if burst == WRAP else generator.randint(1, 16)
        if (beats << width) > size // 2:
            beats = 2
        address = generator.randrange(size // 2 - (beats << width) + 1)
        if burst == WRAP:
            address = address >> width << width
        places = beats_of(address, beats, burst, width, bus)
        words, strobes = [], []
        for place in places:
            word = generator.getrandbits(8 * bus)
            strobe = sum(1 << (a % bus) for a in place) & generator.getrandbits(bus)
            for a in place:
                if strobe >> (a % bus) & 1:
                    model[a] = word >> (8 * (a % bus)) & 0xFF
            words.append(word)
            strobes.append(strobe)
        before, seen = len(master.log["b"]), len(master.log["r"])
        master.write(address, words, 1, burst, width, strobes)
        await master.until("b", before + 1)
        master.read(address, beats, 3, burst, width)
        await master.until("r", seen + beats)
        for place, (_, r) in zip(places, master.log["r"][seen:], strict=True):
            assert (r.id, r.resp) == (3 % (1 << len(dut.s_axi_rid)), OKAY)
            for a in place:
                assert r.data >> (8 * (a % bus)) & 0xFF == model[a], (burst, width, address, beats)
        assert [r.last for _, r in master.log["r"][seen:]] == [0] * (beats - 1) + [1]
    assert all(b.resp == OKAY for _, b in master.log["b"])


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def full_throughput(dut):
    """A beat in every clock, in both directions at once, for bursts of 1, 2 and 16 beats."""
    await begin(dut)
    master = pins(dut)
    for beats in (1, 2, 16):
        seen = {name: len(master.log[name]) for name in master.log}
        bursts = 96 // beats
        for k in range(bursts):
            master.read(0, beats, k % 2)
            master.write(0, list(range(beats)), k % 2)
        await master.until("r", seen["r"] + 96)
        await master.until("b", seen["b"] + bursts)
        for channel in ("r", "w"):
            clocks = [clock for clock, _ in master.log[channel][seen[channel] :]]
            # The first beat written before its address costs a clock; then none is lost.
            gaps = [b - a for a, b in zip(clocks, clocks[1:], strict=False)]
            assert gaps == [1] * 95, (channel, beats, gaps, [c for c, _ in master.log["ar"]][:5])


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def latency(dut):
    """First beat 2 + extra after the address, response 1 + extra after the last beat."""
    await begin(dut)
    master = pins(dut)
    for extra in (0, 1, 7, 100, 255):
        dut.extra_read.value = extra
        dut.extra_write.value = extra
        seen = {name: len(master.log[name]) for name in master.log}
        for _ in range(3):
            master.read(0, 4)
            master.write(0, [1, 2, 3, 4])
            await master.until("r", seen["r"] + 4)
            await master.until("b", seen["b"] + 1)
            assert master.log["r"][seen["r"]][0] - master.log["ar"][-1][0] == 2 + extra
            assert master.log["b"][-1][0] - master.log["w"][-1][0] == 1 + extra
            seen = {name: len(master.log[name]) for name in master.log}


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def faults(dut):
    """Illegal bursts and wrong WLAST get SLVERR; illegal ones change nothing; then all is well."""
    await begin(dut)
    master = pins(dut)
    words = len(master.log["b"])
    master.write(0, [0x11, 0x22, 0x33, 0x44])
    illegal = [
        {"burst": 3, "beats": 4},
        {"burst": WRAP, "beats": 3},
        {"burst": FIXED, "beats": 17},
        {"burst": INCR, "beats": 2, "size": 6},
    ]
    if int(os.environ["AXI3"]):
        illegal.append({"burst": INCR, "beats": 17})
    for one in illegal:
        beats, burst, width = one["beats"], one["burst"], one.get("size")
        seen, words = len(master.log["r"]), len(master.log["b"])
        master.write(0, [0xFF] * beats, burst=burst, size=width)
        master.read(0, beats, burst=burst, size=width)
        await master.until("r", seen + beats)
        await master.until("b", words + 1 + (words == 0))
        assert all(r.resp == SLVERR for _, r in master.log["r"][seen:]), one
        assert master.log["b"][-1][1].resp == SLVERR, one
    for lasts in ((0, 1, 0, 1), (0, 0, 0, 0)):
        words = len(master.log["b"])
        request = master._request(0x200, 4, 0, INCR, None)
        master.senders["aw"].queue.append((0, request))
        for k, last in enumerate(lasts):
            master.beat(k, (1 << master.bytes) - 1, last)
        await master.until("b", words + 1)
        assert master.log["b"][-1][1].resp == SLVERR, lasts
    seen, words = len(master.log["r"]), len(master.log["b"])
    master.write(0x200, [9])
    master.read(0, 4)
    await master.until("r", seen + 4)
    await master.until("b", words + 1)
    assert [r.data for _, r in master.log["r"][seen:]] == [0x11, 0x22, 0x33, 0x44]
    assert all(r.resp == OKAY for _, r in master.log["r"][seen:])
    assert master.log["b"][-1][1].resp == OKAY
