"""What the tests of the stream blocks share: start-up, pauses, and the function of the data."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster

SEED = 0xC35AA500


def word(number: int, seed: int = SEED) -> int:
    """32-bit word `number` of the stream."""
    value = seed
    for shift in (0, 8, 16, 24):
        value ^= number << shift
    return value & 0xFFFF_FFFF


def beat(number: int, width: int, seed: int = SEED) -> int:
    """Beat `number` of a stream of `width` bytes."""
    words = width // 4
    return sum(word(number * words + lane, seed) << (32 * lane) for lane in range(words))


def pauses(draw, share):
    while True:
        yield draw.random() < share


async def start(dut, inputs=()):
    """Clock, reset, and a master for the registers; `inputs` are driven to 0."""
    Clock(dut.clk, 10, unit="ns").start()
    for name in inputs:
        getattr(dut, name).value = 0
    dut.rst.value = 1
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await FallingEdge(dut.clk)
    return master


async def read64(master, low, high):
    return await master.read_dword(high.OFFSET) << 32 | await master.read_dword(low.OFFSET)


class Watch:
    """Beats that moved on a stream, each as (clock, data, keep, last); payload must hold still."""

    def __init__(self, dut, prefix):
        self.signals = {
            name: getattr(dut, f"{prefix}_t{name}")
            for name in ("data", "keep", "last", "valid", "ready")
        }
        self.dut, self.clock, self.beats = dut, 0, []
        cocotb.start_soon(self._run())

    async def _run(self):
        offered = None
        while True:
            await FallingEdge(self.dut.clk)
            now = {name: signal.value for name, signal in self.signals.items()}
            if int(now["valid"]):
                payload = tuple(int(now[name]) for name in ("data", "keep", "last"))
                assert offered in (None, payload), "payload changed while it waited"
                if int(now["ready"]):
                    self.beats.append((self.clock, *payload))
                    offered = None
                else:
                    offered = payload
            else:
                assert offered is None, "valid was withdrawn"
            self.clock += 1
