"""The AXI signals of a top's wrapper: the signals of each interface and their widths.

A top has one signal for all of its ports and both protocols; a wrapper has a signal for each port,
with the width of its protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from axiometer.bringup.projects.plan import Plan

REGISTERS, RAM = "S_AXIL", "S_AXI"
_LITE = ("awaddr", "awprot", "awvalid", "awready", "wdata", "wstrb", "wvalid", "wready", "bresp",
         "bvalid", "bready", "araddr", "arprot", "arvalid", "arready", "rdata", "rresp", "rvalid",
         "rready")  # fmt: skip
# AMBA AXI, AXI3 and AXI4: in AXI3, lengths have 4 bits, locks have 2, and write data has an ID.
_NARROW = {
    "AXI3": {"awlen": 4, "arlen": 4},
    "AXI4": {"awlock": 1, "arlock": 1},
}
_ABSENT = {"AXI3": ("awuser", "aruser"), "AXI4": ("awuser", "aruser", "wid")}


@dataclass(frozen=True)
class Signal:
    """`name`: AXI's, in lower case; `pin`: of the wrapper; `width`: of the pin, in bits; `whole`:
    bits of the top's signal for one port."""

    name: str
    pin: str
    output: bool
    width: int
    whole: int


@dataclass(frozen=True)
class Interface:
    """A bus interface of the wrapper; `prefix`: of its pins' names; `inside`: of the top's ports'
    names; `port`: its number among the top's ports, None for other interfaces."""

    name: str
    prefix: str
    inside: str
    master: bool
    protocol: str
    signals: tuple[Signal, ...]
    port: int | None = None

    def width(self, name: str) -> int:
        """Bits of a signal; 0 if the interface has none of that name."""
        return next((s.width for s in self.signals if s.name == name), 0)


def master_name(port: int) -> str:
    """The wrapper's interface for the top's port."""
    return f"M{port}_AXI"


def engine_name(port: int) -> str:
    """The wrapper's interface for the vendor's engine of a port."""
    return f"S{port}_AXI"


def engine_lines(plan: Plan) -> list[str]:
    """The wrapper's pins for interrupts of vendors' engines, those of port 0 first."""
    lines = len(plan.engine.interrupts) if plan.engine else 0
    return [f"engine_irq_{number}" for number in range(len(plan.links) * lines)]


def all_of(plan: Plan) -> Iterator[Interface]:
    """Every AXI interface of the wrapper."""
    yield _interface(plan, REGISTERS, "s_axil_", "s_axil_", False, "AXI4LITE", 1)
    if plan.ram:
        yield _interface(plan, RAM, "s_axi_", "s_axi_", False, plan.protocol, 1)
    ports = len(plan.links)
    for number in range(ports if plan.engine else 0):
        yield _interface(plan, engine_name(number), "s_axi_", f"s{number}_axi_", False,
                         plan.protocol, ports, number)  # fmt: skip
    for number in range(ports):
        yield _interface(plan, master_name(number), "m_axi_", f"m{number}_axi_", True,
                         plan.protocol, ports, number)  # fmt: skip


def _interface(
    plan: Plan, name: str, inside: str, prefix: str, master: bool, protocol: str, ports: int,
    number: int | None = None,
) -> Interface:  # fmt: skip
    signals = []
    absent = (*_ABSENT.get(protocol, ()), *plan.system.get("absent", {}).get(protocol, ()))
    for port in plan.module.ports:
        signal = port.name.removeprefix(inside)
        if signal == port.name or signal in absent:
            continue
        if protocol == "AXI4LITE" and signal not in _LITE:
            continue
        whole = port.width // ports
        width = _NARROW.get(protocol, {}).get(signal, whole)
        signals.append(Signal(signal, prefix + signal, port.output, width, whole))
    return Interface(name, prefix, inside, master, protocol, tuple(signals), number)
