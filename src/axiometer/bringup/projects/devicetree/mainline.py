"""Nodes of vendors' engines for the kernel's own driver (bindings/dma/xilinx/).

All interrupt lines of the engines share one interrupt of the processor, which this driver permits.
The design has no other device: the instrument's registers are unused.
"""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.bringup.projects import engines
from axiometer.bringup.projects.plan import Plan

# compatible of each core, and name and compatible of the channel of each interrupt.
_KERNEL = {
    "xilinx.com:ip:axi_dma": "xlnx,axi-dma-1.00.a",
    "xilinx.com:ip:axi_cdma": "xlnx,axi-cdma-1.00.a",
}
_CHANNELS = {
    "mm2s_introut": ("dma-channel-mm2s", "xlnx,axi-dma-mm2s-channel"),
    "s2mm_introut": ("dma-channel-s2mm", "xlnx,axi-dma-s2mm-channel"),
    "cdma_introut": ("dma-channel", "xlnx,axi-cdma-channel"),
}


def drives(plan: Plan) -> bool:
    """Whether the kernel has a driver for the engines of a design."""
    return plan.engine is not None and plan.engine.core in _KERNEL


def nodes(plan: Plan, common: list[str], clock: str, interrupt: str) -> Iterator[str]:
    """The lines of a node for each engine. common: lines of every device of the design; clock: the
    fabric's; interrupt: the design's."""
    assert plan.engine is not None  # `drives` is true
    values, cells = plan.module.parameters, plan.system["tree"]["cells"]
    wide = 32 if values["ADDR_W"] <= 32 else 64  # the binding has only these
    names = ", ".join(f'"{name}"' for name in plan.engine.clocks)
    for number in range(len(plan.links)):
        base = plan.engine.base + number * engines.STEP
        yield from [""] if number else []
        yield f"engine{number}: dma-controller@{base:x} {{"
        yield f'\tcompatible = "{_KERNEL[plan.engine.core]}";'
        yield f"\treg = <{in_cells(base, cells)} {in_cells(engines.STEP, cells)}>;"
        yield "\t#dma-cells = <1>;"
        yield from (f"\t{line}" for line in common)
        yield f"\tclocks = {', '.join([clock] * len(plan.engine.clocks))};"
        yield f"\tclock-names = {names};"
        yield f"\txlnx,addrwidth = <{wide}>;"
        if plan.engine.stream:
            yield f"\txlnx,sg-length-width = <{values['LENGTH_BITS']}>;"
        for line in plan.engine.interrupts:
            name, compatible = _CHANNELS[line]
            yield ""
            yield f"\t{name} {{"
            yield f'\t\tcompatible = "{compatible}";'
            yield f"\t\tinterrupts = <{interrupt}>;"
            yield f"\t\txlnx,datawidth = <{values['DATA_W']}>;"
            if values["UNALIGNED"]:
                yield "\t\txlnx,include-dre;"
            yield "\t};"
        yield "};"


def in_cells(value: int, cells: int) -> str:
    """A number in 32-bit cells, the highest first."""
    return " ".join(f"{value >> (32 * i) & 0xFFFFFFFF:#x}" for i in reversed(range(cells)))
