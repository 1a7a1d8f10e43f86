"""The traffic generator against an independent memory and against a slave that fails."""

import os
from itertools import cycle

import cocotb
import traffic_predict as predict
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiBus, AxiRam
from flow import axi_pins  # noqa: F401 (lets cocotbext-axi take a lock of two bits)
from flow.axil_channels import answers_wait_alone
from regs.generated import traffic as regs
from traffic_bench import AXI3, MOST, READ, SEED, WIDTH, WRITE, Bench, Slave
from traffic_predict import BYTES, CLOCKS, CONTIGUOUS, FOREVER, RANDOM, STRIDED


async def with_memory(dut, seed=1, size=2**20, pauses=True):
    bench = Bench(dut, seed)
    memory = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=size)
    for log in (
        memory.write_if.log,
        memory.read_if.log,
        bench.lite.write_if.log,
        bench.lite.read_if.log,
    ):
        log.setLevel("WARNING")
    if pauses:
        draw = bench.draw
        for channel in (
            memory.write_if.aw_channel,
            memory.write_if.w_channel,
            memory.write_if.b_channel,
            memory.read_if.ar_channel,
            memory.read_if.r_channel,
        ):
            share = draw.choice((0.1, 0.5, 0.8))
            pattern = [draw.random() < share for _ in range(97)]
            channel.set_pause_generator(cycle(pattern))
    await bench.begin()
    return bench, memory


async def with_slave(dut, **options):
    bench = Bench(dut, 1)
    slave = Slave(dut, **options)
    for log in (bench.lite.write_if.log, bench.lite.read_if.log):
        log.setLevel("WARNING")
    await bench.begin()
    return bench, slave


@cocotb.test()
async def writes_then_reads(dut):
    """What is written is in memory, is read back without an error, and all of it is counted."""
    bench, memory = await with_memory(dut, seed=WIDTH + AXI3)
    for beats, pattern, gap in (
        (1, CONTIGUOUS, 0),
        (MOST, STRIDED, 0),
        (4, RANDOM, 9),
        (5, STRIDED, 30),
    ):
        size = 1 << (beats * WIDTH - 1).bit_length()
        common = {
            "beats": beats,
            "pattern": pattern,
            "gap": gap,
            "limit": 20,
            "stride": (0x3FFF & -size) if pattern == RANDOM else size * 3,
            "region": 0x4000,
            "outstanding": bench.draw.choice((1, 3, 64)),
        }
        if pattern == STRIDED:
            common["region"] = size * 7
        base = 0x20000
        w = await bench.configure(WRITE, base=base, **common)
        await bench.start(write=True)
        assert not await bench.done() & regs.STATUS.WRITE_ERROR_MASK
        bench.expect_bursts(WRITE, w)
        for address, count in bench.issued[WRITE]:
            want = predict.data(address, count * WIDTH, SEED)
            assert memory.read(address, len(want)) == want
        words = await bench.compare()
        assert words[regs.COUNTERS_WRITE_BURSTS_LO.OFFSET] == 20
        # Both directions at once; the read half takes what was written before.
        size = len(bench.issued[WRITE])
        reads = await bench.configure(READ, base=base, **common, check=int(pattern != RANDOM))
        other = await bench.configure(WRITE, base=0x80000, **common)
        await bench.start(read=True, write=True)
        word = await bench.done()
        assert not word & (regs.STATUS.READ_ERROR_MASK | regs.STATUS.WRITE_ERROR_MASK), (
            await bench.errors(READ)
        )
        bench.expect_bursts(READ, reads)
        bench.expect_bursts(WRITE, other)
        await bench.compare()


@cocotb.test()
async def full_speed(dut):
    """Ideal slave: an address a clock, a beat a clock, first address right after the start."""
    bench, slave = await with_slave(dut, latency=3)
    for beats in (1, 4):
        for d in (READ, WRITE):
            await bench.configure(
                d, beats=beats, limit=64, outstanding=64, base=0x1000, region=0x1000
            )
        await bench.start(read=True, write=True)
        await bench.done()
        for d in (READ, WRITE):
            first = bench.valid_at[d][0]
            assert len(bench.valid_at[d]) == 64
            assert bench.run_clocks[d][0] == first  # busy and address in the same clock
            gap = 1 if d == READ else beats
            assert [c - first for c in bench.valid_at[d]] == [k * gap for k in range(64)], d
            total = bench.run_clocks[d][1] - first + 1
            assert total <= 64 * beats + 6, (d, total)
        await bench.compare()
    # Gaps, as documented.
    for d in (READ, WRITE):
        await bench.configure(d, beats=4, limit=5, gap=7, base=0x1000, region=0x1000)
    await bench.start(read=True, write=True)
    await bench.done()
    for d in (READ, WRITE):
        assert [b - a for a, b in zip(bench.valid_at[d], bench.valid_at[d][1:], strict=False)] == [
            11
        ] * 4


@cocotb.test()
async def outstanding_limit(dut):
    """With a limit of n, burst k + n begins in the clock after burst k has ended."""
    bench, slave = await with_slave(dut, latency=20)
    for limit in (1, 3):
        for d in (READ, WRITE):
            await bench.configure(
                d, beats=2, limit=12, outstanding=limit, base=0x1000, region=0x1000
            )
        await bench.start(read=True, write=True)
        await bench.done()
        for d in (READ, WRITE):
            begins, ends = bench.valid_at[d], bench.ended_at[d]
            for n in range(1, 12):
                soonest = begins[n - 1] + (1 if d == READ else 2)
                if n >= limit:
                    soonest = max(soonest, ends[n - limit] + 1)
                assert begins[n] == soonest, (d, limit, n)
        await bench.compare()


@cocotb.test()
async def limits(dut):
    """Stop by bytes, by clocks, by command; nothing to do; start by the pin; busy words stay."""
    bench, slave = await with_slave(dut)
    beats = min(8, MOST)
    for count in (1, WIDTH, 3 * beats * WIDTH, 3 * beats * WIDTH + 2 * WIDTH + 1):
        configs = [
            await bench.configure(d, stop=BYTES, limit=count, beats=beats) for d in (READ, WRITE)
        ]
        await bench.start(read=True, write=True)
        await bench.done()
        for d in (READ, WRITE):
            bench.expect_bursts(d, configs[d])
            assert sum(n for _, n in bench.issued[d]) == -(-count // WIDTH)
        await bench.compare()
    for d in (READ, WRITE):
        await bench.configure(d, stop=CLOCKS, limit=100, beats=1, outstanding=64)
    await bench.start(read=True, write=True)
    await bench.done()
    for d in (READ, WRITE):
        assert bench.valid_at[d][-1] - bench.valid_at[d][0] == 99
        assert len(bench.issued[d]) == 100
    for d in (READ, WRITE):
        await bench.configure(d, limit=0)
    await bench.start(read=True, write=True)
    await ClockCycles(dut.clk, 20)
    assert not dut.busy.value and not bench.issued[READ] and not bench.issued[WRITE]
    # By the pin, without an end; words of a busy direction are not written.
    for d in (READ, WRITE):
        await bench.configure(d, stop=FOREVER, pin=1)
    await bench.until(regs.STATUS.READY_MASK, True)
    dut.start.value = 1
    await RisingEdge(dut.clk)
    dut.start.value = 0
    await ClockCycles(dut.clk, 300)
    await bench.put(regs.READ_BASE_LO.OFFSET, 0x123400)
    await bench.put(regs.SEED.OFFSET, ~SEED & 0xFFFFFFFF)  # the data would be wrong
    await ClockCycles(dut.clk, 600)
    assert max(address for address, _ in bench.issued[READ]) < 0x123400
    assert len(bench.issued[READ]) > 10
    await bench.put(regs.CONTROL.OFFSET, regs.CONTROL.STOP_READ_MASK | regs.CONTROL.STOP_WRITE_MASK)
    await bench.done()
    assert (await bench.errors(READ))[0] == (await bench.errors(WRITE))[0] == 0
    await bench.compare()
    # A seed holds for the next run, also if it comes after the configuration.
    configs = [await bench.configure(d, pattern=RANDOM, stride=0x3C00) for d in (READ, WRITE)]
    slave.seed = SEED ^ 0x5A5A5A5A
    await bench.put(regs.SEED.OFFSET, slave.seed)
    await bench.start(read=True, write=True)
    await bench.done()
    for d in (READ, WRITE):
        want = list(predict.bursts(configs[d], WIDTH, d == WRITE, slave.seed))
        assert bench.issued[d] == want
    assert (await bench.errors(READ))[0] == 0


@cocotb.test()
async def register_answers_wait_alone(dut):
    bench, _ = await with_slave(dut)
    await answers_wait_alone(dut, bench.lite, regs.CAPS.OFFSET, regs.SEED.OFFSET, SEED)


@cocotb.test()
async def a_start_without_a_burst_allowed_is_refused(dut):
    """It would wait for ever. The register says so, and the next start is a start."""
    bench, _ = await with_slave(dut)
    for d in (READ, WRITE):
        await bench.configure(d, outstanding=0)
    await bench.start(read=True, write=True)
    await ClockCycles(dut.clk, 200)
    assert await bench.get(regs.STATUS.OFFSET) & 3 == 0, "busy"
    for d in (READ, WRITE):
        assert (await bench.errors(d))[:2] == (1, {"REFUSED"})
        assert bench.issued[d] == []
        await bench.configure(d, outstanding=1, limit=3)
    await bench.start(read=True, write=True)
    await bench.done()
    for d in (READ, WRITE):
        assert (await bench.errors(d))[:2] == (0, set())
        assert len(bench.issued[d]) == 3


@cocotb.test()
async def cut_at_4k(dut):
    """Bursts that would cross 4 KiB are cut there."""
    bench, slave = await with_slave(dut)
    beats = min(24, MOST)
    configs = [
        await bench.configure(
            d,
            beats=beats,
            base=0x1000 - 5 * WIDTH,
            limit=30,
            pattern=STRIDED,
            stride=4096 - WIDTH,
            region=0x10000,
        )
        for d in (READ, WRITE)
    ]
    await bench.start(read=True, write=True)
    assert not await bench.done() & regs.STATUS.READ_ERROR_MASK
    for d in (READ, WRITE):
        bench.expect_bursts(d, configs[d])
        assert min(n for _, n in bench.issued[d]) < beats
    await bench.compare()


@cocotb.test()
async def whole_over_4k(dut):
    """With CROSS_4K they are not; data and reported addresses go on behind the border."""
    bench, slave = await with_slave(dut)
    base = 0x1000 - 5 * WIDTH
    for d in (READ, WRITE):
        await bench.configure(
            d, beats=MOST, base=base, limit=30, pattern=STRIDED, stride=4096 - WIDTH, region=0x10000
        )
    slave.faults["read"] = {0: "slverr"}
    await bench.start(read=True, write=True)
    await bench.done()
    for d in (READ, WRITE):
        assert {n for _, n in bench.issued[d]} == {MOST}
    assert await bench.errors(READ) == (1, {"SLVERR"}, base + WIDTH)
    await bench.compare()


@cocotb.test()
async def faults_of_answers(dut):
    """Each wrong answer is reported with cause and address; the next run is right."""
    bench, slave = await with_slave(dut)
    await bench.put(regs.TIMEOUT.OFFSET, 4)
    cases = [
        ("read", "slverr", {"SLVERR"}, 1),
        ("read", "decerr", {"DECERR"}, 1),
        ("read", "data", {"DATA"}, 1),
        ("read", "id", {"WRONG_ID"}, 0),
        ("read", "early", {"LAST_EARLY", "LAST_MISSING", "UNEXPECTED", "DATA"}, 2),
        ("read", "missing", {"LAST_MISSING"}, 3),
        ("read", "late", {"LAST_MISSING", "UNEXPECTED"}, 3),
        ("write", "slverr", {"SLVERR"}, 0),
        ("write", "decerr", {"DECERR"}, 0),
        ("write", "id", {"WRONG_ID"}, 0),
        ("write", "twice", {"UNEXPECTED"}, None),
    ]
    for side, kind, names, beat in cases:
        d = READ if side == "read" else WRITE
        limit = 12 if kind in ("early", "missing") else 6
        await bench.configure(d, beats=4, limit=limit, base=0x8000, outstanding=4)
        number = 5 if kind in ("twice", "late") else 2
        slave.faults[side] = {(slave.reads if d == READ else slave.writes) + number: kind}
        await bench.start(read=d == READ, write=d == WRITE)
        await bench.done()
        count, found, address = await bench.errors(d)
        assert count >= 1 and found and found <= names, (side, kind, found)
        assert names & found >= {sorted(names)[0]} or len(names) > 1
        if beat is not None:
            assert address == 0x8000 + number * 4 * WIDTH + beat * WIDTH, (side, kind, hex(address))
        if kind not in ("early", "late", "missing", "twice"):
            assert count == 1 and found == names and len(bench.issued[d]) == 6
            await bench.compare()
        elif number == 2:
            assert len(bench.issued[d]) < limit  # what is begun is ended, no more
        # Afterwards all is well.
        slave.faults[side] = {}
        bench.board.read.forget()
        bench.board.write.forget()
        assert not slave.beats and not slave.answers, kind
        await bench.start(read=d == READ, write=d == WRITE)
        await bench.done()
        assert (await bench.errors(d))[0] == 0, kind
        assert len(bench.issued[d]) == limit
        await bench.compare()


@cocotb.test()
async def faults_of_silence(dut):
    """A channel that hangs is reported; when it goes on, the run ends, and the next is right."""
    bench, slave = await with_slave(dut)
    await bench.put(regs.TIMEOUT.OFFSET, 3)
    cases = [
        ("ar", READ, "TIMEOUT_ADDRESS"),
        ("r", READ, "TIMEOUT_RESPONSE"),
        ("aw", WRITE, "TIMEOUT_ADDRESS"),
        ("w", WRITE, "TIMEOUT_DATA"),
        ("b", WRITE, "TIMEOUT_RESPONSE"),
    ]
    for channel, d, name in cases:
        await bench.configure(d, beats=4, limit=10, base=0x8000, outstanding=2)
        slave.hang = {channel}
        await bench.start(read=d == READ, write=d == WRITE)
        await ClockCycles(dut.clk, 2 * 64 - 40)
        assert (await bench.errors(d))[0] == 0, channel
        await ClockCycles(dut.clk, 150)
        assert await bench.errors(d) == (1, {name}, 0x8000), channel
        assert (await bench.get(regs.STATUS.OFFSET)) & 3
        slave.hang = set()
        await bench.done()
        assert len(bench.issued[d]) <= 3  # nothing new was begun
        assert (await bench.errors(d))[0] == 1
        await bench.compare()
        await bench.start(read=d == READ, write=d == WRITE)
        await bench.done()
        assert (await bench.errors(d))[0] == 0 and len(bench.issued[d]) == 10
        await bench.compare()
    # A limit that falls below what was waited already
    await bench.put(regs.TIMEOUT.OFFSET, 1000)
    await bench.configure(READ, beats=4, limit=10, base=0x8000, outstanding=2)
    slave.hang = {"r"}
    await bench.start(read=True)
    await ClockCycles(dut.clk, 6 * 64)
    assert (await bench.errors(READ))[0] == 0
    await bench.put(regs.TIMEOUT.OFFSET, 3)
    await ClockCycles(dut.clk, 4)
    assert (await bench.errors(READ))[:2] == (1, {"TIMEOUT_RESPONSE"})
    slave.hang = set()
    await bench.done()
    # In the middle of a read burst
    await bench.configure(READ, beats=8, limit=4, base=0x8000)
    await bench.start(read=True)
    while not (dut.m_axi_rvalid.value and dut.m_axi_rready.value):
        await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    slave.hang = {"r"}
    await ClockCycles(dut.clk, 400)
    assert (await bench.errors(READ))[:2] == (1, {"TIMEOUT_DATA"})
    slave.hang = set()
    await bench.done()
    # A slave that never answers: reset of both.
    slave.hang = {"r", "b"}
    for d in (READ, WRITE):
        await bench.configure(d, beats=4, limit=10)
    await bench.start(read=True, write=True)
    await ClockCycles(dut.clk, 300)
    await bench.put(regs.CONTROL.OFFSET, regs.CONTROL.RESET_MASK)
    slave.beats.clear()
    slave.answers.clear()
    await bench.done()
    slave.hang = set()
    bench.board.read.forget()
    bench.board.write.forget()
    await bench.start(read=True, write=True)
    assert not await bench.done() & (regs.STATUS.READ_ERROR_MASK | regs.STATUS.WRITE_ERROR_MASK)
    await bench.compare()


@cocotb.test()
async def beyond_4g(dut):
    """A region across a multiple of 4 GiB; the address of an error there is right."""
    bench, slave = await with_slave(dut)
    base = (3 << 32) - 0x2000
    configs = [
        await bench.configure(d, base=base, region=0x8000, beats=16, limit=0x8000 // 16 // WIDTH)
        for d in (READ, WRITE)
    ]
    slave.faults["read"] = {0x3000 // 16 // WIDTH: "slverr"}
    await bench.start(read=True, write=True)
    await bench.done()
    for d in (READ, WRITE):
        bench.expect_bursts(d, configs[d])
        assert max(a for a, _ in bench.issued[d]) >= 3 << 32
    assert await bench.errors(READ) == (1, {"SLVERR"}, (3 << 32) + 0x1000 + WIDTH)
    await bench.compare()


@cocotb.test()
async def capabilities(dut):
    bench, slave = await with_slave(dut)
    assert await bench.get(0) == 2 << 16 | 3
    caps = await bench.get(regs.CAPS.OFFSET)
    assert caps & 0xFF == WIDTH and caps >> 23 & 1 == AXI3
    assert caps >> 16 & 0x7F == int(os.environ.get("ADDR_W", "32"))
    await bench.configure(READ, cache=9, prot=5, qos=12, user=1)
    await bench.configure(WRITE, cache=6, prot=2, qos=3, user=0)
    await bench.until(regs.STATUS.READY_MASK, True)
    assert (
        int(dut.m_axi_arcache.value),
        int(dut.m_axi_arprot.value),
        int(dut.m_axi_arqos.value),
        int(dut.m_axi_aruser.value),
    ) == (9, 5, 12, 1)
    assert (
        int(dut.m_axi_awcache.value),
        int(dut.m_axi_awprot.value),
        int(dut.m_axi_awqos.value),
        int(dut.m_axi_awuser.value),
    ) == (6, 2, 3, 0)
