"""axm_vendor_top: all passes between engines and ports; software learns what the engines are."""

import os
import random

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge
from regs.generated import counter, sniffer, vendor
from regs.generated import id as ident
from top_bench import TopBench

PORTS, COHERENT = int(os.environ["PORTS"]), int(os.environ["COHERENT"])
BACK = (
    "awready",
    "wready",
    "bid",
    "bresp",
    "bvalid",
    "arready",
    "rid",
    "rdata",
    "rresp",
    "rlast",
    "rvalid",
)
OUT = ("id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos", "user", "valid")
FORTH = (*(f"{way}{name}" for way in ("aw", "ar") for name in OUT),
         "wid", "wdata", "wstrb", "wlast", "wvalid", "bready", "rready")  # fmt: skip
MADE = ("awcache", "arcache", "awuser", "aruser")  # of a coherent port


class Bench(TopBench):
    async def begin(self):
        for name in FORTH:
            self.pin("s", name).value = 0
        for name in BACK:
            self.pin("m", name).value = 0
        self.dut.engine_irq.value = 0
        await super().begin()

    def pin(self, side, name):
        return getattr(self.dut, f"{side}_axi_{name}")


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def all_passes_in_the_same_clock(dut):
    bench = Bench(dut)
    await bench.begin()
    chance = random.Random(7)
    for _ in range(200):
        await RisingEdge(dut.aclk)
        for side, names in (("s", FORTH), ("m", BACK)):
            for name in names:
                pin = bench.pin(side, name)
                pin.value = chance.getrandbits(len(pin))
        await ReadOnly()
        for there, here, names in (("m", "s", FORTH), ("s", "m", BACK)):
            for name in names:
                pin = bench.pin(there, name)
                every = (1 << len(pin)) - 1
                made = COHERENT and name in MADE
                assert int(pin.value) == (every if made else int(bench.pin(here, name).value)), name


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def software_learns_what_the_engines_are(dut):
    bench = Bench(dut)
    await bench.begin()
    design = 4 << 24 | 16 << 16 | PORTS << 8 | ident.Top.VENDOR
    await bench.discover(design, ident, counter, *[vendor] * PORTS, sniffer)
    for port in range(PORTS):
        assert (
            await bench.get(0, ident.TABLE, 2 + port) == port << 24 | port << 16 | vendor.BLOCK_TYPE
        )
        caps = await bench.get(2 + port, vendor.CAPS)
        assert (
            caps
            == 2 << 28 | 4 << 24 | 40 << 16 | 23 << 8 | COHERENT << 5 | vendor.Engine.AXI_CDMA_SG
        )
        assert await bench.get(2 + port, vendor.CAPS2) == 0xA001_0000 + 0x2_0000 * port


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def lines_are_shown_and_joined(dut):
    bench = Bench(dut)
    await bench.begin()
    for lines in range(1 << 2 * PORTS):
        dut.engine_irq.value = lines
        await RisingEdge(dut.aclk)
        await RisingEdge(dut.aclk)
        await ReadOnly()
        assert int(dut.irq.value) == (lines != 0)
        await RisingEdge(dut.aclk)
        for port in range(PORTS):
            assert await bench.get(2 + port, vendor.STATUS) == lines >> 2 * port & 3


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def the_sniffer_sees_an_engine(dut):
    """A burst of one beat that the last port's engine reads is in the last slot but one."""
    bench = Bench(dut)
    await bench.begin()
    block = 2 + PORTS
    await bench.watch(block)
    for pair in (
        (("s", "arvalid"), ("m", "arready")),
        (("m", "rvalid"), ("s", "rready"), ("m", "rlast")),
    ):
        for value in (1 << PORTS - 1, 0):
            for pin in pair:
                bench.pin(*pin).value = value
            await RisingEdge(dut.aclk)
    await bench.put(block, sniffer.CTRL, 0)
    seen = []
    for slot in range(2 * PORTS):
        await bench.put(block, sniffer.SELECT, slot)
        seen.append(bool(await bench.get(block, sniffer.SLOT) & sniffer.SLOT.SEEN_MASK))
    assert seen == [slot == 2 * PORTS - 2 for slot in range(2 * PORTS)]
