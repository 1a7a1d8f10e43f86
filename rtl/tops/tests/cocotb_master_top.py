"""axm_master_top with one port, as software sees it: discovery, a frame written and read back."""

import os

import cocotb
from regs.generated import counter, masters, sniffer
from regs.generated import id as ident
from top_bench import MasterBench

FULL, IMPROVED = int(os.environ["FULL"]), int(os.environ["IMPROVED"])
WAY = int(os.environ["WAY"])
MASTER, SNIFFER = 2, 3  # windows
BASE, BEATS, BURST = 0x9000, 200, 16
SEED = 0x1357_9BDF


class Bench(MasterBench):
    async def frame(self, write: bool) -> None:
        """One run of BEATS, with the sniffer on."""
        await self.put(SNIFFER, sniffer.CTRL, 0)
        await self.watch(SNIFFER)
        await self.put(MASTER, masters.ADDR_LO, BASE)
        await self.put(MASTER, masters.WORDS, BEATS)
        await self.put(MASTER, masters.BURST, BURST - 1)
        await self.put(MASTER, masters.SEED, SEED)
        await self.put(
            MASTER,
            masters.CONTROL,
            masters.CONTROL.START_MASK
            | write << masters.CONTROL.WRITE_SHIFT
            | (not write) << masters.CONTROL.CHECK_SHIFT
            | 3 << masters.CONTROL.CACHE_SHIFT,
        )
        for _ in range(2000):
            if not await self.get(MASTER, masters.STATUS) & masters.STATUS.BUSY_MASK:
                break
        else:
            raise AssertionError("the run does not end")
        await self.put(SNIFFER, sniffer.CTRL, 0)

    async def counted(self, slot: int) -> tuple[int, int]:
        """Bursts and beats that the sniffer has seen on a slot."""
        await self.put(SNIFFER, sniffer.SELECT, slot)
        sums = {}
        for name in ("LENGTHS", "BEATS", "GAPS"):
            memory = getattr(sniffer, name)
            sums[name] = sum([await self.get(SNIFFER, memory, k) for k in range(32)])
        seen = bool(await self.get(SNIFFER, sniffer.SLOT) & sniffer.SLOT.SEEN_MASK)
        return sums["LENGTHS"], sums["BEATS"] + sums["GAPS"] + seen


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def discovery(dut):
    """Every window has the block that the table tells, and the master says what it is."""
    bench = Bench(dut)
    await bench.begin()
    design = 3 | 1 << 8 | bench.bytes << 16 | (2 * FULL + IMPROVED) << 24
    await bench.discover(design, ident, counter, masters, sniffer)
    caps = await bench.get(MASTER, masters.CAPS)
    assert caps & 3 == 2 * FULL + IMPROVED


@cocotb.test(timeout_time=9, timeout_unit="ms")
async def frames(dut):
    """A frame is written, and read back without a mistake; the sniffer sees both."""
    bench = Bench(dut)
    await bench.begin()
    # BASE is such that no burst is cut at 4 KiB.
    bursts = -(-BEATS // BURST) if FULL else BEATS
    for slot, write in ((1, True), (0, False)):
        await bench.frame(write)
        status = await bench.get(MASTER, masters.STATUS)
        assert status & masters.STATUS.CAUSE_MASK == 0
        assert await bench.get(MASTER, masters.MOVED) == BEATS
        assert await bench.get(MASTER, masters.MISMATCHES) == 0
        assert await bench.counted(slot) == (bursts, BEATS)
        assert await bench.counted(1 - slot) == (0, 0)
    for address in range(BASE, BASE + BEATS * bench.bytes, 4):
        word = bytes(bench.slave.memory[address + k] for k in range(4))
        assert int.from_bytes(word, "little") == address ^ SEED
    for channel in ("aw", "ar"):
        for _, sent in bench.slave.log[channel]:
            assert (sent.id, sent.burst, 1 << sent.size, sent.cache) == (0, 1, bench.bytes, 3)
            assert FULL or sent.len == 0
    clocks = [clock for clock, _ in bench.slave.log["w"]]
    steps = [b - a for a, b in zip(clocks, clocks[1:], strict=False)]
    if FULL:
        assert steps.count(1) == BEATS - bursts
    elif IMPROVED:
        assert set(steps) == {3}
    else:
        # The master's own 4 (axm_master_engine), the slave's 5 to its response, the way.
        assert min(steps) == 4 + 5 + WAY, min(steps)
