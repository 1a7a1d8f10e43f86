"""A fake board for tests of the doctor: correct files, registers and agent's answers, in which a
test plants faults. It records every access."""

from __future__ import annotations

from axiometer.bringup.doctor.expected import Expected
from axiometer.bringup.doctor.target import BusError, NotThere
from axiometer.runs.agent.replies import Block, Buffer, Capabilities, Run
from axiometer.runs.cosim.registers import registers

BASE = 0x43C00000
MAPS = ("id", "counter", "dma", "stream_loopback")
EXPECTED = Expected(
    board="zybo",
    base=BASE,
    clock_hz=100_000_000,
    top="axm_dma_top",
    parameters={"PORTS": 1, "DATA_W": 64},
    widths={"HP0": 64},
    blocks=MAPS,
    buffer_mib=16,
    memory="cma",
    driver="uio",
)

CPU = "/sys/devices/system/cpu/cpu0/cpufreq"
LINUX = {
    "/proc/meminfo": "MemTotal: 1026000 kB\nCmaTotal: 131072 kB\nCmaFree: 120000 kB\n",
    "/sys/class/u-dma-buf/udmabuf0/size": "16777216\n",
    "/sys/class/uio/uio0/maps/map0/addr": "0x43c00000\n",
    f"{CPU}/scaling_governor": "performance\n",
    f"{CPU}/scaling_cur_freq": "666666\n",
    f"{CPU}/cpuinfo_max_freq": "666666\n",
    "/proc/loadavg": "0.01 0.05 0.01 1/90 700\n",
    "/proc/interrupts": "      CPU0  CPU1\n 45:    12     0  GIC-0  61 Level axiometer\n",
}
ZYNQ = {
    "/proc/device-tree/compatible": "digilent,zynq-zybo\0xlnx,zynq-7000\0",
    "/proc/device-tree/axi/slcr@f8000000/clkc@100/ps-clk-frequency": "\x02\xfa\xf0\x80",  # 50 MHz
    "/sys/class/fpga_manager/fpga0/state": "operating\n",
    **LINUX,
}
ZYNQ_REGISTERS = {
    0xF8000178: 0,  # FPGA0_THR_CNT
    0xF8000170: 0x00100A00,  # FPGA0_CLK_CTRL: IO PLL, by 10 and by 1
    0xF8000108: 0x00014008,  # IO_PLL_CTRL: x 20
    0xF8000240: 0,  # FPGA_RST_CTRL
    0xF8000900: 0xF,  # LVL_SHFTR_EN
    0xF800700C: 0x4,  # devcfg.INT_STS
    0xF8008000: 0,  # AFI0, reading and writing: 64 bits
    0xF8008014: 0,
}
ZYNQMP = {
    "/proc/device-tree/compatible": "xlnx,zynqmp-zcu102\0xlnx,zynqmp\0",
    "/proc/device-tree/pss_ref_clk/clock-frequency": "\x02\xfa\xf0\x80",
    "/sys/class/fpga_manager/fpga0/state": "operating\n",
    **LINUX,
}
ZYNQMP_REGISTERS = {
    0xFF5E00C0: 0x01010F00,  # PL0_REF_CTRL: on, IOPLL, by 15 and by 1
    0xFF5E0020: 0x00013C00,  # IOPLL_CTRL: x 60, halved
    0xFF5E0028: 0,
    0xFF0A0054: 0x80000000,
    0xFF0A0348: 0x80000000,
    0xFD1A0100: 0,
    0xFFD80100: 0x00FFFFFF,
    0xFFCA3010: 0x8,
    0xFD380000: 0x3B1,  # AFIFM2: 64 bits
    0xFD380014: 0x3B1,
    0xFD615000: 0x800,  # AFI_FS: HPM0 32 bits, HPM1 128
}
CYCLONE = {
    "/proc/device-tree/compatible": "terasic,de1-soc\0altr,socfpga-cyclone5\0altr,socfpga\0",
    "/sys/class/fpga_manager/fpga0/state": "operating\n",
    "/sys/class/fpga_bridge/br0/name": "lwhps2fpga\n",
    "/sys/class/fpga_bridge/br0/state": "enabled\n",
    **LINUX,
}
CYCLONE_REGISTERS = {0xFF706000: 0x54, 0xFFD0501C: 0x4, 0xFFC25080: 0x3FFF}


def design_registers() -> dict[tuple[int, int], int]:
    """(window, offset) -> word of a design with the blocks of MAPS at one port of 64 bits."""
    id_ = registers("id")
    types = [registers(name).BLOCK_TYPE for name in MAPS]
    words = {(window, 0): kind | 1 << 16 for window, kind in enumerate(types)}
    words |= {(0, 0x100 + 4 * window): kind for window, kind in enumerate(types)}
    words[0, id_.MAGIC.OFFSET] = 0x41584D31
    words[0, id_.VERSION.OFFSET] = 0x000100
    words[0, id_.CLOCK_HZ.OFFSET] = 100_000_000
    words[0, id_.BLOCKS.OFFSET] = len(types)
    words[0, id_.DESIGN.OFFSET] = 1 | 1 << 8 | 8 << 16
    return words


class Board:
    """files: text by path. words: processor's registers by address. touched: addresses that were
    read, in order; an address in `forbidden` must not be."""

    simulated = False
    recorded = False
    name = "a board that is not there"

    def __init__(self, files, words, agent=None, forbidden=()):
        self.files, self.words = dict(files), dict(words)
        self.the_agent, self.forbidden = agent, set(forbidden)
        self.touched = []

    def read(self, path):
        if path not in self.files:
            raise NotThere(f"{path}: No such file")
        return self.files[path]

    def list(self, path):
        start = f"{path}/"
        found = {p[len(start) :].split("/")[0] for p in self.files if p.startswith(start)}
        if not found:
            raise NotThere(f"{path}: No such directory")
        return sorted(found)

    def read32(self, address):
        assert address not in self.forbidden, f"{address:#x} was touched"
        self.touched.append(address)
        if address not in self.words:
            raise BusError(address)
        return self.words[address]

    def agent(self):
        if self.the_agent is None:
            raise NotThere("no agent is named", "name it: --agent COMMAND")
        self.the_agent.board = self
        return self.the_agent

    def close(self):
        pass


class Agent:
    """An agent as the doctor uses it: its buffers are lists of (pattern's seed) words. `spoil`
    is called after a transfer with the buffers that were read and written, and may change them."""

    def __init__(
        self, spoil=None, state="done", clock_mhz=100.0, irq=True, words=None, still=False
    ):
        self.words = design_registers() if words is None else words
        self.spoil, self.state, self.clock_mhz, self.irq = spoil, state, clock_mhz, irq
        self.buffers, self.job, self.time, self.still = {}, {}, 0, still
        self.board = None
        self.runs = 0

    def capabilities(self):
        blocks = [
            Block(w, registers(name).BLOCK_TYPE, 0 if w > 1 else None, 0, 1, 0, 0)
            for w, name in enumerate(MAPS)
        ]
        return Capabilities(100_000_000, 1, 1, 8, 0, (0, 1, 0), tuple(blocks))

    def reset(self, force=False):
        self.buffers = {}

    def allocate(self, size):
        self.buffers[len(self.buffers)] = [None] * (size // 4)
        return Buffer(len(self.buffers) - 1, 0x10000, size)

    def fill(self, buffer, pattern, seed):
        self.buffers[buffer.buffer] = [(seed, i) for i in range(buffer.size // 4)]

    def check(self, buffer, pattern, seed):
        return sum(word != (seed, i) for i, word in enumerate(self.buffers[buffer.buffer]))

    def new_job(self):
        self.job = {}

    def stream(self, block, half, buffer, **settings):
        self.job[half] = buffer.buffer

    def arm(self):
        pass

    def run(self, wall_s):
        self.runs += 1
        source, to = self.buffers[self.job["read"]], self.buffers[self.job["write"]]
        before = list(to)
        if self.state == "done":
            to[:] = source
        if self.spoil is not None:
            self.spoil(self, source, to, before)
        clocks = len(to) // 2 + 20
        self.time += 0 if self.still else clocks
        if self.irq and self.board is not None:
            line = f" 45: {12 + self.runs} 0 GIC-0 61 Level axiometer\n"
            self.board.files["/proc/interrupts"] = line
        ns = round(clocks * 1e3 / self.clock_mhz)
        return Run(self.state, ns, clocks, 0, (clocks, ns), ())

    def errors(self):
        return [{"half": "read", "cause": "timeout_address", "address": 0x10000}]

    def read_register(self, block, offset):
        counter = registers("counter")
        if (block, offset) == (1, counter.TIME_LO.OFFSET):
            return self.time
        if (block, offset) == (1, counter.TIME_HI.OFFSET):
            return 0
        return self.words[block, offset]


def zynq(agent=None, **spoilt):
    """A Zybo on which all is right, but for `files` and `words` that are given."""
    board = Board(ZYNQ, ZYNQ_REGISTERS, Agent() if agent is None else agent)
    board.files.update(spoilt.get("files", {}))
    board.words.update(spoilt.get("words", {}))
    return board
