"""The convolution accelerators: results, order of the bursts, throughput, faults of every kind."""

import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiBus, AxiRam
from convolution_bench import CAUSES, MATRIX, Bench, convolve, convolve_all
from flow.axi_pins import PinSlave
from regs.generated import convolution as regs

FIRST_CLOCKS = 200  # of latency, more than enough


def pauses(chance, seed):
    generator = random.Random(seed)
    while True:
        yield generator.random() < chance


def fill(bench, write, blocks):
    """Puts inputs and marks where results go; {place: what must stand there after the run}."""
    want = {}
    for lane, (a, b) in bench.inputs(blocks).items():
        at_a, at_b, at_c = bench.places(lane)
        write(at_a, a)
        write(at_b, b)
        write(at_c, b"\xee" * (len(a) + MATRIX))
        want[at_c] = convolve_all(a, b) + b"\xee" * MATRIX
    return want


def into(slave):
    def write(at, data):
        slave.memory.update(zip(range(at, at + len(data)), data, strict=True))

    return write


def holds(slave, at, size):
    return bytes(slave.memory.get(k, 0) for k in range(at, at + size))


async def timed(dut, read_latency=4, write_latency=4):
    bench = Bench(dut)
    slave = PinSlave(dut, "m_axi", 128, read_latency, write_latency)
    await bench.begin()
    return bench, slave


@cocotb.test()
async def the_reference_is_a_convolution(dut):
    """With a single 1 the other matrix comes back, turned by its place; and it commutes."""
    one = bytearray(MATRIX)
    one[4 * (4 * 1 + 2)] = 1
    other = bytes(range(64))
    turned = convolve(bytes(one), other)
    assert turned[4 * (4 * 1 + 2) :][:4] == other[:4]
    assert turned == convolve(other, bytes(one))


@cocotb.test()
async def capabilities(dut):
    bench = Bench(dut)
    await bench.begin()
    assert await bench.get(regs.ID) == 1 << 16 | 13
    caps = await bench.get(regs.CAPS)
    assert caps & 0xF == bench.lanes
    assert caps >> 16 & 0x1FF == bench.block // 16
    assert caps >> 8 & 0x7F == int(dut.OUTSTANDING.value)
    assert caps >> 26 == len(dut.m_axi_araddr) - 32


@cocotb.test()
async def results(dut):
    """Against cocotbext-axi's memory, with idles and back-pressure on every channel."""
    bench = Bench(dut)
    ram = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=1 << 20)
    await bench.begin()
    channels = (
        ram.write_if.aw_channel,
        ram.write_if.w_channel,
        ram.write_if.b_channel,
        ram.read_if.ar_channel,
        ram.read_if.r_channel,
    )
    most = int(dut.OUTSTANDING.value)
    settings = [(64, 1, 1), (128, 1, most), (128, 8, 2), (256, 4, 1), (bench.block, 1, most)]
    for turn, (burst, bursts, limit) in enumerate(settings):
        for k, channel in enumerate(channels):
            channel.set_pause_generator(pauses((0, 0.3, 0.6)[turn % 3], k + turn))
        blocks = 1 + (turn == 1)
        want = fill(bench, ram.write, blocks)
        run = {"burst": burst, "turn": bursts, "reads": limit, "writes": max(1, limit // 2)}
        assert await bench.run(blocks=blocks, **run) == CAUSES.OK
        for at, data in want.items():
            assert bytes(ram.read(at, len(data))) == data, (turn, hex(at))
        assert await bench.get(regs.DONE) == bench.lanes * blocks * bench.block // MATRIX


@cocotb.test()
async def order_of_bursts(dut):
    """Streams take turns of as many bursts as asked for; no burst crosses 4 KiB, none is left
    out, and no more are in flight than the limit."""
    bench, slave = await timed(dut)
    for burst, turn in ((128, 1), (128, bench.block // 128), (bench.block, 1)):
        want = fill(bench, into(slave), 1)
        for channel in slave.log.values():
            channel.clear()
        limit = min(4, int(dut.OUTSTANDING.value))
        assert await bench.run(burst=burst, turn=turn, reads=limit, writes=limit) == CAUSES.OK
        assert all(holds(slave, at, len(data)) == data for at, data in want.items())
        reads = [f for _, f in slave.log["ar"]]
        for f in reads + [f for _, f in slave.log["aw"]]:
            assert f.addr // 4096 == (f.addr + burst - 1) // 4096
            assert (f.len, f.size, f.burst) == (burst // 16 - 1, 4, 1)
        starts = sorted({at for k in range(bench.lanes) for at in bench.places(k)[:2]})
        stream = [max(s for s in starts if s <= f.addr) for f in reads]
        # The first turn of every stream: all buffers are empty then.
        in_turn = [at for k in range(bench.lanes) for at in bench.places(k)[:2]]
        assert stream[: len(in_turn) * turn] == [at for at in in_turn for _ in range(turn)]
        for at in starts:
            mine = [f.addr for f in reads if at <= f.addr < at + bench.block]
            assert mine == list(range(at, at + bench.block, burst))
        for asked, answered in (("ar", "r"), ("aw", "b")):
            ends = [c for c, f in slave.log[answered] if answered == "b" or f.last]
            moves = [(c, 1) for c, _ in slave.log[asked]] + [(c, -1) for c in ends]
            flying = most = 0
            for _, change in sorted(moves):
                flying += change
                most = max(most, flying)
            assert most <= limit


@cocotb.test()
async def throughput(dut):
    """A slave that is always ready gets a convolution every max(8, 26 / LANES) clocks, and more
    than one buffer of a lane is never under way at once."""
    bench, slave = await timed(dut)
    blocks = 3
    for burst, turn in ((128, 1), (bench.block, 1)):
        fill(bench, into(slave), blocks)
        assert await bench.run(burst=burst, turn=turn, blocks=blocks) == CAUSES.OK
        cycles = await bench.get(regs.CYCLES)
        matrices = bench.block // MATRIX
        least = max(8 * bench.lanes, 26) * matrices * blocks
        most = least + FIRST_CLOCKS
        if turn * burst == bench.block:
            # A buffer is filled while others are worked on; with one lane nothing overlaps.
            most += (8 * bench.lanes + 26 + 4) * matrices * (blocks if bench.lanes < 4 else 2)
        assert least <= cycles <= most, (burst, cycles, least)


@cocotb.test()
async def start_and_end(dut):
    """When the first address comes, and that CYCLES counts to the last response."""
    bench, slave = await timed(dut)
    seen = {}

    async def watch():
        clock = 0
        while True:
            await RisingEdge(dut.clk)
            clock += 1
            if int(dut.s_axil_wvalid.value) and int(dut.s_axil_wready.value):
                seen["start"] = clock
            if int(dut.m_axi_arvalid.value):
                seen.setdefault("first", clock)
            if int(dut.m_axi_bvalid.value):
                seen["last"] = clock
            if int(dut.busy.value):
                seen.setdefault("busy", clock)
                seen["end"] = clock

    task = cocotb.start_soon(watch())
    fill(bench, into(slave), 1)
    assert await bench.run() == CAUSES.OK
    assert seen["first"] == seen["start"] + bench.lanes + 3
    assert await bench.get(regs.CYCLES) == seen["end"] - seen["busy"] + 1
    assert seen["end"] - seen["last"] <= 1
    task.cancel()


@cocotb.test()
async def bad_commands(dut):
    bench, slave = await timed(dut)
    most = int(dut.OUTSTANDING.value)
    for bad in (
        {"blocks": 0},
        {"burst": 32},
        {"burst": 2 * bench.block},
        {"burst": 128, "turn": bench.block // 64},
        {"base": 64},
        {"step": 64},
        {"reads": 0},
        {"reads": most + 1},
        {"writes": 0},
        {"writes": most + 1},
    ):
        assert await bench.run(**bad) == CAUSES.BAD_COMMAND, bad
    assert not slave.log["ar"] and not slave.log["aw"]
    await good_run(bench, slave)


async def good_run(bench, slave):
    slave.corrupt_r = slave.corrupt_b = None
    await ClockCycles(bench.dut.clk, 5)
    want = fill(bench, into(slave), 1)
    assert await bench.run() == CAUSES.OK
    assert all(holds(slave, at, len(data)) == data for at, data in want.items())


@cocotb.test()
async def error_responses(dut):
    """SLVERR and DECERR come with the burst's address; no burst begins after it, and nothing is
    written that was computed from what it brought."""
    bench, slave = await timed(dut)
    for channel in ("r", "b"):
        for code in (2, 3):
            count = {"n": 0}

            def corrupt(fields, beat=0, code=code, count=count):
                count["n"] += beat == 0
                return {**fields, "resp": code if count["n"] == 5 else 0}

            fill(bench, into(slave), 1)
            for log in slave.log.values():
                log.clear()
            setattr(slave, f"corrupt_{channel}", corrupt)
            assert await bench.run(reads=2, writes=2, turn=2) == code
            asked = slave.log["ar" if channel == "r" else "aw"]
            assert await bench.fault_address() == asked[4][1].addr
            assert len(asked) <= 5 + 3
            assert len(slave.log["aw"]) == len(slave.log["b"])
            done = await bench.get(regs.DONE)
            assert done == 2 * sum(f.resp == 0 for _, f in slave.log["b"])
            if channel == "r":
                assert not slave.log["aw"]
            await good_run(bench, slave)


@cocotb.test()
async def wrong_last_and_id(dut):
    """Early, late and missing RLAST, wrong IDs and responses that nothing asked for."""
    bench, slave = await timed(dut)

    def once(change):
        """`change` for the first burst only."""
        count = {"n": 0}

        def corrupt(fields, beat=0):
            count["n"] += beat == 0
            return change(fields, beat) if count["n"] == 1 else fields

        return corrupt

    early = lambda f, k: {**f, "last": 1} if k == 1 else (f if k < 1 else None)  # noqa: E731
    missing = lambda f, k: {**f, "last": 0}  # noqa: E731
    late = lambda f, k: [{**f, "last": 0}, f] if k == 7 else f  # noqa: E731
    wrong_id = lambda f, k: {**f, "id": 1}  # noqa: E731
    for corrupt, cause in (
        (early, CAUSES.BAD_LAST),
        (missing, CAUSES.BAD_LAST),
        (late, CAUSES.BAD_LAST),
        (wrong_id, CAUSES.BAD_ID),
    ):
        slave.corrupt_r = once(corrupt)
        assert await bench.run(reads=1) == cause, cause
        assert await bench.fault_address() == bench.A
        await good_run(bench, slave)
    slave.corrupt_b = once(wrong_id)
    assert await bench.run() == CAUSES.BAD_ID
    await good_run(bench, slave)
    slave.corrupt_b = once(lambda f, _k: [f, f])
    assert await bench.run(writes=1) in (CAUSES.UNEXPECTED, CAUSES.OK)
    await good_run(bench, slave)


@cocotb.test()
async def forget_ends_a_hanging_run(dut):
    bench, slave = await timed(dut)
    always = slave.ready["ar"]
    slave.ready["ar"] = lambda _clock: False
    await bench.start()
    await ClockCycles(dut.clk, 100)
    assert await bench.get(regs.STATUS) & regs.STATUS.BUSY_MASK
    assert int(dut.m_axi_arvalid.value), "VALID must not be taken back"
    await bench.put(regs.CONTROL, regs.CONTROL.FORGET_MASK)
    slave.forget()
    slave.ready["ar"] = always
    assert not await bench.get(regs.STATUS) & regs.STATUS.BUSY_MASK
    await good_run(bench, slave)


@cocotb.test()
async def slow_writes(dut):
    """Where results leave slowly the arithmetic waits, and nothing is lost."""
    bench, slave = await timed(dut)
    want = fill(bench, into(slave), 3)
    slave.ready["w"] = lambda clock: clock % 16 == 0
    assert await bench.run(blocks=3) == CAUSES.OK
    assert all(holds(slave, at, len(data)) == data for at, data in want.items())


@cocotb.test()
async def ends_by_the_clock(dut):
    """After CLOCKS no burst begins, those that have are completed, and results are right as far
    as they go."""
    bench, slave = await timed(dut)
    clocks = 3 * bench.block // 16
    want = fill(bench, into(slave), 3)
    assert await bench.run(blocks=3, clocks=clocks) == CAUSES.OK
    bursts = [slave.log[channel][-1][0] for channel in ("ar", "aw")]
    begin = slave.log["ar"][0][0] - bench.lanes - 1
    assert max(bursts) - begin <= clocks + 1
    assert clocks < await bench.get(regs.CYCLES) < clocks + FIRST_CLOCKS
    written = len(slave.log["w"])
    assert written == 8 * len(slave.log["aw"]) == 4 * await bench.get(regs.DONE)
    assert 0 < written < bench.lanes * 3 * bench.block // 16
    right = sum(
        holds(slave, at + k, 16) == data[k : k + 16]
        for at, data in want.items()
        for k in range(0, len(data) - MATRIX, 16)
    )
    assert right == written
    await good_run(bench, slave)
