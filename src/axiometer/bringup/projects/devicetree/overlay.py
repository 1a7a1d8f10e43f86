"""The texts: overlays as Linux' fpga-region and u-dma-buf take them, and bootgen's list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from axiometer.bringup.projects import NEVER_RUN
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
    """Whether every port of the design is one whose accesses the caches see."""
    ports = ps_facts.system(plan.chip).ports
    return bool(plan.links) and all(
        ports[link.interface]["kind"] == "coherent" for link in plan.links
    )


def fabric(plan: Plan, choice: Choice) -> str:
    """The overlay of the fabric. Its target is the FPGA region: Linux programs `firmware-name`
    first, then makes devices of the nodes (bindings/fpga/fpga-region.yaml)."""
    tree = plan.system["tree"]
    lines = [*_head(plan), f"&{tree['region']} {{"]
    lines += [f"\t#address-cells = <{tree['cells']}>;", f"\t#size-cells = <{tree['cells']}>;"]
    lines += [f'\tfirmware-name = "{BITSTREAM}.bin";', ""]
    lines += [f"\t{line}" if line else "" for line in _nodes(plan, choice)]
    return "\n".join([*lines, "};", ""])


def memory(plan: Plan, choice: Choice) -> str:
    """The overlay that keeps memory. The kernel looks at it only when it starts."""
    cells = plan.system["tree"]["cells"]
    part = reach(plan)
    return "\n".join([
        *_head(plan),
        "/* For U-Boot (fdt apply): Linux keeps memory only when it starts. */",
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
        f"\t\t\tsize = <{_cells(choice.mib << 20, cells)}>;",
        f"\t\t\talloc-ranges = <{_cells(part.base, cells)} {_cells(part.size, cells)}>;",
        "\t\t};",
        "\t};",
        "};",
        "",
    ])  # fmt: skip


def bif(plan: Plan) -> str:
    """What `bootgen -process_bitstream bin` reads (UG1283)."""
    tree = plan.system["tree"]
    return (
        f"// Written by Axiometer; {NEVER_RUN}. In the directory that has {BITSTREAM}:\n"
        f"//   bootgen -image linux/system.bif -arch {tree['bootgen']} -process_bitstream bin -w\n"
        f"// makes {BITSTREAM}.bin, for /lib/firmware.\n"
        f"all:\n{{\n  {tree['bitstream'].format(file=BITSTREAM)}\n}}\n"
    )


def _head(plan: Plan) -> Iterator[str]:
    yield f"/* {plan.module.name} on {plan.title}."
    yield f" * Written by Axiometer; {NEVER_RUN}, nor applied on a board."
    yield " */"
    yield "/dts-v1/;"
    yield "/plugin/;"
    yield ""


def _nodes(plan: Plan, choice: Choice) -> Iterator[str]:
    system, tree = plan.system, plan.system["tree"]
    cells = tree["cells"]
    pin = system["clock_pin"]
    clock = f"<&{tree['clock_controller']} {tree['clocks'][pin]}>"
    yield f"/* {pin}. AMD's kernels switch it on; with others it must be on: docs/build.md. */"
    yield "axm-clock {"
    yield '\tcompatible = "xlnx,fclk";'
    yield f"\tclocks = {clock};"
    yield f"\tassigned-clocks = {clock};"
    yield f"\tassigned-clock-rates = <{round(plan.mhz * 10**6)}>;"
    yield "};"
    yield ""
    windows = [(plan.registers_base, plan.registers_size)]
    if plan.ram:
        windows.append((plan.ram_base, plan.ram))
    shown = ", ".join(f"<{_cells(base, cells)} {_cells(size, cells)}>" for base, size in windows)
    name = "dma-controller" if choice.driver == "axm" else "axiometer"
    yield f"{name}@{plan.registers_base:x} {{"
    yield f'\tcompatible = "{COMPATIBLE[choice.driver]}";'
    yield f"\treg = {shown};"
    yield f"\tinterrupt-parent = <&{tree['interrupt_controller']}>;"
    yield f"\tinterrupts = <0 {tree['interrupts'][system['interrupt_pin']]} {LEVEL_HIGH}>;"
    if coherent(plan):
        yield "\tdma-coherent;"
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


def _cells(value: int, cells: int) -> str:
    return " ".join(f"{value >> (32 * i) & 0xFFFFFFFF:#x}" for i in reversed(range(cells)))
