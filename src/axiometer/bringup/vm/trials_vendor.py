"""Mainline's drivers, written by others, on the models of the vendors' engines.

Linux's dmatest copies with AXI CDMA and mSGDMA and compares the data; a client of ours sends
packets through AXI DMA, which dmatest does not support, and compares the received packets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import machine, mainline, packages
from axiometer.bringup.vm.devicetree import Node, cells, text
from axiometer.bringup.vm.guest import Guest
from axiometer.bringup.vm.kernels import Kernel

OWN = "axm"
CLOCK, ENGINE = 0xAC10, 0xAC11  # phandles of no other node
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

    def parameter(self, name: str) -> int:
        return self.core.get(name, USUAL[name])


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
    found = ENGINES.get(kind)
    if found is None:
        raise AxiometerError(
            f"there is no model of an engine {kind!r}", remedy=f"{OWN}, {', '.join(ENGINES)}"
        )
    core = dict(re.findall(r"^(\w+)=(\d+)$", "\n".join(parameters), re.MULTILINE))
    return replace(found, core={key: int(value) for key, value in core.items()})


def nodes(engine: Engine) -> Callable[[bool], Sequence[Node]]:
    """Nodes for the device tree: clock, engine, and a client of an engine with two channels."""
    return lambda coherent: _nodes(engine, coherent)


def _nodes(engine: Engine, coherent: bool) -> Sequence[Node]:
    clock = {
        "compatible": text("fixed-clock"),
        "#clock-cells": cells(0),
        "clock-frequency": cells(100_000_000),
        "phandle": cells(CLOCK),
    }
    properties = machine.place(coherent) | {
        "compatible": text(engine.compatible),
        "phandle": cells(ENGINE),
        "#dma-cells": cells(1),
    }
    if engine.clocks:
        properties |= {
            "clocks": cells(*[CLOCK] * len(engine.clocks)),
            "clock-names": text(*engine.clocks),
            "xlnx,addrwidth": cells(engine.parameter("address")),
            "xlnx,sg-length-width": cells(engine.parameter("length")),
        }
    if engine.registers:
        places = [cells(0, machine.WINDOW + at, 0, size) for _, at, size in engine.registers]
        properties["reg"] = b"".join(places)
        properties["reg-names"] = text(*(name for name, _, _ in engine.registers))
    channels = [
        Node(
            f"dma-channel@{machine.WINDOW + offset:x}",
            {
                "compatible": text(compatible),
                "interrupts": cells(*machine.LINE),
                "xlnx,datawidth": cells(engine.parameter("data")),
            }
            | ({"xlnx,include-dre": b""} if engine.parameter("realign") else {}),
        )
        for compatible, offset in engine.channels
    ]
    found = [
        Node("engine-clock", clock),
        Node(f"dma-controller@{machine.WINDOW:x}", properties, channels),
    ]
    if len(channels) == 2:
        client = {
            "compatible": text("axiometer,dmaengine-loop"),
            "dmas": cells(ENGINE, 0, ENGINE, 1),
            "dma-names": text("tx", "rx"),
        }
        found.append(Node("dma-client", client))
    return found


def guest(kernel: Kernel, engine: Engine, count: int, say: Callable[[str], None]) -> Guest:
    """A guest that loads mainline's driver and makes `count` copies or sends `count` packets."""
    built = mainline.modules(kernel, mainline.DMA, [mainline.CLIENT], say)
    listed = packages.listed()["kernels"][kernel.name]
    return Guest(
        listed["architecture"],
        files={f"{name}.ko": path for name, path in built.items()},
        before=machine.ENABLE,
        script=_script(engine, count, built),
    )


def _script(engine: Engine, count: int, built: dict[str, Path]) -> str:
    assert engine.driver in built
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
