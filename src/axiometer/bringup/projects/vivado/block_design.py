"""The block design: processing system, reset, register bus, our IP, converters, addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from axiometer.bringup.projects import NEVER_RUN
from axiometer.bringup.projects.plan import Link, Plan
from axiometer.bringup.projects.vivado import component, engines, interfaces

SMARTCONNECT = "xilinx.com:ip:smartconnect"
RESET = "xilinx.com:ip:proc_sys_reset"
RESIZER = "xilinx.com:ip:axi_dwidth_converter"
CONVERTER = "xilinx.com:ip:axi_protocol_converter"


def text(plan: Plan) -> str:
    """The file."""
    return "\n".join([*_head(plan), *_cells(plan), *_wires(plan), *_buses(plan), *_addresses(plan),
                      "", "validate_bd_design", "save_bd_design", ""])  # fmt: skip


def settings(plan: Plan) -> dict[str, str]:
    """The settings of the processor system, beside its preset."""
    system = plan.system
    on = {system["masters_on"][0]: "1", system["masters_on"][1]: "1" if plan.ram else "0"}
    chosen: dict[str, str] = (
        {system["clock_setting"]: f"{float(plan.asked_mhz):.6f}"} | on | system["settings"]
    )
    for link in plan.links:
        chosen |= link.settings
    chosen |= {each.setting: str(each.width) for each in plan.masters if each.setting}
    return chosen


def _head(plan: Plan) -> Iterator[str]:
    yield f"# Block design of {plan.module.name} on {plan.title}."
    yield f"# Written by Axiometer; {NEVER_RUN}. build.tcl creates the project and sources this."
    yield "create_bd_design system"


def _cells(plan: Plan) -> Iterator[str]:
    system = plan.system
    yield "\n# Processing system: the board's preset, then the settings of this design."
    yield from _cell("ps", system["core"])
    yield (
        f"apply_bd_automation -rule {system['preset_rule']} "
        f"-config {{{system['preset']}}} [get_bd_cells ps]"
    )
    yield from _set("ps", settings(plan))
    yield "\n# Reset, and the path from the processor to the registers."
    yield from _cell("reset_pl", RESET, {"C_EXT_RESET_HIGH": "0"})
    masters = 1 + (len(plan.links) if plan.engine else 0)
    yield from _cell(
        "control", SMARTCONNECT, {"NUM_SI": "1", "NUM_MI": f"{masters}", "NUM_CLKS": "1"}
    )
    yield "\n# The instrument."
    yield from _cell("axm", component.vlnv(plan))
    for name, vlnv, values in engines.cells_of(plan):
        yield from _cell(name, vlnv, values)
    for link in plan.links:
        if link.resized:
            yield from _cell(f"resize{link.number}", RESIZER, {
                "PROTOCOL": plan.protocol, "SI_DATA_WIDTH": str(plan.width),
                "MI_DATA_WIDTH": str(link.width)})  # fmt: skip
        if link.converted:
            yield from _cell(f"convert{link.number}", CONVERTER, {
                "SI_PROTOCOL": plan.protocol, "MI_PROTOCOL": link.protocol,
                "DATA_WIDTH": str(link.width)})  # fmt: skip
    if _single_beats(plan):
        yield from _cell("single", CONVERTER, {
            "SI_PROTOCOL": system["slave_protocol"], "MI_PROTOCOL": plan.protocol,
            "DATA_WIDTH": str(plan.width)})  # fmt: skip


def _cell(name: str, vlnv: str, values: Mapping[str, str] | None = None) -> Iterator[str]:
    yield f"create_bd_cell -type ip -vlnv {vlnv} {name}"
    if values:
        yield from _set(name, values)


def _set(name: str, values: Mapping[str, str]) -> Iterator[str]:
    yield "set_property -dict [list \\"
    for key, value in values.items():
        yield f"  CONFIG.{key} {{{value}}} \\"
    yield f"] [get_bd_cells {name}]"


def _single_beats(plan: Plan) -> bool:
    """Whether the design has a RAM with AXI4-Lite behind the processor's port."""
    return bool(plan.ram) and plan.protocol != plan.system["slave_protocol"]


def _wires(plan: Plan) -> Iterator[str]:
    system = plan.system
    clocked = [f"ps/{system['registers']['clock_pin']}"]
    clocked += [f"ps/{system['ram']['clock_pin']}"] if plan.ram else []
    clocked += [f"ps/{link.clock_pin}" for link in plan.links]
    clocked += ["reset_pl/slowest_sync_clk", "control/aclk", "axm/aclk"]
    released = ["control/aresetn", "axm/aresetn"]
    for link in plan.links:
        if link.resized:
            clocked.append(f"resize{link.number}/s_axi_aclk")
            released.append(f"resize{link.number}/s_axi_aresetn")
        if link.converted:
            clocked.append(f"convert{link.number}/aclk")
            released.append(f"convert{link.number}/aresetn")
    if _single_beats(plan):
        clocked.append("single/aclk")
        released.append("single/aresetn")
    clocked += engines.clocked(plan)
    released += engines.released(plan)
    yield "\n# One clock, one reset, one interrupt."
    yield _net(f"ps/{system['clock_pin']}", clocked)
    yield _net(f"ps/{system['reset_pin']}", ["reset_pl/ext_reset_in"])
    yield _net("reset_pl/peripheral_aresetn", released)
    yield _net("axm/irq", [f"ps/{system['interrupt_pin']}"])
    for driver, end in engines.interrupts(plan):
        yield _net(driver, [end])


def _net(driver: str, ends: list[str]) -> str:
    pins = " ".join(f"[get_bd_pins {pin}]" for pin in (driver, *ends))
    return f"connect_bd_net {pins}"


def _buses(plan: Plan) -> Iterator[str]:
    system = plan.system
    yield "\n# Registers."
    yield _bus(f"ps/{system['registers']['master']}", "control/S00_AXI")
    yield _bus("control/M00_AXI", f"axm/{interfaces.REGISTERS}")
    if plan.engine:
        yield "\n# Engines: their registers, streams, and paths through the instrument."
    for start, end in engines.buses(plan):
        yield _bus(start, end)
    if plan.links:
        yield "\n# Ports to the memory."
    for link in plan.links:
        yield from _way(link)
    if plan.ram:
        yield "\n# The RAM."
        way = [f"ps/{system['ram']['master']}"]
        if _single_beats(plan):
            way += ["single/S_AXI", "single/M_AXI"]
        way.append(f"axm/{interfaces.RAM}")
        for start, end in zip(way[::2], way[1::2], strict=True):
            yield _bus(start, end)


def _way(link: Link) -> Iterator[str]:
    way = [f"axm/{interfaces.master_name(link.number)}"]
    if link.resized:
        way += [f"resize{link.number}/S_AXI", f"resize{link.number}/M_AXI"]
    if link.converted:
        way += [f"convert{link.number}/S_AXI", f"convert{link.number}/M_AXI"]
    way.append(f"ps/{link.interface}")
    for start, end in zip(way[::2], way[1::2], strict=True):
        yield _bus(start, end)


def _bus(master: str, slave: str) -> str:
    return f"connect_bd_intf_net [get_bd_intf_pins {master}] [get_bd_intf_pins {slave}]"


def _addresses(plan: Plan) -> Iterator[str]:
    yield "\n# Addresses: the registers' windows and the board's memory."
    yield _assign("ps/Data", f"axm/{interfaces.REGISTERS}/{component.BLOCK}",
                  plan.registers_base, plan.registers_size)  # fmt: skip
    if plan.ram:
        yield _assign("ps/Data", f"axm/{interfaces.RAM}/{component.RAM_BLOCK}",
                      plan.ram_base, plan.ram)  # fmt: skip
    for assigned in engines.addresses(plan):
        yield _assign(*assigned)
    for link in plan.links:
        space = f"axm/{interfaces.master_name(link.number)}"
        for memory in link.memory:
            yield _assign(space, f"ps/{memory.segment}", memory.base, memory.size)


def _assign(space: str, segment: str, base: int, size: int) -> str:
    return (
        f"assign_bd_address -offset {base:#010x} -range {size:#010x} "
        f"-target_address_space [get_bd_addr_spaces {space}] [get_bd_addr_segs {segment}] -force"
    )
