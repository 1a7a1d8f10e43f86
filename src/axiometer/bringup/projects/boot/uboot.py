"""A script for U-Boot: bitstream, widths of the ports, reserved memory, Linux.

It uses what mainline's environment has for these chips, and addresses of its own where that has
none. It ends at the first command that fails: Linux without the design, or without its reserved
memory, would hang.
"""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.base.chip_files import Table
from axiometer.bringup.doctor import chip
from axiometer.bringup.projects import NEVER_RUN, boot
from axiometer.bringup.projects.devicetree import Choice
from axiometer.bringup.projects.plan import Plan

SCRATCH, OVERLAY = "0x08000000", "0x07f00000"
"""Addresses of the bitstream and of an overlay: where mainline loads nothing, below 256 MiB."""
STOP = " || exit 1"
BOOTARGS = "uio_pdrv_genirq.of_id=generic-uio clk_ignore_unused"

NO_ARGUMENTS = "axm: neither bootargs nor /chosen of system.dtb has root= and console="


def text(plan: Plan, choice: Choice) -> str:
    """The script; `mkimage` converts it to boot.scr."""
    return "\n".join([*_lines(plan, choice), ""])


def _lines(plan: Plan, choice: Choice) -> Iterator[str]:
    known = boot.of_chip(plan)
    yield f"# {plan.module.name} on {plan.title}."
    yield f"#   mkimage -A {known['arch']} -T script -C none -d boot.cmd boot.scr"
    yield f"# Written by Axiometer; {NEVER_RUN}, nor on a board."
    yield "# On the first partition of the card:"
    kept = ", memory.dtbo" if choice.memory == "reserved" else ""
    yield f"# boot.scr, system.bit, {known['kernel']}, system.dtb{kept}."
    yield "# run axm_back restores the widths of the ports."
    yield 'test -n "${axm_from}" || setenv axm_from "mmc 0:1"'
    yield from _clock(plan)
    yield f"load ${{axm_from}} {SCRATCH} system.bit{STOP}"
    yield f"fpga loadb 0 {SCRATCH} ${{filesize}}{STOP}"
    yield ""
    yield from _widths(plan)
    yield ""
    yield from linux(known, choice)


def linux(known: Table, choice: Choice) -> Iterator[str]:
    """Commands that load kernel and tree, reserve memory, and boot with UIO's arguments."""
    yield f"load ${{axm_from}} ${{kernel_addr_r}} {known['kernel']}{STOP}"
    yield f"load ${{axm_from}} ${{fdt_addr_r}} system.dtb{STOP}"
    yield f"fdt addr ${{fdt_addr_r}}{STOP}"
    if choice.memory == "reserved":
        yield f"fdt resize 0x2000{STOP}"
        yield f"load ${{axm_from}} {OVERLAY} memory.dtbo{STOP}"
        yield f"fdt apply {OVERLAY}{STOP}"
    yield "# What bootargs has replaces the tree's arguments: those are taken over."
    yield 'test -n "${bootargs}" || fdt get value bootargs /chosen bootargs'
    yield f'if test -z "${{bootargs}}"; then echo "{NO_ARGUMENTS}"; exit 1; fi'
    yield f'setenv bootargs "${{bootargs}} {BOOTARGS}"'
    yield f"{known['boot']} ${{kernel_addr_r}} - ${{fdt_addr_r}}"


def _clock(plan: Plan) -> Iterator[str]:
    """The fabric's clock at the design's rate, before there is a design; none on a chip whose
    boot.toml has no `fabric_clock`."""
    about = boot.of_chip(plan).get("fabric_clock")
    known = chip.named(plan.chip)
    if about is None or known is None or known.clock is None or plan.pll_mhz is None:
        return
    clock, table = known.clock, known.table
    multiply = table.field(f"{clock['pll'][about['pll']]['register']}.{clock['multiply']}")
    multiplied = boot.multiplier(plan) << multiply[1].low
    source = table.field(f"{clock['register']}.{clock['select']}")[1]
    names: dict[str, str] = source.makes["selects"]
    mask, value = source.mask, 0
    value |= int(next(code for code, name in names.items() if name == about["pll"])) << source.low
    for name, by in zip(clock["divisors"], boot.divisors(plan), strict=True):
        field = table.field(f"{clock['register']}.{name}")[1]
        mask, value = mask | field.mask, value | by << field.low
    made = f"{about['pll']} PLL, {float(plan.pll_mhz):g} MHz"
    yield f"# {clock['name']} at {float(plan.mhz):g} MHz, of the {made}: {clock['register']}"
    yield f"setexpr.l axm_pll *{chip.at(multiply[0]):#010x}"
    yield f'setexpr axm_pll ${{axm_pll}} "&" {multiply[1].mask:#010x}'
    yield (
        f'if test "${{axm_pll}}" != "{multiplied:x}"; then echo "axm: this boot loader has not the '
        f'{made}: build the project with --pll-mhz"; exit 1; fi'
    )
    key, address = about["unlock"]["key"], chip.at(table.registers[clock["register"]])
    yield f"mw.l {chip.at(table.registers[about['unlock']['register']]):#010x} {key:#010x}"
    yield f"setexpr.l axm_clock *{address:#010x}"
    yield f'setexpr axm_clock ${{axm_clock}} "&" {boot.WORD & ~mask:#010x}'
    yield f'setexpr axm_clock ${{axm_clock}} "|" {value:#010x}'
    yield f"mw.l {address:#010x} ${{axm_clock}}"


def _widths(plan: Plan) -> Iterator[str]:
    back = []
    for n, width in enumerate(boot.widths(plan)):
        yield f"# {width.name}: {width.source}"
        yield f"setexpr.l axm_was{n} *{width.address:#010x}"
        yield f'setexpr axm_new ${{axm_was{n}}} "&" {width.keep:#010x}'
        yield f'setexpr axm_new ${{axm_new}} "|" {width.value:#010x}'
        yield f"mw.l {width.address:#010x} ${{axm_new}}"
        back.append(f"mw.l {width.address:#010x} ${{axm_was{n}}}")
    if back:
        yield f'setenv axm_back "{"; ".join(back)}"'
