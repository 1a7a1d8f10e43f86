"""Compares the system with the plan, and the HPS's parameters with the board's figures."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.quartus.make_plan import rates, window
from axiometer.platform import Platform
from validate.projects.quartus.component import Component
from validate.projects.quartus.system import Recorded

_WIDTHS = {"0": 0, "1": 32, "2": 64, "3": 128}
"""Of S2F_Width and F2S_Width: Cyclone V HPS TRM; rdata of reference designs' f2h_axi_slave."""
# Timings are not compared: the preloader on the card sets them, and U-Boot's for the DE1-SoC has a
# latency of 7 clocks where the reference design has 11.
FIGURES = {
    "MEM_CLK_FREQ": "clocks.ddr_mhz",
    "MEM_DQ_WIDTH": "dram.bus_bits",
}


def compare(it: Recorded, component: Component, plan: Plan) -> Iterator[str]:
    """Everything that is not as the plan has it."""
    if it.project != {"DEVICE_FAMILY": "Cyclone V", "DEVICE": plan.part}:
        yield f"the project's properties are {it.project}"
    hps = it.of_kind("altera_hps")
    axm = it.of_kind(component.properties.get("NAME", ""))
    if not hps or not axm:
        yield "there is no HPS, or no instance of the component"
        return
    values = it.parameters[hps]
    yield from _ports(it, component, plan, hps, axm)
    yield from _clock(it, plan, axm)
    yield from _processor(it, plan, hps, axm)
    figures = Platform.load(plan.board)
    for name, figure in FIGURES.items():
        if float(values.get(name, "0")) != float(figures.value(figure)):
            yield f"{name} is {values.get(name)}, the board has {figures.value(figure)}"
    rows = sum(int(values.get(f"MEM_{part}_WIDTH", "0")) for part in
               ("ROW_ADDR", "COL_ADDR", "BANKADDR"))  # fmt: skip
    size = (1 << rows) * int(values.get("MEM_DQ_WIDTH", "0")) // 8 >> 20
    if size != figures.value("dram.size_MiB"):
        yield f"the HPS has {size} MiB of memory, the board {figures.value('dram.size_MiB')}"


def _ports(it: Recorded, component: Component, plan: Plan, hps: str, axm: str) -> Iterator[str]:
    values = it.parameters[hps]
    wide = values.get("F2SDRAM_Width", "").split()
    types = values.get("F2SDRAM_Type", "").split()
    if len(wide) != len(types):
        yield f"{len(types)} types of ports to the memory, {len(wide)} widths"
        return
    if 64 * sum(-(-int(bits) // 64) for bits in wide) > 256:
        yield f"ports to the memory of {'+'.join(wide)} bits: there are four of 64"
    reached = {}
    for link in plan.links:
        start = f"{axm}.m{link.number}_axi"
        ends = [end for s, end in it.connections if s == start]
        if ends != [f"{hps}.{link.interface}"]:
            yield f"{start} leads to {', '.join(ends) or 'nothing'}, not to {link.interface}"
            continue
        reached[link.interface] = link
        base = it.connections[start, ends[0]].get("baseAddress", "")
        if base and int(base, 0) != 0:
            yield f"{start} has the memory at {base}, not at 0"
        bits = component.interfaces[f"m{link.number}_axi"].width("wdata")
        if bits != plan.width:
            yield f"{start} has {bits} bits, not {plan.width}"
        if link.interface.startswith("f2h_sdram"):
            own = int(wide[int(link.interface[len("f2h_sdram")])])
        else:
            own = _WIDTHS.get(values.get("F2S_Width", ""), 0)
        if own != link.width:
            yield f"{link.interface} has {own} bits, not {link.width}"
    for type_ in types:
        if type_ != "AXI-3":
            yield f"a port to the memory is {type_}, the masters are AXI"
    spare = len(types) - sum(name.startswith("f2h_sdram") for name in reached)
    if spare:
        yield f"{spare} ports to the memory more than the design has"


def _clock(it: Recorded, plan: Plan, axm: str) -> Iterator[str]:
    pll = it.of_kind("altera_pll")
    if not pll:
        yield "there is no PLL"
        return
    values = it.parameters[pll]
    source = it.driver(f"{pll}.refclk").partition(".")[0]
    reference = Fraction(values.get("gui_reference_clock_frequency", "0"))
    given = Fraction(it.parameters.get(source, {}).get("clockFrequency", "0")) / 10**6
    if given != reference or reference != plan.system["pll"]["reference_mhz"]:
        yield f"the PLL's reference is {float(reference):g} MHz, its clock has {float(given):g}"
    made = Fraction(values.get("gui_output_clock_frequency0", "0"))
    if abs(made - plan.mhz) > Fraction(1, 10**5):
        yield f"the PLL makes {float(made):g} MHz, the design is built for {float(plan.mhz):g}"
    if plan.mhz not in set(rates(plan.system["pll"], plan.mhz)):
        yield f"the PLL cannot make {float(plan.mhz):g} MHz"
    fabric = it.driver(f"{axm}.clock").partition(".")[0]
    if it.driver(f"{fabric}.clk_in") != f"{pll}.outclk0":
        yield "the fabric's clock is not the PLL's"
    rate = it.parameters.get(fabric, {}).get("clockFrequency", "0")
    if int(rate) != plan.module.parameters["CLOCK_HZ"]:
        yield f"the fabric's clock is said to have {rate} Hz"
    if it.driver(f"{axm}.reset") != f"{fabric}.clk_reset":
        yield "the fabric's reset is not that of its clock"


def _processor(it: Recorded, plan: Plan, hps: str, axm: str) -> Iterator[str]:
    registers, ram = plan.system["registers"], plan.system["ram"]
    ways = [(registers, f"{axm}.s_axil", plan.registers_base)]
    if plan.ram:
        ways.append((ram, f"{axm}.s_axi", plan.ram_base))
    for about, end, base in ways:
        values = it.connections.get((f"{hps}.{about['master']}", end))
        first, size = window(plan.chip, about)
        if values is None:
            yield f"{about['master']} does not lead to {end}"
        elif first + int(values.get("baseAddress", "0"), 0) != base:
            yield f"{end} is at {values['baseAddress']} of {about['master']}, planned is {base:#x}"
        if base + max(plan.registers_size, plan.ram) > first + size:
            yield f"{end} is outside of what {about['master']} reaches"
    bits = _WIDTHS.get(it.parameters[hps].get("S2F_Width", ""), 0)
    if bits != (plan.width if plan.ram else 0):
        yield f"the bridge to the fabric has {bits} bits"
    pin = plan.system["interrupt_pin"]
    number = it.connections.get((f"{hps}.{pin}", f"{axm}.irq"), {}).get("irqNumber")
    if number != "0":
        yield f"the interrupt is number {number} of {pin}"
