"""Proof of a project's overlays: dtc compiles them without a warning, they apply to a tree with the
chip's labels, properties are those of public trees or of the kernel's bindings (`facts`), numbers
are the plan's. What else they say is in the snapshots."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from axiometer.bringup.projects import boot
from axiometer.bringup.projects.devicetree import FOLDER
from axiometer.bringup.projects.engines import STEP
from axiometer.bringup.projects.plan import Plan
from project_proof import facts, scripts

# What every device may have: Devicetree Specification, 2.3.10 and 3.5; and dtc's own.
_COMMON = {"phandle", "dma-coherent", "memory-region", "compatible"}
_LIKE = {"axiometer,dma-1": "xlnx,axi-dma-1.00.a"}  # our driver's node is as one of AXI DMA
# Linux' own build switches this warning off too (scripts/Makefile.lib).
_DTC = ("dtc", "-W", "no-avoid_unnecessary_addr_size", "-@", "-O", "dtb", "-o")


def check(plan: Plan, directory: Path) -> list[str]:
    """Everything that is wrong. AxiometerError if there is no dtc."""
    scripts.needed("dtc", "device-tree-compiler")
    with tempfile.TemporaryDirectory(prefix="axiometer-tree-") as place:
        found, text = applied(plan, directory, Path(place))
    return found or [*_properties(text), *_numbers(plan, directory)]


def applied(plan: Plan, directory: Path, place: Path) -> tuple[list[str], str]:
    """What is wrong with the overlays, and the tree with all of them; `tree.dtb` is left."""
    now = place / "tree.dtb"
    (place / "base.dts").write_text(_base(plan), "utf-8")
    subprocess.run(["dtc", "-q", *_DTC[3:], now, place / "base.dts"], check=True)
    for name in ("memory", "bitstream", "axm"):
        source = directory / FOLDER / f"{name}.dtso"
        if not source.is_file():
            continue
        for words in (
            [*_DTC, place / f"{name}.dtbo", source],
            ["fdtoverlay", "-i", now, "-o", now, place / f"{name}.dtbo"],
        ):
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode or done.stderr.strip():
                return [f"{name}.dtso: {words[0]}: {done.stderr.strip() or 'refused'}"], ""
    text = subprocess.run(
        ["dtc", "-q", "-I", "dtb", "-O", "dts", now], capture_output=True, text=True
    )
    return [], text.stdout


def _base(plan: Plan) -> str:
    """A tree with the labels that the chip's kernel has."""
    tree, cells = plan.system["tree"], plan.system["tree"]["cells"]
    space = f"#address-cells = <{cells}>; #size-cells = <{cells}>;"
    nodes = {
        tree["region"]: f"{space} ranges;",
        tree.get("bus", "bus"): f"{space} ranges;",
        tree["interrupt_controller"]: "interrupt-controller; #interrupt-cells = <3>;",
        tree.get("clock_controller", "clock"): "#clock-cells = <1>;",
        tree.get("reset_controller", "reset"): "#reset-cells = <1>;",
        **dict.fromkeys(tree.get("bridges", {}).values(), 'status = "disabled";'),
    }
    body = "".join(
        f"{label}: node{n} {{ {text} }};\n" for n, (label, text) in enumerate(nodes.items())
    )
    return f"/dts-v1/;\n/ {{ {space}\n{body}}};\n"


def _properties(text: str) -> Iterator[str]:
    """Each property of a node is one that a public node of its kind has, and none is missing."""
    stack: list[tuple[str, dict[str, str]]] = []
    for line in text.splitlines():
        if opened := re.fullmatch(r"\s*(?:\w+: )*([^\s{]+) \{", line):
            stack.append((opened[1], {}))
        elif line.strip() == "};":
            name, properties = stack.pop()
            for kind in re.findall(r'"([^"]+)"', properties.get("compatible", "")):
                known = facts.names("vivado", f"node {_LIKE.get(kind, kind)}")
                for key in properties.keys() - known.keys() - _COMMON:
                    yield f"{name}: no public device tree gives {kind} a {key}"
                for key in facts.names("vivado", f"must {kind}").keys() - properties.keys():
                    yield f"{name}: the kernel's binding of {kind} asks for {key}"
        elif stack and (said := re.fullmatch(r"\s*([\w,#-]+)(?: = (.*))?;", line)):
            stack[-1][1][said[1]] = said[2] or ""


def _numbers(plan: Plan, directory: Path) -> Iterator[str]:
    """Registers, interrupt, coherence and widths are the plan's; every port reaches kept memory."""
    tree, folder, values = plan.system["tree"], directory / FOLDER, plan.module.parameters
    texts = {path.stem: path.read_text("utf-8") for path in folder.glob("*.dtso")}
    axm, cells = texts["axm"], tree["cells"]
    found = [w for reg in re.findall(r"\breg = (.*);", axm) for w in _pairs(reg, cells)]
    wanted = list(plan.windows)
    if "#dma-cells" in axm and plan.engine and plan.tool == "Vivado":
        wanted = [(plan.engine.base + link.number * STEP, STEP) for link in plan.links]
        for name, parameter in (("datawidth", "DATA_W"), ("sg-length-width", "LENGTH_BITS")):
            if set(re.findall(rf"{name} = <(\d+)>", axm)) - {str(values[parameter])}:
                yield f"axm.dtso: {name} is not the engine's {values[parameter]}"
    if found != wanted:
        yield f"axm.dtso: reg is {found}, the processor reaches {wanted}"
    lines = [f"0 {number} 4" for number in tree["interrupts"].values()]
    if set(re.findall(r"interrupts = <(.*)>", axm)) != set(lines):
        yield f"axm.dtso: the interrupt is not {lines[0]}"
    ports = plan.system.get("coherent", {}).get("ports", ())
    coherent = bool(plan.links) and all(link.name in ports for link in plan.links)
    if ("dma-coherent" in axm) != coherent:
        yield f"axm.dtso: dma-coherent, where coherent ports are {coherent}"
    if plan.tool == "Vivado":
        yield from _widths(plan, texts["bitstream"])
    ranges = re.findall(r"alloc-ranges = (.*);", texts.get("memory", ""))
    if "memory" in texts and not ranges:
        yield "memory.dtso: memory is kept anywhere"
    for base, size in (pair for each in ranges for pair in _pairs(each, cells)):
        for link in plan.links:
            if not any(m.base <= base and base + size <= m.base + m.size for m in link.memory):
                yield f"memory.dtso: {link.name} does not reach all of {size:#x} bytes at {base:#x}"


def _widths(plan: Plan, text: str) -> Iterator[str]:
    """What the driver of the ports' widths writes is what the scripts write."""
    afi = plan.system["tree"]["afi"]
    if "numbers" in afi:
        found = re.findall(r"<(\d+) (0x[0-9a-f]+)>", text)
        wanted = [(afi["numbers"][w.key], w.value) for w in boot.widths(plan)]
    else:
        pairs = re.findall(r"reg = <(0x\w+) .*\n.*width = <(\d)>", text)
        found = [(f"{int(at, 0) + word:d}", value) for at, value in pairs for word in (0, 0x14)]
        wanted = [(w.address, w.value) for w in boot.widths(plan)]
    if sorted((int(at), int(value, 0)) for at, value in found) != sorted(wanted):
        yield f"bitstream.dtso: widths are {found}, the ports' are {wanted}"


def _pairs(text: str, cells: int) -> list[tuple[int, int]]:
    words = [int(word, 16) for word in re.findall(r"0x[0-9a-f]+", text)]
    numbers = [words[n] << 32 * (cells - 1) | words[n + cells - 1] * (cells > 1)
               for n in range(0, len(words), cells)]  # fmt: skip
    return list(zip(numbers[::2], numbers[1::2], strict=True))
