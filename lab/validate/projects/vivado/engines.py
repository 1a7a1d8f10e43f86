"""Vendors' engines: what the design's identification says of them is what the block design has."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.bringup.projects.plan import Plan
from validate.projects.vivado.catalogue import Cell
from validate.projects.vivado.recorded import Recorded
from validate.projects.vivado.rules import slaves

# By CAPS.ENGINE of regs/vendor.rdl: the core, settings with their values, and those that are as the
# parameter of axm_vendor_top says (PG021, PG034, PG125); interrupts as STATUS.LINES has them.
_DMA = {
    "DATA_W": ("c_m_axi_mm2s_data_width", "c_m_axi_s2mm_data_width", "c_m_axis_mm2s_tdata_width"),
    "ADDR_W": ("c_addr_width",),
    "LENGTH_BITS": ("c_sg_length_width",),
    "UNALIGNED": ("c_include_mm2s_dre", "c_include_s2mm_dre"),
}
_CDMA = {
    "DATA_W": ("C_M_AXI_DATA_WIDTH",),
    "ADDR_W": ("C_ADDR_WIDTH",),
    "UNALIGNED": ("C_INCLUDE_DRE",),
}
_GENERATOR = {"DATA_W": ("C_M_AXI_DATA_WIDTH",), "ADDR_W": ("C_EXTENDED_ADDRESS_WIDTH",)}
_LINES = ("mm2s_introut", "s2mm_introut")
_KNOWN: dict[int, tuple[str, dict[str, str], dict[str, tuple[str, ...]], tuple[str, ...]]] = {
    1: ("xilinx.com:ip:axi_dma", {"c_include_sg": "0"}, _DMA, _LINES),
    2: ("xilinx.com:ip:axi_dma", {"c_include_sg": "1"}, _DMA, _LINES),
    4: ("xilinx.com:ip:axi_cdma", {"C_INCLUDE_SG": "1"}, _CDMA, ("cdma_introut",)),
    5: ("xilinx.com:ip:axi_traffic_gen", {"C_ATG_MODE": "AXI4", "C_ATG_MODE_L2": "Advanced"},
        _GENERATOR, ("irq_out",)),
}  # fmt: skip
_BURST = ("c_mm2s_burst_size", "c_s2mm_burst_size", "C_M_AXI_MAX_BURST_LEN")
LONGEST = 16
"""Beats of a burst of AXI3."""


def check(it: Recorded, plan: Plan) -> Iterator[str]:
    """Every difference; none of a top without such engines."""
    values = plan.module.parameters
    if "ENGINE" not in values:
        return
    core, fixed, follows, lines = _KNOWN[values["ENGINE"]]
    cells = [cell for cell in it.cells.values() if cell.kind.vlnv == core]
    if len(cells) != len(plan.links) or values["LINES"] != len(lines):
        yield f"{len(cells)} of {core} with {values['LINES']} lines each, not one for each port"
        return
    wanted = dict(fixed)
    for parameter, names in follows.items():
        wanted |= dict.fromkeys(names, str(values[parameter]))
    for number, cell in enumerate(sorted(cells, key=lambda each: each.name)):
        for name, value in wanted.items():
            if cell.value(name) != value:
                yield f"{cell.name}: {name} is {cell.value(name)}, the design says {value}"
        for name in _BURST:
            if name in cell.kind.settings and int(cell.value(name) or LONGEST) > LONGEST:
                yield f"{cell.name}: {name} is more than a burst of AXI3"
        yield from _wired(it, plan, cell, number, lines)


def _wired(
    it: Recorded, plan: Plan, cell: Cell, number: int, lines: tuple[str, ...]
) -> Iterator[str]:
    values = plan.module.parameters
    base = values["ENGINE_BASE"] + number * values["ENGINE_STEP"]
    found = [a.base for a in it.addresses if a.segment.startswith(f"/{cell.name}/")]
    if found != [base]:
        where = ", ".join(map(hex, found)) or "nowhere"
        yield f"the registers of {cell.name} are at {where}, the design says {base:#x}"
    for place, pin in enumerate(lines):
        line = f"/axm/engine_irq_{number * len(lines) + place}"
        if not any({f"/{cell.name}/{pin}", line} <= net for net in it.nets):
            yield f"{cell.name}/{pin} does not lead to {line}"
    for name, bus in cell.interfaces().items():
        ends = slaves(it, f"/{cell.name}/{name}") if bus["master"] else []
        if bus.get("protocol") == "AXIS":
            if bus["master"] and f"/{cell.name}/S_AXIS_S2MM" not in ends:
                yield f"{cell.name} does not receive what it sends"
        elif bus["master"] and f"/axm/S{number}_AXI" not in ends:
            yield f"{cell.name}/{name} does not lead through the instrument at port {number}"
