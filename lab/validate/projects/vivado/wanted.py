"""Compares what a script did with the plan: board, ports, clock, addresses, IP, what is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from axiometer.bringup.projects.plan import WINDOW, Link, Plan
from axiometer.designs import ps_facts
from axiometer.runs.cosim.registers import registers
from validate.projects.vivado import engines
from validate.projects.vivado.catalogue import Cell
from validate.projects.vivado.component import Component
from validate.projects.vivado.recorded import Recorded
from validate.projects.vivado.rules import slaves

_REPORTS = ("system.bit", "system.xsa", "utilization.rpt", "timing_summary.rpt")
CLOCK_SHARE = Fraction(1, 1000)


def compare(it: Recorded, plan: Plan, directory: Path) -> Iterator[str]:
    """Every difference."""
    told = it.properties
    if told.get(("project", "part")) != plan.part:
        yield f"the part is {told.get(('project', 'part'))}, not {plan.part}"
    board = told.get(("project", "board_part"), "")
    if board.rpartition(":")[0] not in plan.presets or not it.preset:
        yield f"the preset is that of {board or 'no board'}, not of {plan.presets[0]}"
    own = next(iter(it.components.values()), None)
    if own is None:
        yield "there is no IP of the instrument"
        return
    yield from _cells(it, plan, own)
    yield from _memory(it, plan)
    yield from engines.check(it, plan)
    yield from _map(plan, own)
    yield from _files(it, own, plan, directory)
    there = {Path(path).name for path in it.reports}
    for report in _REPORTS:
        if report not in there:
            yield f"{report} is not written"


def _cells(it: Recorded, plan: Plan, own: Component) -> Iterator[str]:
    cells = [c for c in it.cells.values() if c.kind.vlnv == own.vlnv.rpartition(":")[0]]
    systems = [c for c in it.cells.values() if c.kind.vlnv == plan.system["core"]]
    if len(cells) != 1 or len(systems) != 1:
        yield f"{len(cells)} instruments and {len(systems)} processor systems, not one of each"
        return
    ps, axm = systems[0], cells[0]
    asked = Fraction(ps.value(plan.system["clock_setting"]))
    if abs(asked - plan.asked_mhz) > CLOCK_SHARE * plan.asked_mhz:
        yield f"the clock that is asked for is {float(asked):g} MHz, not {float(plan.asked_mhz):g}"
    on = {n for n, bus in ps.interfaces().items() if not bus.get("master")}
    if on != {link.interface for link in plan.links}:
        yield f"ports that are on: {', '.join(sorted(on)) or 'none'}"
    for link in plan.links:
        yield from _port(it, plan, link, ps, axm.name)
    interrupt = {f"/{axm.name}/irq", f"/{ps.name}/{plan.system['interrupt_pin']}"}
    if not any(interrupt <= net for net in it.nets):
        yield "the interrupt does not reach the processor"


def _port(it: Recorded, plan: Plan, link: Link, ps: Cell, axm: str) -> Iterator[str]:
    if link.interface not in ps.interfaces():
        return
    width = int(str(ps.resolved(ps.interfaces()[link.interface]["width"])))
    if width != link.width:
        yield f"{link.interface} has {width} bits, not {link.width}"
    coherent = ps_facts.system(plan.chip).ports[link.interface].get("coherent", {})
    if "setting" in coherent and ps.value(coherent["setting"]) != coherent["value"]:
        yield f"{link.interface} does not look into the caches: {coherent['setting']}"
    if f"/{ps.name}/{link.interface}" not in slaves(it, f"/{axm}/M{link.number}_AXI"):
        yield f"port {link.number} of the top does not lead to {link.interface}"


def _memory(it: Recorded, plan: Plan) -> Iterator[str]:
    """Addresses as the plan has them; no other."""
    wanted = {("/ps/Data", "/axm/S_AXIL/registers", plan.registers_base, plan.registers_size)}
    if plan.ram:
        wanted.add(("/ps/Data", "/axm/S_AXI/memory", plan.ram_base, plan.ram))
    for link in plan.links:
        for part in link.memory:
            space = f"/axm/M{link.number}_AXI"
            wanted.add((space, f"/ps/{part.segment}", part.base, part.size))
    if plan.engine:
        wanted |= set(_of_engines(plan))
    found = {(a.space, a.segment, a.base, a.size) for a in it.addresses}
    for space, segment, base, size in sorted(found - wanted):
        yield f"{segment} is at {base:#x} in {space}, {size:#x} bytes, which is not planned"
    for space, segment, base, size in sorted(wanted - found):
        yield f"{segment} is not at {base:#x} in {space}, {size:#x} bytes"


def _of_engines(plan: Plan) -> Iterator[tuple[str, str, int, int]]:
    """Registers behind ours; and the instrument shows each engine all that its port reaches."""
    assert plan.engine is not None  # asked of such plans alone
    size = plan.registers_size
    for n, link in enumerate(plan.links):
        own = f"/engine{n}/{plan.engine.segment}"
        yield "/ps/Data", own, plan.registers_base + (1 + n) * size, size
        reach = 1 << max((part.base + part.size - 1).bit_length() for part in link.memory)
        for space in plan.engine.masters.values():
            yield f"/engine{n}/{space}", f"/axm/S{n}_AXI/memory", 0, reach


def _map(plan: Plan, own: Component) -> Iterator[str]:
    """The IP's registers are those of its blocks' maps, each in its window, all in its range."""
    wanted = set()
    for block in plan.blocks:
        for register in vars(registers(block.map)).values():
            if isinstance(register, type) and hasattr(register, "OFFSET"):
                for index in range(getattr(register, "COUNT", 1)):
                    step = index * getattr(register, "STRIDE", 0)
                    wanted.add(block.window * WINDOW + register.OFFSET + step)
    found = set(own.registers.values())
    if found != wanted:
        odd = sorted(found ^ wanted)[0]
        yield f"the register map differs from that of the blocks: {odd:#x}"
    size = 1 << own.ports["s_axil_awaddr"][1]
    if size != plan.registers_size or max(found, default=0) >= size:
        yield f"the register port reaches {size:#x} bytes, not {plan.registers_size:#x}"


def _files(it: Recorded, own: Component, plan: Plan, directory: Path) -> Iterator[str]:
    """Sources are there; constraints are used, and the clock's is its period."""
    folder = next(iter(sorted((directory / "ip").glob("*/component.xml")))).parent
    for name, files in own.files.items():
        for path, _ in files:
            if not (folder / path).is_file():
                yield f"{name}: there is no file {path}"
            elif path.endswith(".sv"):
                text = (folder / path).read_text()
                for header in re.findall(r'^`include "(.*)"', text, re.M):
                    if not any(Path(p).name == header and "included" in k for p, k in files):
                        yield f"{name}: {path} includes {header}, which is no included file"
    file = folder / "src" / f"{own.module}.v"
    ports = _header(file.read_text(), own.module) if file.is_file() else {}
    if not ports:
        yield f"there is no module {own.module}"
    for name in sorted(set(ports) | set(own.ports)):
        if ports.get(name) != own.ports.get(name):
            yield f"port {name} is not the same in component.xml and in {own.module}"
    if "system.xdc" not in {Path(p).name for p in it.files.get("constrs_1", [])}:
        yield "constraints/system.xdc is not in constrs_1"
    clocks = []
    for files in own.files.values():
        for path, kinds in files:
            if "xdc" in kinds and "USED_IN_out_of_context" in kinds and (folder / path).is_file():
                clocks += _clocks((folder / path).read_text())
    period = 1000 / plan.mhz
    if not any(pin == "aclk" and abs(Fraction(ns) - period) <= Fraction(2, 1000)
               for ns, pin in clocks):  # fmt: skip
        yield f"no constraint gives aclk its period of {float(period):.3f} ns out of context"


def _header(text: str, module: str) -> dict[str, tuple[bool, int]]:
    """The ports of a Verilog module: whether each is an output, and its bits."""
    found = re.search(rf"^module {module} \((.*?)\);", text, re.M | re.S)
    pattern = r"(input|output) wire (?:\[(\d+):0\] )?(\w+)"
    ports = re.findall(pattern, found[1]) if found else []
    return {name: (way == "output", int(high or 0) + 1) for way, high, name in ports}


def _clocks(text: str) -> list[tuple[str, str]]:
    pattern = r"^create_clock -name \w+ -period ([\d.]+) \[get_ports (\w+)\]"
    return re.findall(pattern, text, re.M)
