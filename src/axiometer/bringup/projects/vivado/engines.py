"""Vendors' engines in the block design: for each port an engine, a SmartConnect that joins its
masters, and a FIFO from its sending to its receiving side. Nothing for a top without engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from axiometer.bringup.projects.engines import FIFO_BEATS, STEP
from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.vivado import interfaces
from axiometer.bringup.projects.vivado.component import RAM_BLOCK

_SMARTCONNECT = "xilinx.com:ip:smartconnect"
_FIFO = "xilinx.com:ip:axis_data_fifo"


def cells_of(plan: Plan) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Name, core and settings of each cell."""
    engine = plan.engine
    if engine is None:
        return
    for link in plan.links:
        yield f"engine{link.number}", engine.core, engine.settings
        inputs = str(len(engine.masters))
        yield f"join{link.number}", _SMARTCONNECT, {
            "NUM_SI": inputs, "NUM_MI": "1", "NUM_CLKS": "1"}  # fmt: skip
        if engine.stream:
            yield f"fifo{link.number}", _FIFO, {"FIFO_DEPTH": str(FIFO_BEATS)}


def clocked(plan: Plan) -> list[str]:
    """Pins on the fabric's clock."""
    return _pins(plan, plan.engine.clocks, "aclk") if plan.engine else []


def released(plan: Plan) -> list[str]:
    """Pins on the fabric's reset."""
    return _pins(plan, plan.engine.resets, "aresetn") if plan.engine else []


def _pins(plan: Plan, own: tuple[str, ...], others: str) -> list[str]:
    cells = {"engine": own, "join": (others,), "fifo": (f"s_axis_{others}",)}
    names = [name for name, _, _ in cells_of(plan)]
    return [f"{name}/{pin}" for name in names for pin in cells[name.rstrip("0123")]]


def interrupts(plan: Plan) -> Iterator[tuple[str, str]]:
    """Each interrupt line of an engine with the instrument's pin for it."""
    if plan.engine is None:
        return
    lines = iter(interfaces.engine_lines(plan))
    for link in plan.links:
        for pin in plan.engine.interrupts:
            yield f"engine{link.number}/{pin}", f"axm/{next(lines)}"


def buses(plan: Plan) -> Iterator[tuple[str, str]]:
    """Masters with their slaves, without the paths from the instrument to the ports."""
    engine = plan.engine
    if engine is None:
        return
    for link in plan.links:
        n = link.number
        yield f"control/M{n + 1:02}_AXI", f"engine{n}/{engine.registers}"
        for place, master in enumerate(engine.masters):
            yield f"engine{n}/{master}", f"join{n}/S{place:02}_AXI"
        yield f"join{n}/M00_AXI", f"axm/{interfaces.engine_name(n)}"
        if engine.stream:
            yield f"engine{n}/{engine.stream[0]}", f"fifo{n}/S_AXIS"
            yield f"fifo{n}/M_AXIS", f"engine{n}/{engine.stream[1]}"


def addresses(plan: Plan) -> Iterator[tuple[str, str, int, int]]:
    """Space, segment, address and bytes: the registers for the processor, and for each master of an
    engine all memory that its port reaches through the instrument."""
    engine = plan.engine
    if engine is None:
        return
    for link in plan.links:
        n = link.number
        yield "ps/Data", f"engine{n}/{engine.segment}", engine.base + n * STEP, STEP
        behind = f"axm/{interfaces.engine_name(n)}/{RAM_BLOCK}"
        for space in engine.masters.values():
            yield f"engine{n}/{space}", behind, 0, link.reach
