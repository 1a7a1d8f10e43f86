"""Nodes for the kernel's own drivers of vendors' engines: as the kernel's bindings have them
(`bindings.toml`), and of the engines that the block design has."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.bringup.projects.plan import Plan
from validate.projects import facts
from validate.projects.devicetree import blob
from validate.projects.devicetree.blob import Labels, Node
from validate.projects.vivado.catalogue import Cell
from validate.projects.vivado.recorded import Recorded
from validate.projects.vivado.rules import number_of

# What every device may have.
_COMMON = ("phandle", "dma-coherent", "interrupt-parent")


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("bindings.toml").read_text(encoding="utf-8"))


def bindings() -> dict[str, Any]:
    """What the kernel's bindings say of engines, by `compatible`."""
    return {kind: about for kind, about in _file().items() if kind != "channel"}


def check(it: Recorded, plan: Plan, nodes: list[Node], labels: Labels) -> Iterator[str]:
    """Everything that is wrong: a node for each engine of the block design, and no other."""
    cores = {about["core"]: kind for kind, about in bindings().items()}
    cells = sorted(
        (cell for cell in it.cells.values() if cell.kind.vlnv in cores), key=lambda cell: cell.name
    )
    if len(nodes) != len(cells):
        yield f"{len(nodes)} nodes for the kernel's own driver, {len(cells)} engines"
        return
    for cell in cells:
        own = f"/{cell.name}/"
        segments = [(a.base, a.size) for a in it.addresses if a.segment.startswith(own)]
        there = [n for n in nodes if blob.pairs(n, "reg", plan.system["tree"]["cells"]) == segments]
        if len(there) != 1 or there[0].texts("compatible") != [cores[cell.kind.vlnv]]:
            yield f"no node has the registers and the kind of {cell.name}"
            continue
        yield from _engine(it, plan, cell, there[0], labels)


def _engine(it: Recorded, plan: Plan, cell: Cell, node: Node, labels: Labels) -> Iterator[str]:
    kind, tree = node.texts("compatible")[0], plan.system["tree"]
    about = bindings()[kind]
    yield from _properties(node, kind, about["must"], about["may"])
    (base, _), *_ = blob.pairs(node, "reg", tree["cells"])
    if node.path.rpartition("@")[2] != f"{base:x}":
        yield f"{node.path} is not named by its address {base:x}"
    if node.words("#dma-cells") != [1]:
        yield f"{node.path}: #dma-cells is {node.words('#dma-cells')}, a client gives one number"
    names = [name for name in about["clocks"] if name in cell.pins()]
    if node.texts("clock-names") != names:
        yield f"{node.path}: clock-names are {node.texts('clock-names')}, the engine has {names}"
    wired = [(tree["clock_controller"], number_of(it, f"/{cell.name}/{name}", tree["clocks"]))
             for name in names]  # fmt: skip
    words = node.words("clocks")
    found = [(labels.get((node.path, "clocks", 4 * at)), words[at + 1])
             for at in range(0, len(words) - 1, 2)]  # fmt: skip
    if found != wired:
        yield f"{node.path}: clocks are {found}, the engine has {wired}"
    address = int(cell.value(about["address"]))
    if node.words("xlnx,addrwidth") != [32 if address <= 32 else 64]:
        yield f"{node.path}: {node.words('xlnx,addrwidth')} address bits, the engine has {address}"
    length = [int(cell.value(about["length"]))] if "length" in about else []
    if node.words("xlnx,sg-length-width") != length:
        yield f"{node.path}: the engine has {length[0] if length else 'no'} bits of length"
    parent = labels.get((node.path, "interrupt-parent", 0))
    if parent != tree["interrupt_controller"]:
        yield f"{node.path}: interrupt-parent is {parent}, not {tree['interrupt_controller']}"
    channels = {text: each for each in node.nodes.values() for text in each.texts("compatible")}
    wanted = [channel["compatible"] for channel in about["channel"]]
    if sorted(channels) != sorted(wanted) or len(node.nodes) != len(wanted):
        yield f"{node.path}: channels are {sorted(channels)}, the engine has {sorted(wanted)}"
        return
    for channel in about["channel"]:
        yield from _of_channel(it, plan, cell, channel, channels[channel["compatible"]])


def _of_channel(
    it: Recorded, plan: Plan, cell: Cell, about: dict[str, str], node: Node
) -> Iterator[str]:
    yield from _properties(node, about["compatible"], *_file()["channel"].values())
    # The engine's line goes into the instrument, whose only line is the OR of all.
    number = number_of(it, "/axm/irq", plan.system["tree"]["interrupts"])
    if node.words("interrupts") != [0, number, 4]:
        yield f"{node.path}: interrupts is {node.words('interrupts')}, not [0, {number}, 4]"
    data, realigns = cell.value(about["data"]), cell.value(about["realigns"])
    if node.words("xlnx,datawidth") != [int(data)]:
        yield f"{node.path}: {node.words('xlnx,datawidth')} data bits, not {data}"
    if ("xlnx,include-dre" in node.properties) != (realigns == "1"):
        yield f"{node.path}: xlnx,include-dre is wrong, {about['realigns']} is {realigns}"


def _properties(node: Node, kind: str, must: list[str], may: list[str]) -> Iterator[str]:
    """What the binding asks for is there, and nothing that neither it nor a public tree has."""
    for name in must:
        if name not in node.properties:
            yield f"{node.path}: the kernel's binding asks for {name}"
    for name in node.properties:
        if name in _COMMON or facts.seen("node", kind, name):
            continue
        if name not in (*must, *may):
            yield f"{node.path}: neither the binding nor a public tree gives {kind} a {name}"
