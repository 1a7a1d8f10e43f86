"""Compares the overlays, as dtc compiles them, with the block design that `vivado` recorded:
registers, interrupt, clock, coherence, bitstream and memory. It reads no text of theirs,
and takes from the plan nothing that the block design has itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from axiometer.bringup.projects import boot
from axiometer.bringup.projects.devicetree import FOLDER
from axiometer.bringup.projects.plan import Plan
from axiometer.designs import ps_facts
from validate.projects import facts
from validate.projects.devicetree import blob, mainline
from validate.projects.devicetree.blob import Labels, Node
from validate.projects.vivado.recorded import Recorded
from validate.projects.vivado.rules import number_of, slaves

_DRIVERS = ("axiometer,dma-1", "generic-uio")
_OTHERS = ("bitstream", "axm")
_LIKE = {"axiometer,dma-1": "xlnx,axi-dma-1.00.a"}
# dtc's own; and what every device may have: Devicetree Specification, 2.3.10 and 3.5.
_COMMON = ("phandle", "dma-coherent", "memory-region")
_FLAGS = ("dma-coherent", "reusable", "ranges")


def check(it: Recorded, plan: Plan, directory: Path) -> list[str]:
    """Everything that is wrong; none if the overlays are those of the block design.
    AxiometerError if there is no dtc."""
    trees: dict[str, Node] = {}
    found = []
    for path in sorted((directory / FOLDER).glob("*.dtso")):
        root, told = blob.compiled(path)
        found += told
        if root is not None:
            trees[path.stem] = root
    missing = [name for name in _OTHERS if name not in trees]
    if missing:
        return found or [f"there is no {FOLDER}/{missing[0]}.dtso"]
    try:
        found += _region(it, plan, trees["bitstream"])
        found += _fabric(it, plan, trees["axm"], trees.get("memory"))
    except ValueError as error:
        found.append(str(error))
    return found


def _shown(root: Node, target: str) -> Iterator[str]:
    """What a node has is what public trees have in one of its kind. Nodes of our own driver are as
    those of AXI DMA, for which there are public ones."""
    region = root.nodes["fragment@0"].nodes["__overlay__"]
    for name in region.properties:
        if name not in _COMMON and not facts.seen("target", target, name):
            yield f"no public overlay gives {target} a {name}"
    for node in region.nodes.values():
        for kind in set(node.texts("compatible")) - set(mainline.bindings()):
            for name in node.properties:
                like = _LIKE.get(kind, kind)
                if name not in _COMMON and not facts.seen("node", like, name):
                    yield f"{node.path}: no public device tree gives {like} a {name}"


def _target(plan: Plan, root: Node, wanted: str) -> Iterator[str]:
    """An overlay's target, and its cells."""
    yield from _shown(root, wanted)
    target = blob.labels(root).get(("/fragment@0", "target", 0))
    cells = plan.system["tree"]["cells"]
    if target != wanted:
        yield f"the overlay's target is {target}, not {wanted}"
    for name in ("#address-cells", "#size-cells"):
        found = root.nodes["fragment@0"].nodes["__overlay__"].words(name)
        if found != [cells]:
            yield f"{name} is {found}, {target} has {cells}"


def _region(it: Recorded, plan: Plan, root: Node) -> Iterator[str]:
    """The region: bitstream, reset, widths, clock; no device of the design, whose driver would look
    at it before the ports have their widths."""
    labels = blob.labels(root)
    tree = plan.system["tree"]
    yield from _target(plan, root, tree["region"])
    region = root.nodes["fragment@0"].nodes["__overlay__"]
    if any(blob.is_a(node, *_DRIVERS, *mainline.bindings()) for node in region.nodes.values()):
        yield "a device of the design is there before the ports have their widths"
    wanted = [f"{Path(path).name}.bin" for path in it.reports if path.endswith(".bit")]
    if region.texts("firmware-name") != wanted:
        yield f"firmware-name is {region.texts('firmware-name')}, the project makes {wanted}"
    number = number_of(it, "/reset_pl/ext_reset_in", tree.get("resets", {}))
    found = (labels.get((region.path, "resets", 0)), region.words("resets")[1:])
    if number is not None and found != (tree["reset_controller"], [number]):
        yield f"resets is {found[0]} {found[1]}, the fabric's reset is {number}"
    yield from _widths(plan, region)
    yield from _clock(it, plan, region, labels)


def _widths(plan: Plan, region: Node) -> Iterator[str]:
    """What the driver of the ports' widths writes is what the scripts write."""
    afi = plan.system["tree"]["afi"]
    nodes = [node for node in region.nodes.values() if blob.is_a(node, afi["compatible"])]
    wanted = {width.address: width.value for width in boot.widths(plan)}
    if "numbers" in afi:
        numbers = {afi["numbers"][width.key]: width.value for width in boot.widths(plan)}
        words = [word for node in nodes for word in node.words("config-afi")]
        written = dict(zip(words[::2], words[1::2], strict=True))
        if written != numbers or len(nodes) != 1:
            yield f"config-afi is {written}, the ports' widths are {numbers}"
        return
    written = {}
    for node in nodes:
        for at in (0, 0x14):  # AFI_RDCHAN_CTRL, AFI_WRCHAN_CTRL
            written[node.words("reg")[0] + at] = node.words(afi["width"])[0]
    if written != wanted:
        yield f"the nodes for widths write {_named(written)}, the ports' are {_named(wanted)}"


def _named(words: dict[int, int]) -> str:
    return ", ".join(f"{address:#x}: {word}" for address, word in words.items()) or "nothing"


def _fabric(it: Recorded, plan: Plan, root: Node, kept: Node | None) -> Iterator[str]:
    labels = blob.labels(root)
    yield from _target(plan, root, plan.system["tree"]["bus"])
    region = root.nodes["fragment@0"].nodes["__overlay__"]
    if "firmware-name" in region.properties:
        yield "the devices' overlay programs the fabric again"
    devices = [node for node in region.nodes.values() if blob.is_a(node, *_DRIVERS)]
    engines = [n for n in region.nodes.values() if blob.is_a(n, *mainline.bindings())]
    if engines and not devices:
        yield from mainline.check(it, plan, engines, labels)
        for node in engines:
            yield from _coherence(it, plan, node)
        return
    if len(devices) != 1:
        yield f"{len(devices)} devices for {' or '.join(_DRIVERS)}, not one"
        return
    yield from _device(it, plan, devices[0], labels)
    yield from _buffer(it, plan, region, devices[0], labels, kept)
    for node in region.nodes.values():
        for flag in _FLAGS:
            if node.properties.get(flag):
                yield f"{node.path}: {flag} has a value, it is there or not"


def _device(it: Recorded, plan: Plan, device: Node, labels: Labels) -> Iterator[str]:
    tree = plan.system["tree"]
    windows = _windows(it)
    found = blob.pairs(device, "reg", tree["cells"])
    if found != windows:
        yield f"reg is {_hex(found)}, the processor reaches {_hex(windows)}"
    address = device.path.rpartition("@")[2]
    if windows and address != f"{windows[0][0]:x}":
        yield f"{device.path} is not named by its address {windows[0][0]:x}"
    if blob.is_a(device, "axiometer,dma-1") and not plan.module.parameters.get("RINGS"):
        yield f"{device.path} is for a driver of rings, the design has none"
    parent = labels.get((device.path, "interrupt-parent", 0))
    if parent != tree["interrupt_controller"]:
        yield f"interrupt-parent is {parent}, not {tree['interrupt_controller']}"
    number = number_of(it, "/axm/irq", tree["interrupts"])
    if device.words("interrupts") != [0, number, 4]:
        yield (
            f"interrupts is {device.words('interrupts')}, the design's line is the shared "
            f"peripheral interrupt {number}, active high: [0, {number}, 4]"
        )
    if blob.is_a(device, "axiometer,dma-1") and "clock_controller" in tree:
        clock = (tree["clock_controller"], number_of(it, "/axm/aclk", tree["clocks"]))
        label = labels.get((device.path, "clocks", 0))
        if (label, *device.words("clocks")[1:]) != clock:
            yield f"{device.path}: clocks is not the fabric's, {clock[0]} {clock[1]}"
    yield from _coherence(it, plan, device)


def _windows(it: Recorded) -> list[tuple[int, int]]:
    """What the processor reaches, ours first: what lies side by side is one."""
    registers = [a for a in it.addresses if a.space == "/ps/Data"]
    registers.sort(key=lambda a: (a.segment != "/axm/S_AXIL/registers", a.base))
    found: list[tuple[int, int]] = []
    for each in registers:
        if found and sum(found[-1]) == each.base:
            found[-1] = (found[-1][0], found[-1][1] + each.size)
        else:
            found.append((each.base, each.size))
    return found


def _coherence(it: Recorded, plan: Plan, node: Node) -> Iterator[str]:
    """Only what every master reaches through coherent ports is coherent."""
    ports = ps_facts.system(plan.chip).ports
    reached = {
        slave.removeprefix("/ps/")
        for space in {a.space for a in it.addresses} - {"/ps/Data"}
        for slave in slaves(it, space)
        if slave.startswith("/ps/")
    }
    wanted = bool(reached) and all(ports[name]["kind"] == "coherent" for name in reached)
    if ("dma-coherent" in node.properties) != wanted:
        word = "is not" if wanted else "is"
        yield f"{node.path} {word} dma-coherent; its ports: {', '.join(sorted(reached)) or 'none'}"


def _clock(it: Recorded, plan: Plan, region: Node, labels: Labels) -> Iterator[str]:
    tree = plan.system["tree"]
    clocks = [node for node in region.nodes.values() if blob.is_a(node, "xlnx,fclk")]
    if len(clocks) != 1:
        yield f"{len(clocks)} nodes switch the fabric's clock on, not one"
        return
    number = number_of(it, "/axm/aclk", tree["clocks"])
    for name in ("clocks", "assigned-clocks"):
        label = labels.get((clocks[0].path, name, 0))
        if label != tree["clock_controller"] or clocks[0].words(name)[1:] != [number]:
            yield f"{name} is {label} {clocks[0].words(name)[1:]}, the fabric's clock is {number}"
    rate = round(plan.mhz * 10**6)
    if clocks[0].words("assigned-clock-rates") != [rate]:
        asked = clocks[0].words("assigned-clock-rates")
        yield f"the clock's rate is {asked}, the design has {rate}"


def _buffer(
    it: Recorded, plan: Plan, region: Node, device: Node, labels: Labels, kept: Node | None
) -> Iterator[str]:
    """Memory for UIO; where it is kept, all of it is where every master reaches it."""
    buffers = [node for node in region.nodes.values() if blob.is_a(node, "ikwzm,u-dma-buf")]
    spaces = {a.space for a in it.addresses} - {"/ps/Data"}
    wanted = 1 if spaces and blob.is_a(device, "generic-uio") else 0
    if len(buffers) != wanted:
        yield f"{len(buffers)} buffers, not {wanted}"
        return
    for node in buffers:
        yield from _coherence(it, plan, node)
        if node.texts("device-name") != ["udmabuf0"]:
            yield f"the buffer is {node.texts('device-name')}, the agent looks for udmabuf0"
    label = labels.get((buffers[0].path, "memory-region", 0)) if buffers else None
    if (label is None) != (kept is None):
        yield "memory is kept and not used" if kept else f"nothing keeps the memory {label}"
    if kept is None or label is None:
        return
    cells = plan.system["tree"]["cells"]
    path = (kept.nodes["__symbols__"].texts(label) or [""])[0]
    pool: Node | None = kept
    for name in path.strip("/").split("/"):
        pool = pool.nodes.get(name) if pool else None
    if not pool or not blob.is_a(pool, "shared-dma-pool") or "reusable" not in pool.properties:
        yield f"{label} is no shared pool of memory"
        return
    size = blob.numbers(pool, "size", cells)
    if [size[0] if size else 0] != buffers[0].words("size"):
        yield f"{_hex(size)} bytes are kept, the buffer has {_hex(buffers[0].words('size'))}"
    for base, length in blob.pairs(pool, "alloc-ranges", cells) or [(0, 1 << 64)]:
        for space in sorted(spaces):
            segments = [(a.base, a.base + a.size) for a in it.addresses if a.space == space]
            if not any(low <= base and base + length <= high for low, high in segments):
                yield f"memory from {base:#x} to {base + length:#x} is not all reached by {space}"


def _hex(values: Sequence[int | tuple[int, ...]]) -> str:
    return str([tuple(map(hex, v)) if isinstance(v, tuple) else hex(v) for v in values])
