"""Checks Intel's engines of a system: the cores have what the instrument's parameters say of them,
and their registers are where the library for the processor looks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from axiometer.base import data
from axiometer.bringup.projects.plan import Plan
from validate.projects.quartus.component import Component
from validate.projects.quartus.system import Recorded

CORE = "altera_msgdma"
_NUMBER_OF_MSGDMA = 6  # regs/vendor.rdl, CAPS.ENGINE
LONGEST = 16
"""Beats of a burst of AXI3."""
_MODES = {"send": "1", "receive": "2"}
# 683130, mSGDMA: what the library needs of each (host/include/axm/engines/msgdma.h).
_NEEDED = {"ENHANCED_FEATURES": "1", "PACKET_ENABLE": "1", "PREFETCHER_ENABLE": "0",
           "STRIDE_ENABLE": "0"}  # fmt: skip
_RESPONSES = {"send": "2", "receive": "0"}
_TRANSFERS = {0: "Aligned Accesses", 1: "Unaligned Accesses"}
_GIVEN = re.compile(r"\.(\w+)\((?:32'd)?(\d+)\)")


def check(it: Recorded, component: Component, plan: Plan, directory: Path) -> Iterator[str]:
    """Every difference; none of a top without such engines."""
    if plan.engine is None:
        return
    cores = {name for name, kind in it.kinds.items() if kind == CORE}
    wanted = {f"{part}{link.number}" for link in plan.links for part in _MODES}
    if cores != wanted:
        yield f"the engines are {sorted(cores)}, the design has {sorted(wanted)}"
        return
    says = _parameters(component, directory)
    for name, value in (("ENGINE", _NUMBER_OF_MSGDMA), ("LINES", len(_MODES))):
        if says.get(name) != value:
            yield f"the instrument says {name} {says.get(name)} of engines with {value}"
    for link in plan.links:
        for place, part in enumerate(_MODES):
            yield from _core(it, part, link.number, says)
            line = link.number * len(_MODES) + place
            yield from _joined(it, part, link.number, line)
        yield from _addresses(it, plan, link.number, says)
        bits = component.interfaces[f"s{link.number}_axi"].width("wdata")
        if bits != says.get("DATA_W"):
            yield f"axm.s{link.number}_axi has {bits} bits, the design says {says.get('DATA_W')}"


def _parameters(component: Component, directory: Path) -> dict[str, int]:
    """What the wrapper gives the instrument."""
    (path,) = directory.glob(f"ip/*/{component.top_file}")
    text = path.read_text(encoding="utf-8")
    return {name: int(value) for name, value in _GIVEN.findall(text)}


def _core(it: Recorded, part: str, port: int, says: dict[str, int]) -> Iterator[str]:
    values = it.parameters[f"{part}{port}"]
    wanted = _NEEDED | {
        "MODE": _MODES[part],
        "RESPONSE_PORT": _RESPONSES[part],
        "DATA_WIDTH": str(says.get("DATA_W")),
        "MAX_BYTE": str(1 << says.get("LENGTH_BITS", 0)),
        "TRANSFER_TYPE": _TRANSFERS[says.get("UNALIGNED", 0)],
    }
    for name, value in wanted.items():
        if values.get(name) != value:
            yield f"{part}{port}: {name} is {values.get(name)}, the design says {value}"
    if values.get("BURST_ENABLE") == "1" and (
        int(values.get("MAX_BURST_COUNT", "2")) > LONGEST
        or values.get("BURST_WRAPPING_SUPPORT") != "1"
    ):
        yield f"{part}{port}: bursts are longer than AXI3 has them, or cross 4 KiB"


def _joined(it: Recorded, part: str, port: int, line: int) -> Iterator[str]:
    name, other = f"{part}{port}", f"receive{port}"
    master = f"{name}.{'mm_read' if part == 'send' else 'mm_write'}"
    ends = {end: values for (start, end), values in it.connections.items() if start == master}
    if list(ends) != [f"axm.s{port}_axi"]:
        yield f"{master} does not lead through the instrument at port {port}"
    elif any(int(values.get("baseAddress", "0"), 0) for values in ends.values()):
        yield f"{master} has the memory not at 0"
    if part == "send" and (f"{name}.st_source", f"{other}.st_sink") not in it.connections:
        yield f"{other} does not receive what {name} sends"
    if it.driver(f"{name}.csr_irq") != f"axm.engine_irq_{line}":
        yield f"{name}.csr_irq does not lead to engine_irq_{line}"


def _addresses(it: Recorded, plan: Plan, port: int, says: dict[str, int]) -> Iterator[str]:
    first = says.get("ENGINE_BASE", 0) + port * says.get("ENGINE_STEP", 0) - plan.registers_base
    for end, at in _layout(port).items():
        ways = [(start, int(values.get("baseAddress", "-1"), 0))
                for (start, to), values in it.connections.items() if to == end]  # fmt: skip
        if ways != [(f"hps.{plan.system['registers']['master']}", first + at)]:
            where = ", ".join(f"{base:#x} of {start}" for start, base in ways) or "nowhere"
            yield f"{end} is at {where}, the design says {first + at:#x}"


def _layout(port: int) -> dict[str, int]:
    """Where the library looks for registers, in bytes behind an engine's."""
    header = data.directory("host") / "include/axm/engines/pair.h"
    text = header.read_text(encoding="utf-8")
    of = {n: int(v, 0) for n, v in re.findall(r"AXM_PAIR_MSGDMA_(\w+) = (\w+)", text)}
    step = of["STEP"]
    return {
        f"send{port}.csr": 0,
        f"send{port}.descriptor_slave": of["DESCRIPTORS"],
        f"receive{port}.csr": step,
        f"receive{port}.descriptor_slave": step + of["DESCRIPTORS"],
        f"receive{port}.response": step + of["RESPONSES"],
    }
