"""STEPS.md of a project: from the SD card to the first table, with this board's commands.

None of its steps was made on a board.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from axiometer.base import atomic_file, data
from axiometer.bringup.doctor.checks.devices import DRIVER
from axiometer.bringup.projects import boot
from axiometer.bringup.projects.boot.socfpga import port_bits
from axiometer.bringup.projects.boot.uboot import BOOTARGS
from axiometer.bringup.projects.devicetree import Choice
from axiometer.bringup.projects.plan import Plan
from axiometer.experiment import keys_shared
from axiometer.platform import Platform

FOLDER, FIRST = "software", "first.toml"
_MODES = {"dma": ["duplex", "ps_to_pl", "pl_to_ps"], "traffic": ["read", "write"]}
"""Of the tops that are measured; of `dma` that of its parameter MODE."""
_MASTERS = {
    "vendor-dma": ("axi_dma", False),
    "vendor-sg": ("axi_dma", True),
    "vendor-cdma": ("axi_cdma", True),
    "msgdma": ("msgdma", None),
}
"""Kinds of masters that are the engines of a top, and whether they have descriptors."""
_SIZES = {12: "4KiB", 16: "64KiB", 20: "1MiB"}
"""Of transfers of vendors' engines, by the power of two."""
LEFT_OUT = {"tests", "freertos", "build"}


def write(plan: Plan, choice: Choice, options: str, directory: Path) -> list[Path]:
    """Write STEPS.md, and `software/` with what the agent is built of, into a project's directory;
    the files that were written. options: of `axiometer build`, without the directory.
    AxiometerError where they cannot be."""
    texts = {"STEPS.md": text(plan, choice, options)} | sources()
    if (experiment := first(plan)) is not None:
        texts[FIRST] = experiment
    return atomic_file.write_texts(directory, texts)


def first(plan: Plan) -> str | None:
    """An experiment that fits the design; None for tops that `axiometer measure` does not drive."""
    platform = Platform.load(plan.board)
    if plan.top in _MASTERS:
        return _first_of_engines(plan, platform)
    modes = _MODES.get(plan.top, [])
    if "MODE" in plan.module.parameters:
        modes = modes[plan.module.parameters["MODE"] :][:1]
    names = _ports(plan, platform)
    free = keys_shared.runs_freely(platform)
    modes = [mode for mode in modes if not (free and mode == "duplex")]
    if not modes or not names:
        return None
    length = 'duration = "1ms"' if free else 'transfer_bytes = "1MiB"'
    ports = [*names, "+".join(names)] if len(names) > 1 else names
    return f"""\
# Every port of this project, and all at once; {plan.never_run}.
name = "{plan.board}-first"
title = "First table, {plan.title}"
platform = "{plan.board}"

[defaults]
pl_mhz = {float(plan.mhz):.10g}
width_bits = {plan.width}
{length}
pattern = "sequential"
repeats = 5

[sweep]
mode = {json.dumps(modes)}
burst_beats = [4, 16]
ports = {json.dumps(ports)}
"""


def _ports(plan: Plan, platform: Platform) -> list[str]:
    """As the platform calls them, where a chip's only port of a kind has no number."""
    return [
        link.name if link.name in platform.ports else link.name.removesuffix("0")
        for link in plan.links
    ]


def _first_of_engines(plan: Plan, platform: Platform) -> str | None:
    """The same with vendors' engines, whose transfers have a length: None on a chip whose masters
    in the model have none."""
    if keys_shared.runs_freely(platform):
        return None
    kind, chained = _MASTERS[plan.top]
    longest = plan.module.parameters["LENGTH_BITS"]
    sizes = [size for bits, size in _SIZES.items() if bits < longest]
    descriptors = "" if chained is None else f"scatter_gather = {json.dumps(chained)}\n"
    tables = "".join(
        f'\n[[master]]\nname = "{port}"\nkind = "{kind}"\nport = "{port}"\ndirection = "pair"\n'
        f"width_bits = {plan.width}\n{descriptors}"
        for port in _ports(plan, platform)
    )
    return f"""\
# All engines of this project at once; {plan.never_run}.
name = "{plan.board}-first"
title = "First table, {plan.title}"
platform = "{plan.board}"

[defaults]
pl_mhz = {float(plan.mhz):.10g}
repeats = 5

[sweep]
transfer_bytes = {json.dumps(sizes)}
{tables}"""


def sources() -> dict[str, str]:
    """The C side, by its place in a project: the agent's, and what it is on each target."""
    host, registers = data.directory("host"), data.directory("regs") / "generated"
    files = [path for path in host.rglob("*") if path.is_file() and _is_source(path)]
    found = {
        f"{FOLDER}/host/{path.relative_to(host)}": path
        for path in sorted(files)
        if not LEFT_OUT & set(path.relative_to(host).parts)
    }
    found |= {
        f"{FOLDER}/regs/generated/{path.name}": path for path in sorted(registers.glob("*.h"))
    }
    return {place: path.read_text(encoding="utf-8") for place, path in found.items()}


def _is_source(path: Path) -> bool:
    return path.suffix in {".c", ".h", ".S", ".ld", ".mk"} or path.name in {
        "Makefile",
        "sources.txt",
    }


def usual_top(board: str) -> str:
    """The top whose engines are those of the board's chip in the model."""
    return "traffic" if keys_shared.runs_freely(Platform.load(board)) else "dma"


def text(plan: Plan, choice: Choice, options: str) -> str:
    """The page. options: of `axiometer build`, without the directory."""
    return "\n".join(_lines(plan, choice, options)) + "\n"


def _lines(plan: Plan, choice: Choice, options: str) -> Iterator[str]:
    known = boot.of_chip(plan)
    there = f"root@{plan.board}"
    measured = first(plan) is not None
    yield f"# {plan.title}: from the SD card to the first table"
    yield (
        f"{plan.module.name} at {', '.join(link.name for link in plan.links) or 'no port'}. "
        f"Written by Axiometer; {plan.never_run}, nor on a board."
    )
    yield from _section(
        "The design",
        f"On the machine with {plan.tool}. It writes the bitstream, or stops with a message.",
        f"axiometer build {options} -o project",
        "cd project",
        "sh build.sh" if plan.tool == "Quartus" else "vivado -mode batch -source build.tcl",
    )
    if choice.driver == "uio":
        yield from _section(
            "The agent",
            "The program that runs Axiometer's commands on the board. Cross-compile it for Linux.",
            f"make -C {FOLDER}/host/agent CROSS_COMPILE={known['compiler']} BUILD=$PWD",
        )
        memory = "" if choice.mib else " This design has no masters and needs no buffer."
        yield from _section(
            "The card",
            "The board boots Linux, with you as root by ssh, with UIO "
            "(CONFIG_UIO_PDRV_GENIRQ) and, for buffers, "
            f"[u-dma-buf](https://github.com/ikwzm/udmabuf).{memory} Add to the kernel's "
            "arguments:",
            BOOTARGS,
        )
    elif choice.driver == "mainline":
        yield from _section(
            "The card",
            "The board boots Linux, with you as root by ssh, with the kernel's own driver of the "
            "engines, CONFIG_XILINX_DMA, and for AXI CDMA CONFIG_DMATEST as a module. Check its "
            "configuration, if the kernel shows it:",
            f"ssh {there} zgrep -E XILINX_DMA /proc/config.gz",
        )
    else:
        yield from _section(
            "The card",
            "The board boots Linux, with you as root by ssh. Build the driver (drivers/linux of "
            "the source tree) with the headers of its kernel, and load it.",
            f"make -C drivers/linux KDIR=HEADERS CROSS_COMPILE={known['compiler']}",
            f"scp drivers/linux/{DRIVER}.ko {there}:",
            f"ssh {there} insmod {DRIVER}.ko",
        )
    yield from (_intel(plan, known, there) if plan.tool == "Quartus" else _amd(plan, known, there))
    if choice.driver == "uio":
        yield from _uio(plan, choice, there, measured)
    else:
        yield from _section(
            "Check the board",
            "The doctor checks from the outside what can make a board hang.",
            f"axiometer doctor ssh:{there} --project .",
        )
    if "agent" in known:
        yield from _bare(plan, known, measured)


def _section(title: str, what: str, *commands: str) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield what
    yield ""
    yield from (f"    {command}" for command in commands)


def _amd(plan: Plan, known: Mapping[str, str], there: str) -> Iterator[str]:
    bootgen = f"bootgen -image linux/system.bif -arch {plan.system['tree']['bootgen']}"
    yield from _section(
        "Onto the board, while Linux runs",
        "The kernel needs overlays in configfs: AMD's kernels have them; for a mainline kernel use "
        "the next section. Linux programs the bitstream, the script sets the widths of the ports, "
        "then the devices appear.",
        f"{bootgen} -process_bitstream bin -w",
        "dtc -@ -I dts -O dtb -o bitstream.dtbo linux/bitstream.dtso",
        "dtc -@ -I dts -O dtb -o axm.dtbo linux/axm.dtso",
        f"ssh {there} mkdir -p axm",
        f"scp boot/overlay.sh boot/afi.sh bitstream.dtbo axm.dtbo system.bit.bin {there}:axm/",
        f"ssh {there} sh axm/overlay.sh load",
    )
    yield from _section(
        "Onto the board, before Linux",
        "For any kernel whose device tree has the nodes of `linux/axm.dtso`: U-Boot programs the "
        "bitstream and sets the widths. Copy to the first partition of the card, beside the "
        "kernel:",
        f"mkimage -A {known['arch']} -T script -C none -d boot/boot.cmd boot.scr",
        "cp boot.scr system.bit CARD",
    )


def _intel(plan: Plan, known: Mapping[str, str], there: str) -> Iterator[str]:
    bits = port_bits(plan)
    spl = (
        f" The SPL must open ports to the memory: FPGAPORTRST {bits:#x}, or any value but 0."
        if bits
        else ""
    )
    yield from _section(
        "Onto the board",
        "Set the switches MSEL to FPPx32, compressed (01010). U-Boot programs the bitstream, opens "
        f"the bridges and releases the ports from reset.{spl} `linux/axm.dtso` has the devices. "
        "Copy to the first partition of the card, beside the kernel:",
        f"mkimage -A {known['arch']} -T script -C none -d boot/boot.cmd boot.scr",
        "dtc -@ -I dts -O dtb -o axm.dtbo linux/axm.dtso",
        "fdtoverlay -i BOARD.dtb -o system.dtb axm.dtbo",
        "cp boot.scr axm.rbf system.dtb CARD",
    )


def _uio(plan: Plan, choice: Choice, there: str, measured: bool) -> Iterator[str]:
    buffer = " udmabuf0" if choice.mib else ""
    base, size = plan.windows[0]  # with the registers of vendors' engines, which lie behind
    agent = f"axm/axiometer-agent /dev/uio0 {base:#x} {size:#x}{buffer}"
    yield from _section(
        "Check the board",
        "The doctor checks from the outside what can make a board hang. Then the agent identifies "
        "the design and moves the first bytes.",
        f"ssh {there} mkdir -p axm",
        f"scp axiometer-agent {there}:axm/",
        f"axiometer doctor ssh:{there} --project . --agent {shlex.quote(agent)}",
    )
    if measured:
        target = shlex.quote(f"ssh:{there}:{agent}")
        file = "axm.rbf" if plan.tool == "Quartus" else "system.bit"
        rows = plan.engine is None
        yield from _section(
            "The first table",
            "The board's rates beside the model's and published ones"
            + ("; the rows are for `axiometer calibrate` and for others (contrib/)." * rows or "."),
            f"axiometer run {FIRST}",
            f"axiometer measure {target} {FIRST} --project . --bitstream {file}"
            + " --rows rows.csv" * rows,
            *([f"axiometer calibrate rows.csv --board {plan.board}"] if rows else []),
        )


def _bare(plan: Plan, known: Mapping[str, str], measured: bool) -> Iterator[str]:
    yield from _section(
        "Without a card: JTAG and a serial line",
        "The agent without an operating system, at the board's UART (115200 baud).",
        f"unzip system.xsa {known['init_file']} -d boot",
        f"{boot.agent(plan)} BUILD=$PWD/boot",
        "mv boot/axm-agent.elf boot/agent.elf",
        "xsdb boot/xsdb.tcl",
        *([f"axiometer measure serial:/dev/ttyUSB1 {FIRST} --project ."] if measured else []),
    )
