"""The texts: overlays for Linux' fpga-region and u-dma-buf, and bootgen's list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from axiometer.bringup.projects import boot
from axiometer.bringup.projects.devicetree import mainline
from axiometer.bringup.projects.devicetree.mainline import in_cells
from axiometer.bringup.projects.plan import Memory, Plan
from axiometer.designs import ps_facts

if TYPE_CHECKING:
    from axiometer.bringup.projects.devicetree import Choice

COMPATIBLE = {"axm": "axiometer,dma-1", "uio": "generic-uio"}
BITSTREAM = "system.bit"
LEVEL_HIGH = 4  # include/dt-bindings/interrupt-controller/irq.h
_POOL = "axm_memory"


def reach(plan: Plan) -> Memory:
    """The memory from its lowest address that every port of the design reaches."""
    return min((link.memory[0] for link in plan.links), key=lambda part: part.size)


def coherent(plan: Plan) -> bool:
    """Whether every port of the design is coherent with the caches."""
    ports = ps_facts.system(plan.chip).ports
    return plan.system["tree"].get("coherent", bool(plan.links)) and all(
        ports[link.interface]["kind"] == "coherent" for link in plan.links
    )


def bitstream(plan: Plan) -> str:
    """The overlay of the FPGA region: Linux programs `firmware-name`, then creates the nodes'
    devices in their order (bindings/fpga/fpga-region.yaml)."""
    tree, pin = plan.system["tree"], plan.system["reset_pin"]
    lines = [f'firmware-name = "{BITSTREAM}.bin";']
    if pin in tree.get("resets", {}):
        lines.append(f"resets = <&{tree['reset_controller']} {tree['resets'][pin]}>;")
    return _overlay(plan, tree["region"], [*lines, "", *_widths(plan), *_clock(plan)])


def devices(plan: Plan, choice: Choice) -> str:
    """The overlay of the devices. A region accepts one overlay, so this one targets the bus."""
    return _overlay(plan, plan.system["tree"]["bus"], list(_devices(plan, choice)))


def fabric(plan: Plan, choice: Choice) -> str:
    """The overlay of bitstream and devices together, for chips whose region enables the bridges and
    whose design needs no other setting before its devices."""
    tree, labels = plan.system["tree"], bridges(plan)
    head = [f'firmware-name = "{tree["firmware"]}";',
            f"fpga-bridges = {', '.join(f'<&{label}>' for label in labels)};", ""]  # fmt: skip
    lines = [_overlay(plan, tree["region"], [*head, *_devices(plan, choice)])]
    lines += [f'&{label} {{\n\tstatus = "okay";\n}};\n' for label in labels]
    return "\n".join(lines)


def bridges(plan: Plan) -> list[str]:
    """Labels of the design's bridges: for registers, RAM and ports."""
    known = plan.system["tree"]["bridges"]
    ports = [link.name.rstrip("0123") for link in plan.links]
    used = ["LWH2F", *(["H2F"] if plan.ram else []), *ports]
    return [known[name] for name in known if name in used]


def _overlay(plan: Plan, target: str, nodes: list[str]) -> str:
    cells = plan.system["tree"]["cells"]
    lines = [*_head(plan), f"&{target} {{"]
    lines += [f"\t#address-cells = <{cells}>;", f"\t#size-cells = <{cells}>;"]
    lines += [f"\t{line}" if line else "" for line in nodes]
    return "\n".join([*lines, "};", ""])


def memory(plan: Plan, choice: Choice) -> str:
    """The overlay that reserves memory. The kernel reads it only when it starts."""
    cells = plan.system["tree"]["cells"]
    part = reach(plan)
    return "\n".join([
        *_head(plan),
        "/* For U-Boot (fdt apply): Linux reserves memory only when it starts. */",
        "&{/} {",
        f"\t#address-cells = <{cells}>;",
        f"\t#size-cells = <{cells}>;",
        "",
        "\treserved-memory {",
        f"\t\t#address-cells = <{cells}>;",
        f"\t\t#size-cells = <{cells}>;",
        "\t\tranges;",
        "",
        f"\t\t{_POOL}: axm-memory {{",
        '\t\t\tcompatible = "shared-dma-pool";',
        "\t\t\treusable;",
        f"\t\t\tsize = <{in_cells(choice.mib << 20, cells)}>;",
        f"\t\t\talloc-ranges = <{in_cells(part.base, cells)} {in_cells(part.size, cells)}>;",
        "\t\t};",
        "\t};",
        "};",
        "",
    ])  # fmt: skip


def bif(plan: Plan) -> str:
    """The input of `bootgen -process_bitstream bin` (UG1283)."""
    tree = plan.system["tree"]
    return (
        f"// Written by Axiometer; {plan.never_run}. In the directory that has {BITSTREAM}:\n"
        f"//   bootgen -image linux/system.bif -arch {tree['bootgen']} -process_bitstream bin -w\n"
        f"// makes {BITSTREAM}.bin, for /lib/firmware.\n"
        f"all:\n{{\n  {tree['bitstream'].format(file=BITSTREAM)}\n}}\n"
    )


def _head(plan: Plan) -> Iterator[str]:
    yield f"/* {plan.module.name} on {plan.title}."
    yield f" * Written by Axiometer; {plan.never_run}, nor applied on a board."
    yield " */"
    yield "/dts-v1/;"
    yield "/plugin/;"
    yield ""


def _widths(plan: Plan) -> Iterator[str]:
    """Nodes for the driver in AMD's kernels that sets the ports' widths: one node with all
    registers by their numbers, or one for each port."""
    afi, cells = plan.system["tree"]["afi"], plan.system["tree"]["cells"]
    widths = boot.widths(plan)
    if "numbers" in afi:
        pairs = ", ".join(f"<{afi['numbers'][w.key]} {w.value:#x}>" for w in widths)
        yield "afi0 {"
        yield f'\tcompatible = "{afi["compatible"]}";'
        yield f"\tconfig-afi = {pairs};"
        yield "};"
        yield ""
        return
    for width in widths[::2]:  # its second register is behind the first
        yield f"afi@{width.address:x} {{"
        yield f'\tcompatible = "{afi["compatible"]}";'
        yield f"\treg = <{in_cells(width.address, cells)} {in_cells(afi['bytes'], cells)}>;"
        yield f"\t{afi['width']} = <{width.value}>;"
        yield "};"
        yield ""


def _fabric_clock(plan: Plan) -> str:
    tree = plan.system["tree"]
    return f"<&{tree['clock_controller']} {tree['clocks'][plan.system['clock_pin']]}>"


def _clock(plan: Plan) -> Iterator[str]:
    clock = _fabric_clock(plan)
    yield f"/* {plan.system['clock_pin']} at its rate. The driver is in AMD's kernels. */"
    yield "axm-clock {"
    yield '\tcompatible = "xlnx,fclk";'
    yield f"\tclocks = {clock};"
    yield f"\tassigned-clocks = {clock};"
    yield f"\tassigned-clock-rates = <{round(plan.mhz * 10**6)}>;"
    yield "};"


def _devices(plan: Plan, choice: Choice) -> Iterator[str]:
    system, tree = plan.system, plan.system["tree"]
    cells = tree["cells"]
    line = f"0 {tree['interrupts'][system['interrupt_pin']]} {LEVEL_HIGH}"
    common = [f"interrupt-parent = <&{tree['interrupt_controller']}>;"]
    if coherent(plan):
        common.append("dma-coherent;")
    if choice.driver == "mainline":
        yield from mainline.nodes(plan, common, _fabric_clock(plan), line)
        return
    shown = ", ".join(
        f"<{in_cells(base, cells)} {in_cells(size, cells)}>" for base, size in plan.windows
    )
    name = "dma-controller" if choice.driver == "axm" else "axiometer"
    yield f"{name}@{plan.registers_base:x} {{"
    yield f'\tcompatible = "{COMPATIBLE[choice.driver]}";'
    yield f"\treg = {shown};"
    yield from (f"\t{each}" for each in common)
    yield f"\tinterrupts = <{line}>;"
    if choice.driver == "axm" and "clock_controller" in tree:
        yield f"\tclocks = {_fabric_clock(plan)};"
    yield "};"
    if choice.mib:
        yield ""
        yield "axm-buffer {"
        yield '\tcompatible = "ikwzm,u-dma-buf";'
        yield '\tdevice-name = "udmabuf0";'
        yield f"\tsize = <{choice.mib << 20:#x}>;"
        if coherent(plan):
            yield "\tdma-coherent;"
        if choice.memory == "reserved":
            yield f"\tmemory-region = <&{_POOL}>;"
        yield "};"
