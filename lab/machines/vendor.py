"""Mainline's drivers, written by others, on the models of the vendors' engines (`trials.toml`).

Linux's dmatest copies with AXI CDMA and mSGDMA and compares the data; a client of ours sends
packets through AXI DMA, which dmatest does not support, and compares the received packets.
"""

from __future__ import annotations

import re
from typing import Any

from axiometer.base.errors import AxiometerError
from machines import kernels, machine, trials
from machines.guest import Guest

OWN = machine.AXM
CLIENT = "drivers/linux/dmaengine/dmaengine_loop.c"  # of engines with two channels, ours
TIMEOUT_MS = 20_000  # of dmatest, long enough for a busy host
# Parameters of a core that Linux needs, with the defaults of lab/engines/options.hpp.
USUAL = {"data": 64, "length": 26, "address": 32, "realign": 1}


def find(name: str) -> dict[str, Any]:
    """The engine of `name`: KIND[,PARAMETER=VALUE...] (lab/engines/options.hpp), with `core`."""
    kind, _, parameters = name.partition(",")
    engines = trials.listed()["engines"]
    if kind not in engines:
        raise AxiometerError(
            f"there is no model of an engine {kind!r}", remedy=f"{OWN}, {', '.join(engines)}"
        )
    core = {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", parameters)}
    return {"clocks": [], "channels": {}, "allowed": [], **engines[kind], "core": USUAL | core}


def nodes(engine: dict[str, Any]) -> str:
    """Source of nodes of the device tree: clock, engine, and a client of two channels."""
    core, place, window = engine["core"], machine.PLACE, machine.WINDOW
    if registers := engine.get("registers"):
        cells = ", ".join(f"<0 {window + at:#x} 0 {size:#x}>" for _, at, size in registers)
        names = ", ".join(f'"{name}"' for name, *_ in registers)
        place = f"reg = {cells}; reg-names = {names}; {machine.LINE} COHERENT"
    if clocks := engine["clocks"]:
        names = ", ".join(f'"{name}"' for name in clocks)
        place += f"""
    clocks = <{" ".join(["0xac10"] * len(clocks))}>; clock-names = {names};
    xlnx,addrwidth = <{core["address"]}>; xlnx,sg-length-width = <{core["length"]}>;"""
    for name, offset in engine["channels"].items():
        place += f"""
    dma-channel@{window + offset:x} {{
      compatible = "{name}"; {machine.LINE} xlnx,datawidth = <{core["data"]}>;
      {"xlnx,include-dre;" if core["realign"] else ""}
    }};"""
    client = """dma-client {
    compatible = "axiometer,dmaengine-loop"; dma-names = "tx", "rx"; dmas = <0xac11 0 0xac11 1>;
  };"""
    return f"""
  engine-clock {{
    compatible = "fixed-clock"; #clock-cells = <0>; clock-frequency = <100000000>;
    phandle = <0xac10>;
  }};
  dma-controller@{window:x} {{
    compatible = "{engine["compatible"]}"; phandle = <0xac11>; #dma-cells = <1>;
    {place}
  }};
  {client if len(engine["channels"]) == 2 else ""}"""


def run(name: str, count: int, kernel_name: str, bus: str, limit_s: float) -> int:
    """The status of a guest in which mainline's driver of an engine makes `count` copies, or sends
    `count` packets, twice."""
    engine, kernel = find(name), kernels.find(kernel_name)
    server = machine.Server(name, "intx", allowed=engine["allowed"])
    settings = machine.Settings(kernel, bus, limit_s, nodes=nodes(engine))
    files = kernel.mainline(kernels.DMA, [CLIENT])
    guest = Guest((), files, machine.ENABLE, _script(engine, count))
    return machine.run(settings, server, guest)


def _script(engine: dict[str, Any], count: int) -> str:
    if len(engine["channels"]) == 2:
        run = f"""
insmod /dmaengine_loop.ko packets={count} at_once={engine.get("at_once", 8)} || fail "the client"
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
    driver = engine["driver"]
    again = f"rmmod {driver} && insmod /{driver}.ko || fail 'loaded again'\n"
    return f"""
fail() {{ echo "failed: $*"; dmesg | tail -30; exit 1; }}
insmod /{driver}.ko || fail "no driver"
ls /sys/class/dma | grep . || fail "no channel"
{run}{again}{run}rmmod {driver} || fail rmmod
dmesg >> /tmp/all
grep -E "BUG|WARNING|Oops|(xilinx|msgdma|dma).*([Ee]rror|[Cc]annot|timeout)" /tmp/all && fail dmesg
exit 0
"""
