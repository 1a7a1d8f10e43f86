"""Mainline's drivers, written by others, on the models of the vendors' engines.

Linux's dmatest copies with AXI CDMA and mSGDMA and compares the data; a client of ours sends
packets through AXI DMA, which dmatest does not support, and compares the received packets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from axiometer.base.errors import AxiometerError
from machines import fabric, kernels, machine
from machines.guest import Guest

OWN = "axm"
CLIENT = "drivers/linux/dmaengine/dmaengine_loop.c"  # of engines with two channels, ours
TIMEOUT_MS = 20_000  # of dmatest, long enough for a busy host
# Parameters of a core that Linux needs, with the defaults of lab/engines/options.hpp.
USUAL = {"data": 64, "length": 26, "address": 32, "realign": 1}


@dataclass(frozen=True)
class Engine:
    """compatible, clocks: of its binding in Linux. channels: of its node, with their offsets.
    driver: the module. allowed: rules that the driver breaks without harm. registers: name, offset
    and bytes of each part; empty: the whole window. at_once: packets under way. core: parameters
    that differ from USUAL."""

    compatible: str
    driver: str
    clocks: tuple[str, ...] = ()
    channels: tuple[tuple[str, int], ...] = ()
    allowed: frozenset[str] = frozenset()
    registers: tuple[tuple[str, int, int], ...] = ()
    at_once: int = 8
    core: Mapping[str, int] = field(default_factory=dict)

    def nodes(self) -> str:
        """Source of nodes of the device tree: clock, engine, and a client of two channels."""
        core, place = {**USUAL, **self.core}, machine.PLACE
        if self.registers:
            cells = [f"<0 {machine.WINDOW + at:#x} 0 {size:#x}>" for _, at, size in self.registers]
            names = ", ".join(f'"{name}"' for name, _, _ in self.registers)
            place = f"reg = {', '.join(cells)}; reg-names = {names}; {machine.LINE} COHERENT"
        if self.clocks:
            names = ", ".join(f'"{name}"' for name in self.clocks)
            place += (
                f" clocks = <{' '.join(['0xac10'] * len(self.clocks))}>; clock-names = {names};"
            )
            place += f" xlnx,addrwidth = <{core['address']}>;"
            place += f" xlnx,sg-length-width = <{core['length']}>;"
        realign = "xlnx,include-dre;" if core["realign"] else ""
        for name, offset in self.channels:
            place += f"""
    dma-channel@{machine.WINDOW + offset:x} {{
      compatible = "{name}"; {machine.LINE} xlnx,datawidth = <{core["data"]}>; {realign}
    }};"""
        client = 'compatible = "axiometer,dmaengine-loop"; dma-names = "tx", "rx";'
        client = f"dma-client {{ {client} dmas = <0xac11 0 0xac11 1>; }};"
        return f"""
  engine-clock {{
    compatible = "fixed-clock"; #clock-cells = <0>; clock-frequency = <100000000>;
    phandle = <0xac10>;
  }};
  dma-controller@{machine.WINDOW:x} {{
    compatible = "{self.compatible}"; phandle = <0xac11>; #dma-cells = <1>;
    {place}
  }};
  {client if len(self.channels) == 2 else ""}"""


_SG_CLOCKS = ("s_axi_lite_aclk", "m_axi_mm2s_aclk", "m_axi_s2mm_aclk", "m_axi_sg_aclk")
_CHANNELS = (("xlnx,axi-dma-mm2s-channel", 0x00), ("xlnx,axi-dma-s2mm-channel", 0x30))
_AXI_DMA = Engine("xlnx,axi-dma-1.00.a", "xilinx_dma", _SG_CLOCKS, _CHANNELS)
_AXI_CDMA = Engine(
    "xlnx,axi-cdma-1.00.a",
    "xilinx_dma",
    ("s_axi_lite_aclk", "m_axi_aclk"),
    (("xlnx,axi-cdma-channel", 0x00),),
)
ENGINES = {
    # Without scatter-gather, xilinx_dma starts the first pending transfer and reports all as done.
    "axi-dma": replace(_AXI_DMA, at_once=1),
    # The driver writes CURDESC before each chain, even while the channel runs and CURDESC is
    # read-only; the engine continues at the next descriptor, which has the written address.
    "axi-dma-sg": replace(_AXI_DMA, allowed=frozenset({"current-running"})),
    "axi-cdma": _AXI_CDMA,
    "axi-cdma-sg": _AXI_CDMA,  # the same core; our programs use its scatter-gather
    "msgdma": Engine(
        "altr,socfpga-msgdma",
        "altera-msgdma",
        allowed=frozenset({"descriptor-reserved"}),  # bit 13, the driver's END_ON_LEN
        registers=(("csr", 0x100, 0x20), ("desc", 0x120, 0x20), ("resp", 0x140, 0x10)),
    ),
}


def find(name: str) -> Engine:
    """The engine of `name`: KIND[,PARAMETER=VALUE...] (lab/engines/options.hpp)."""
    kind, *parameters = name.split(",")
    if kind not in ENGINES:
        raise AxiometerError(
            f"there is no model of an engine {kind!r}", remedy=f"{OWN}, {', '.join(ENGINES)}"
        )
    core = dict(re.findall(r"^(\w+)=(\d+)$", "\n".join(parameters), re.MULTILINE))
    return replace(ENGINES[kind], core={key: int(value) for key, value in core.items()})


def run(
    name: str, count: int, kernel_name: str, bus: str, limit_s: float, say: Callable[[str], None]
) -> int:
    """The status of a guest in which mainline's driver of an engine makes `count` copies, or sends
    `count` packets, twice."""
    engine, kernel = find(name), kernels.find(kernel_name, say)
    words = ("intx", "20", f"--engine={name}")
    server = machine.Server(fabric.engine_server(say), words, engine.allowed)
    settings = machine.Settings(kernel, bus, limit_s, nodes=engine.nodes())
    files = kernel.mainline(kernels.DMA, [CLIENT], say)
    script = _script(engine, count)
    return machine.run(settings, server, Guest((), files, machine.ENABLE, script))


def _script(engine: Engine, count: int) -> str:
    if len(engine.channels) == 2:
        run = f"""
insmod /dmaengine_loop.ko packets={count} at_once={engine.at_once} || fail "the client"
dmesg | grep "dmaengine-loop: {count} packets.* 0 wrong" || fail "packets"
rmmod dmaengine_loop || fail rmmod
"""
    else:
        run = f"""
insmod /dmatest.ko timeout={TIMEOUT_MS} iterations={count} max_channels=1 test_buf_size=65536 \\
  noverify=0 run=1 || fail dmatest
until dmesg | grep "dmatest: .*summary"; do sleep 0.2; done
dmesg | grep "dmatest: .*summary" | grep -v "summary {count} tests, 0 failures" && fail copies
rmmod dmatest || fail rmmod
dmesg -c > /tmp/log
cat /tmp/log >> /tmp/all
"""
    again = f"rmmod {engine.driver} && insmod /{engine.driver}.ko || fail 'loaded again'\n"
    return f"""
fail() {{ echo "failed: $*"; dmesg | tail -30; exit 1; }}
insmod /{engine.driver}.ko || fail "no driver"
ls /sys/class/dma | grep . || fail "no channel"
{run}{again}{run}rmmod {engine.driver} || fail rmmod
dmesg >> /tmp/all
grep -E "BUG|WARNING|Oops|(xilinx|msgdma|dma).*([Ee]rror|[Cc]annot|timeout)" /tmp/all && fail dmesg
exit 0
"""
