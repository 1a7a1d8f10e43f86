"""A script for U-Boot on Intel's chips: bitstream, bridges, ports to the memory, Linux."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.bringup.projects import boot
from axiometer.bringup.projects.boot import uboot
from axiometer.bringup.projects.devicetree import Choice
from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.quartus.make_plan import of_port
from axiometer.platform.registers.tables import load

BITS = 64
"""Bits of each read or write port of the memory controller."""


NO_PORTS = "axm: this SPL has no ports to the memory: docs/build.md"


def port_bits(plan: Plan) -> int:
    """The bits of fpgaportrst that release the design's ports from reset."""
    reset = plan.system["port_reset"]
    data = commands = 0
    for link in plan.links:
        of = of_port(plan.system, link.name)
        if "commands" in of:
            data += -(-link.width // BITS)
            commands += of["commands"]
    read, write, command = (int(reset[key]) for key in ("read", "write", "command"))
    both = (1 << data) - 1
    return both << read | both << write | ((1 << commands) - 1) << command


def text(plan: Plan, choice: Choice) -> str:
    """The script; `mkimage` converts it to boot.scr."""
    return "\n".join([*_lines(plan, choice), ""])


def _lines(plan: Plan, choice: Choice) -> Iterator[str]:
    known = boot.of_chip(plan)
    kept = ", memory.dtbo" if choice.memory == "reserved" else ""
    yield f"# {plan.module.name} on {plan.title}."
    yield f"#   mkimage -A {known['arch']} -T script -C none -d boot.cmd boot.scr"
    yield f"# Written by Axiometer; {plan.never_run}, nor on a board."
    yield "# On the first partition of the card:"
    yield f"# boot.scr, axm.rbf, {known['kernel']}, system.dtb{kept}."
    yield 'test -n "${axm_from}" || setenv axm_from "mmc 0:1"'
    yield f"load ${{axm_from}} {uboot.SCRATCH} axm.rbf{uboot.STOP}"
    yield "bridge disable"
    yield f"fpga load 0 {uboot.SCRATCH} ${{filesize}}{uboot.STOP}"
    yield "# The PLL of the fabric locks."
    yield "sleep 1"
    yield "bridge enable"
    if port_bits(plan):
        register = load(plan.chip).registers[plan.system["port_reset"]["register"]]
        address = f"{register.address:#010x}"
        yield ""
        yield "# fpgaportrst: the design's ports, beside the SPL's. run axm_back restores it."
        yield "# If the SPL has no ports (FPGAPORTRST in its sdram_config.h), bridge enable does"
        yield "# not apply the bitstream's widths."
        yield f"setexpr.l axm_was *{address}"
        yield f'if test "${{axm_was}}" = "0"; then echo "{NO_PORTS}"; exit 1; fi'
        yield f'setexpr axm_new ${{axm_was}} "|" {port_bits(plan):#010x}'
        yield f"mw.l {address} ${{axm_new}}"
        yield f'setenv axm_back "mw.l {address} ${{axm_was}}"'
    yield ""
    yield from uboot.linux(known, choice)
