"""Checks the overlays and `boot.cmd` of a project for Intel's chips against the system."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from axiometer.bringup.projects import boot
from axiometer.bringup.projects.devicetree import FOLDER
from axiometer.bringup.projects.plan import Plan
from validate.projects.boot import board_events
from validate.projects.boot.run_uboot import UBoot
from validate.projects.devicetree import blob
from validate.projects.quartus.component import Component
from validate.projects.quartus.system import Recorded

_FIRST_INTERRUPT = 40
"""The shared peripheral interrupt of number 0 of f2h_irq0: TRM, "GIC Interrupt Map", 72 less 32."""
PORT_RESET, HANDOFF = 0xFFC25080, 0x1FF
"""fpgaportrst, and what U-Boot's SPL of the DE10-Nano has there; that of the DE1-SoC has 0."""
_IF = re.compile(r'if test "\$\{(\w+)\}" = "(\w+)"; then echo "[^"$]*"; exit 1; fi')
OPEN, CLOSE, PORTS = "bridges open", "bridges closed", "ports"


def overlays(it: Recorded, component: Component, plan: Plan, directory: Path) -> Iterator[str]:
    """The overlays, as dtc compiles them."""
    trees = {}
    for path in sorted((directory / FOLDER).glob("*.dtso")):
        root, wrong = blob.compiled(path)
        yield from wrong
        if root is not None:
            trees[path.stem] = root
    if "axm" not in trees:
        yield f"there is no {FOLDER}/axm.dtso"
        return
    root = trees["axm"]
    labels = blob.labels(root)
    if labels.get(("/fragment@0", "target", 0)) != "base_fpga_region":
        yield "the overlay's target is no region of the fabric"
    region = root.nodes["fragment@0"].nodes["__overlay__"]
    if region.texts("firmware-name") != ["axm.rbf"]:
        yield f"firmware-name is {region.texts('firmware-name')}, build.sh makes axm.rbf"
    bridges = {labels.get((region.path, "fpga-bridges", 4 * n))
               for n in range(len(region.words("fpga-bridges")))}  # fmt: skip
    wanted = _bridges(it)
    if bridges != wanted:
        yield f"fpga-bridges are {sorted(map(str, bridges))}, the design has {sorted(wanted)}"
    opened = {
        labels.get((f"/{name}", "target", 0))
        for name, node in root.nodes.items()
        if name.startswith("fragment@") and name != "fragment@0"
        and node.nodes["__overlay__"].texts("status") == ["okay"]
    }  # fmt: skip
    if opened != wanted:
        yield f"of the bridges {sorted(map(str, opened))} are switched on"
    devices = [node for node in region.nodes.values() if node.properties.get("reg")]
    reg = [word for window in plan.windows for word in window]
    if [node.words("reg") for node in devices] != [reg]:
        yield f"reg is {[node.words('reg') for node in devices]}, the processor reaches {reg}"
        return
    (device,) = devices
    values = next((v for (s, e), v in it.connections.items() if e.endswith(".irq")), {})
    number = _FIRST_INTERRUPT + int(values.get("irqNumber", "0"))
    if device.words("interrupts") != [0, number, 4]:
        yield f"interrupts is {device.words('interrupts')}, the design's is {number}, active high"
    if labels.get((device.path, "interrupt-parent", 0)) != "intc":
        yield "the interrupt's controller is not intc"
    rings = "axiometer,dma-1" in device.texts("compatible")
    if rings and not plan.module.parameters.get("RINGS"):
        yield "the driver of rings has none"
    if any("dma-coherent" in node.properties for node in region.nodes.values()):
        yield "a node is coherent, and no port reaches the ACP"
    buffers = [n for n in region.nodes.values() if "ikwzm,u-dma-buf" in n.texts("compatible")]
    if len(buffers) != int(bool(plan.links) and not rings):
        yield f"there are {len(buffers)} buffers"
    if any(("memory-region" in node.properties) != ("memory" in trees) for node in buffers):
        yield "memory is kept and not used, or used and not kept"


def _bridges(it: Recorded) -> set[str]:
    """Labels of socfpga.dtsi for the bridges that the system uses."""
    names = {"h2f_lw_axi_master": "fpga_bridge0", "h2f_axi_master": "fpga_bridge1",
             "f2h_axi_slave": "fpga_bridge2"}  # fmt: skip
    found = set()
    for pair in it.connections:
        for path in pair:
            interface = path.partition(".")[2]
            if interface.startswith("f2h_sdram") and interface.endswith("_data"):
                found.add("fpga_bridge3")
            elif interface in names:
                found.add(names[interface])
    return found


class _Prompt(UBoot):
    """U-Boot of these chips: `bridge`, `fpga load`, `if` in a line; `handoff` is the SPL's."""

    def __init__(self, handoff: int) -> None:
        super().__init__({PORT_RESET: 0})
        self.handoff = handoff

    def line(self, line: str) -> None:
        """A line; none after `exit`."""
        found = _IF.fullmatch(line.strip())
        if self.ended:
            return
        if found is None:
            super().line(line)
        elif self.env.get(found[1]) == found[2]:
            self.ended = True

    def command(self, words: list[str]) -> None:
        if words[0] == "bridge":
            opens = words[1:] == ["enable"]
            if opens and board_events.BITSTREAM not in self.session.kinds():
                self.wrong("bridges are opened before the bitstream is loaded")
            self.session.events.append((OPEN if opens else CLOSE, ""))
            self.words[PORT_RESET] = self.handoff if opens else 0
        elif words[0] == "sleep":
            self.session.events.append(("wait", words[1]))
        elif words[0] == "load" and words[-1] == "axm.rbf":
            self.loaded[words[-2]] = "axm.rbf"
            self.env["filesize"] = "1000"
        else:
            super().command(words)

    def fpga(self, verb: str, what: str, device: str, address: str, size: str) -> None:
        if what != "load" or self.loaded.get(address) != "axm.rbf":
            self.wrong(f"fpga {what} of {self.loaded.get(address)}")
        if CLOSE not in self.session.kinds():
            self.wrong("the fabric is programmed while the bridges are open")
        self.session.events.append((board_events.BITSTREAM, address))

    def write(self, verb: str, address: str, value: str) -> None:
        if int(address, 16) != PORT_RESET:
            self.wrong(f"{address} is written, which is not fpgaportrst")
        if OPEN not in self.session.kinds():
            self.wrong("ports are taken out of reset before their widths are applied")
        self.words[int(address, 16)] = int(value, 16)
        self.session.events.append((PORTS, address))


def uboot(it: Recorded, plan: Plan, directory: Path) -> Iterator[str]:
    """boot.cmd: order, and the bits of fpgaportrst for the widths that the system has."""
    text = (directory / boot.FOLDER / "boot.cmd").read_text(encoding="utf-8")
    prompt, without = _Prompt(HANDOFF), _Prompt(0)
    for line in text.splitlines():
        prompt.line(line)
        without.line(line)
    yield from (f"boot.cmd: {finding}" for finding in prompt.session.findings)
    bits = _bits(it)
    ports = [PORTS] if bits else []
    order = [CLOSE, board_events.BITSTREAM, "wait", OPEN, *ports, board_events.SYSTEM]
    if prompt.session.kinds() != order:
        yield f"boot.cmd: does {prompt.session.kinds()}; in order it is {order}"
    now = prompt.words[PORT_RESET]
    if now != HANDOFF | bits:
        yield f"boot.cmd: fpgaportrst is {now:#x}, the design's ports are {bits:#x}"
    if bits and (not without.ended or without.words[PORT_RESET]):
        yield "boot.cmd: goes on though the SPL has no ports to the memory"
    kept = (directory / FOLDER / "memory.dtso").is_file()
    if kept != ("axm_memory_kept" in prompt.env):
        yield "boot.cmd: linux/memory.dtso is not applied"
    for command in prompt.env.get("axm_back", "").split(";"):
        prompt.line(command)
    if prompt.words[PORT_RESET] != HANDOFF:
        yield "boot.cmd: fpgaportrst is not put back"


def _bits(it: Recorded) -> int:
    """Read, write and command ports that the HPS's parameters take: a port to the memory reads and
    writes with one of 64 bits each for each 64 bits, and takes a command port for each way."""
    values = it.parameters[it.of_kind("altera_hps")]
    wide = [int(bits) for bits in values.get("F2SDRAM_Width", "").split()]
    data = sum(max(1, bits // 64) for bits in wide)
    both = (1 << data) - 1
    return both | both << 4 | ((1 << 2 * len(wide)) - 1) << 8
