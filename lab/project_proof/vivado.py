"""Proof of a Vivado project without Vivado: `build.tcl` runs in tclsh, and what it asks of the tool
is held against public exports (`facts`) and the plan.

Commands, options, cores, settings with their values, pins, interfaces and segments must be those
of exports, and be there as the cell is set. Each net has one driver of its kind, there is one
clock, each interface has one partner; protocol and width are followed from the instrument to the
port. Settings of vendors' engines and where their lines lead are in the snapshots.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from axiometer.bringup.projects import engines as engine_table
from axiometer.bringup.projects.plan import Plan
from axiometer.designs import ps_facts
from project_proof import component, facts, scripts
from project_proof.scripts import Call

_SCRIPT = facts.LISTED["vivado"]
NEW, OLD = (_SCRIPT["versions"][name] for name in ("write_hw_platform", "write_hwdef"))
_PATHS = {"get_bd_pins": "pins", "get_bd_intf_pins": "interfaces", "get_bd_addr_segs": "segments"}
_OBJECTS = {"project": "project", "fileset": "fileset", "synth_1": "run", "impl_1": "run",
            "path": "path"}  # fmt: skip


@dataclass
class Cell:
    """A cell, the core that it is of, and what was set."""

    core: str
    facts: Mapping[str, Any]
    values: dict[str, str] = field(default_factory=dict)

    def value(self, name: str) -> str:
        known = self.facts.get("settings", {}).get(name, {})
        usual = known.get("default", self.facts.get("models", {}).get(name, ""))
        return self.values.get(name, str(usual))

    def there(self, kind: str) -> dict[str, Any]:
        """Pins or interfaces that there are as it is set."""
        every = self.facts.get(kind, {})
        return {name: about for name, about in every.items() if self._holds(name, about)}

    def _holds(self, name: str, about: Mapping[str, Any]) -> bool:
        if numbered := re.fullmatch(r"([SM])(\d\d)_AXI", name):  # of a SmartConnect
            return int(numbered[2]) < int(self.value(f"NUM_{numbered[1]}I") or 0)
        text = about.get("if", "True").replace("&&", " and ").replace("||", " or ")
        # A condition of facts/vivado.json: settings, numbers, comparisons.
        return bool(eval(re.sub(r"\$(\w+)", lambda found: self._number(found[1]), text)))

    def _number(self, name: str) -> str:
        value = self.value(name)
        return value if value.isdigit() else repr(value)


class Design:
    """What a script asks for; `wrong` collects what is no name of the tool's."""

    def __init__(self, own: component.Core) -> None:
        self.own, self.cells, self.wrong = own, dict[str, Cell](), list[str]()
        self.nets, self.buses = list[tuple[str, ...]](), list[tuple[str, str]]()
        self.addresses, self.properties = list[tuple[str, str, int, int]](), dict[str, str]()

    def take(self, call: Call) -> None:
        known = facts.names("vivado", f"command {call.name}")
        options = [word for word in call.words if re.match(r"-[a-z]", word)]
        if call.name != "file" and call.name != "package":
            if not known:
                self.wrong.append(f"{call.where}: no project uses a command {call.name}")
            for option in set(options) - known.keys() - {"-quiet", "-verbose"}:
                self.wrong.append(f"{call.where}: no project gives {call.name} {option}")
        try:
            if call.name in _PATHS:
                why = self._named(call.words[0], _PATHS[call.name])
            else:
                why = getattr(self, f"_{call.name}", lambda call: "")(call)
        except (KeyError, ValueError) as error:
            why = f"there is no {error}"
        if why:
            self.wrong.append(f"{call.where}: {call.name}: {why}")

    def _create_project(self, call: Call) -> str:
        self.properties["part"] = call.option("-part")
        return ""

    def _create_bd_cell(self, call: Call) -> str:
        vlnv = call.option("-vlnv")
        known = facts.table("vivado")["cores"].get(vlnv)
        if known is None and vlnv != self.own.get("vlnv"):
            return f"the catalogue has no {vlnv}"
        self.cells[call.words[-1]] = Cell(vlnv, self.own if known is None else known)
        return ""

    def _set_property(self, call: Call) -> str:
        words = call.words
        pairs = _list(words[1]) if words[0] == "-dict" else list(words[:2])
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            if words[-1] in self.cells:
                name = key.removeprefix("CONFIG.")
                self.cells[words[-1]].values[name] = value
                if why := _refused(self.cells[words[-1]], name, value):
                    return why
            elif key.lower() not in facts.names("vivado", f"property {_OBJECTS[words[-1]]}"):
                return f"no project sets {key} of a {_OBJECTS[words[-1]]}"
            else:
                self.properties[key] = value
        return ""

    def _get_property(self, call: Call) -> str:
        kind = _OBJECTS.get(call.words[1], "pin")
        known = facts.names("vivado", f"property {kind}")
        return "" if call.words[0].lower() in known else f"a {kind} has no {call.words[0]}"

    def _apply_bd_automation(self, call: Call) -> str:
        known = facts.names("vivado", f"rule {call.option('-rule')}")
        keys = set(_list(call.option("-config"))[::2])
        return "" if keys and keys <= known.keys() else f"no project gives it {sorted(keys)}"

    def _get_bd_cells(self, call: Call) -> str:
        return "" if call.words[0] in self.cells else f"there is no cell {call.words[0]}"

    def _named(self, path: str, kind: str) -> str:
        cell, _, name = path.partition("/")
        known = self.cells[cell].facts.get(kind, {}) if cell in self.cells else {}
        return "" if name in known else f"no project has {path} ({kind})"

    def _get_bd_addr_spaces(self, call: Call) -> str:
        cell, _, name = call.words[0].partition("/")
        core = self.cells[cell]
        known = core.facts.get("spaces") or facts.names("vivado", f"space {core.core}")
        return "" if name in known else f"there is no address space {call.words[0]}"

    def _connect_bd_net(self, call: Call) -> None:
        self.nets.append(call.words)

    def _connect_bd_intf_net(self, call: Call) -> None:
        self.buses.append((call.words[0], call.words[1]))

    def _assign_bd_address(self, call: Call) -> None:
        self._segment(call, call.option("-target_address_space"), call.words[6])

    def _create_bd_addr_seg(self, call: Call) -> None:
        self._segment(call, call.words[4], call.words[5])

    def _segment(self, call: Call, space: str, segment: str) -> None:
        base, size = (int(call.option(name), 0) for name in ("-offset", "-range"))
        self.addresses.append((space, segment, base, size))


def _list(text: str) -> list[str]:
    """The words of a Tcl list of words in braces, quotes or neither."""
    found = re.findall(r'\{([^{}]*)\}|"([^"]*)"|(\S+)', text)
    return [next((part for part in parts if part), "") for parts in found]


def _refused(cell: Cell, name: str, value: str) -> str:
    """Why a setting cannot have a value; "" if it can."""
    known = cell.facts.get("settings", {}).get(name)
    shown = facts.names("vivado", f"setting {cell.core}")
    if known is None:
        return f"{cell.core} has no CONFIG.{name}"
    if "range" in known:
        low, high = known["range"]
        fits = re.fullmatch(r"[\d.]+", value) and low <= float(value) <= high
    else:
        fits = value in known.get("choices", [value]) and known.keys() & {"choices"}
    return "" if fits or f"{name} {value}" in shown else f"CONFIG.{name} cannot be {value!r}"


def check(plan: Plan, directory: Path, version: str = NEW) -> tuple[int, list[str]]:
    """How many commands build.tcl gives, and everything that is wrong with the project."""
    (file,) = directory.glob("ip/*/component.xml")
    own, wrong = component.check(file, plan)
    made = str(round(plan.mhz * 10**6))
    answers = {"version": version, "get_property CONFIG.FREQ_HZ": made}
    calls, stops = scripts.run(directory / "build.tcl", answers)
    design = Design(own)
    for call in calls:
        design.take(call)
    wrong += [*stops, *design.wrong, *_order(calls, version)]
    if not wrong:
        wrong = [*_nets(design), *_buses(design), *_against_plan(design, plan)]
    return len(calls), wrong


def _order(calls: list[Call], version: str) -> Iterator[str]:
    said = [" ".join((call.name, *call.words)) for call in calls]
    place = 0
    for step in _SCRIPT["order"]:
        there = [n for n, words in enumerate(said) if words.startswith(step)]
        if not there or there[0] < place:
            yield f"build.tcl: {step!r} is missing, or not where it belongs"
            return
        place = there[-1]
    for call in calls:
        if _SCRIPT["versions"].get(call.name, version) != version:
            yield f"{call.where}: Vivado {version} does not have this {call.name}"
        path = call.words[-1] if "-fileset" in call.words else "."
        if call.name == "add_files" and not Path(path).exists():
            yield f"{call.where}: there is no file {path}"
    if not any(word.endswith("system.xsa") for word in (said[-3], said[-4], said[-5])):
        yield "build.tcl does not write system.xsa last"


def _nets(it: Design) -> Iterator[str]:
    """Each pin is there and driven once, by one of its kind; there is one clock."""
    pins = {f"{name}/{pin}": about for name, cell in it.cells.items()
            for pin, about in cell.there("pins").items()}  # fmt: skip
    clocks = 0
    for net in it.nets:
        if gone := [pin for pin in net if pin not in pins]:
            yield f"{gone[0]} is not there as the cell is set"
            continue
        drivers = [pin for pin in net if pins[pin]["out"]]
        if len(drivers) != 1:
            yield f"{', '.join(net)}: driven {len(drivers)} times"
            continue
        source = pins[drivers[0]]
        clocks += source["is"] == "clock"
        for pin in (pin for pin in net if pin != drivers[0]):
            if pins[pin]["is"] != source["is"]:
                yield f"{pin} is a {pins[pin]['is']}, {drivers[0]} a {source['is']}"
            elif source["is"] == "reset" and _low(it, pin, pins[pin]) != source["low"]:
                yield f"{pin} and {drivers[0]}: one is active low, the other high"
            elif source["is"] == "reset" and not pins[pin].get("any_clock") and not source["of"]:
                yield f"{pin}: {drivers[0]} is released at no clock of the fabric"
    if clocks != 1:
        yield f"there are {clocks} clocks, not one"
    for pin, times in Counter(pin for net in it.nets for pin in net).items():
        if times > 1:
            yield f"{pin} is in {times} nets"
    joined = {pin for net in it.nets for pin in net}
    for pin, about in pins.items():
        spare = about.get("driven") and (about["is"] in ("data", "interrupt") or
                                         about.get("any_clock"))  # fmt: skip
        if not about["out"] and not spare and pin not in joined:
            yield f"{pin} is not connected"


def _low(it: Design, path: str, pin: Mapping[str, Any]) -> bool:
    cell, _, name = path.partition("/")
    if name == "ext_reset_in":
        return it.cells[cell].value("C_EXT_RESET_HIGH") == "0"
    return bool(pin["low"])


def _buses(it: Design) -> Iterator[str]:
    """Each interface is there, and has one partner of the other side."""
    every = {f"{name}/{bus}": about for name, cell in it.cells.items()
             for bus, about in cell.there("interfaces").items()}  # fmt: skip
    times = Counter(end for bus in it.buses for end in bus)
    for path in every.keys() | times.keys():
        if path not in every:
            yield f"{path} is not there as the cell is set"
        elif times[path] != 1:
            yield f"{path} has {times[path]} partners, not one"
    for ends in it.buses:
        if sum(every.get(end, {}).get("master", False) for end in ends) != 1:
            yield f"{' and '.join(ends)}: not a master and a slave"


def _way(it: Design, start: str) -> Iterator[str]:
    """Interfaces from a master on, through converters and interconnects, to where its bus ends."""
    for ends in it.buses:
        if start not in ends:
            continue
        end = next(path for path in ends if path != start)
        yield end
        name = end.partition("/")[0]
        cell = it.cells[name]
        if name.rstrip("0123") in ("convert", "resize", "join", "control", "fifo"):
            for bus, about in cell.there("interfaces").items():
                if about["master"]:
                    yield from _way(it, f"{name}/{bus}")


def _against_plan(it: Design, plan: Plan) -> Iterator[str]:
    if it.properties["part"] != plan.part:
        yield f"the part is {it.properties['part']}, not {plan.part}"
    if it.properties["board_part"].rpartition(":")[0] not in plan.presets:
        yield f"the preset is that of {it.properties['board_part']}, not of {plan.presets[0]}"
    ps = it.cells["ps"]
    asked = Fraction(ps.value(plan.system["clock_setting"]))
    if abs(asked - plan.asked_mhz) > plan.asked_mhz / 1000:
        yield f"the clock that is asked for is {float(asked):g} MHz, not {float(plan.asked_mhz):g}"
    on = {name for name, bus in ps.there("interfaces").items() if not bus["master"]}
    if on != {link.interface for link in plan.links}:
        yield f"ports that are on: {sorted(on)}"
    if not any({"axm/irq", f"ps/{plan.system['interrupt_pin']}"} <= set(net) for net in it.nets):
        yield "the interrupt does not reach the processor"
    for link in plan.links:
        yield from _port(it, plan, link.number)
    yield from _addresses(it, plan)


def _port(it: Design, plan: Plan, number: int) -> Iterator[str]:
    """The way from the instrument to a port: where it ends, protocol and width."""
    link, start = plan.links[number], f"M{number}_AXI"
    own = it.cells["axm"].facts["interfaces"][start]
    protocol, width = own["protocol"], own["width"]
    way = list(_way(it, f"axm/{start}"))
    for path in way[:-1]:
        cell = it.cells[path.partition("/")[0]]
        wide = cell.value("SI_DATA_WIDTH") or cell.value("DATA_WIDTH")
        takes = cell.value("SI_PROTOCOL") or cell.value("PROTOCOL")
        if (takes, wide) != (protocol, width):
            yield f"{path} is set to {takes} of {wide} bits, not {protocol} of {width}"
        protocol = cell.value("MI_PROTOCOL") or protocol
        width = cell.value("MI_DATA_WIDTH") or width
    known = ps_facts.system(plan.chip).ports[link.interface]
    bits = it.cells["ps"].value(known["width_setting"]) if "width_setting" in known else ""
    if way[-1:] != [f"ps/{link.interface}"]:
        yield f"port {number} of the top does not lead to {link.interface}"
    elif (protocol, width) != (known["protocol"], bits or str(known["width"])):
        yield f"{link.interface} is {known['protocol']} of {bits} bits, gets {protocol} of {width}"
    if int(width) != link.width:
        yield f"{link.interface} has {width} bits, not {link.width}"
    coherent = known.get("coherent", {})
    if "setting" in coherent and it.cells["ps"].value(coherent["setting"]) != coherent["value"]:
        yield f"{link.interface} does not look into the caches"


def _addresses(it: Design, plan: Plan) -> Iterator[str]:
    """Addresses are the plan's; disjoint, whole, and where the processor reaches."""
    wanted = {("ps/Data", "axm/S_AXIL/registers", plan.registers_base, plan.registers_size)}
    if plan.ram:
        wanted.add(("ps/Data", "axm/S_AXI/memory", plan.ram_base, plan.ram))
    for link in plan.links:
        wanted |= {(f"axm/M{link.number}_AXI", f"ps/{m.segment}", m.base, m.size)
                   for m in link.memory}  # fmt: skip
        if plan.engine:
            n = link.number
            base = plan.engine.base + n * engine_table.STEP
            wanted.add(("ps/Data", f"engine{n}/{plan.engine.segment}", base, engine_table.STEP))
            wanted |= {(f"engine{n}/{space}", f"axm/S{n}_AXI/memory", 0, link.reach)
                       for space in plan.engine.masters.values()}  # fmt: skip
    for space, segment, base, size in sorted(set(it.addresses) ^ wanted):
        yield f"{segment} at {base:#x} in {space}, {size:#x} bytes: in one of plan and script only"
    windows = [w for m in ps_facts.system(plan.chip).masters.values() for w in m["addresses"]]
    for space, segment, base, size in it.addresses:
        if base % size:
            yield f"{segment}: {base:#x} is no multiple of its range {size:#x}"
        reached = any(low <= base and base + size - 1 <= high for low, high in windows)
        if space == "ps/Data" and not reached:
            yield f"{segment} at {base:#x} is in no window of the processor's"
    ordered = sorted((space, base, size, segment) for space, segment, base, size in it.addresses)
    for one, after in pairwise(ordered):
        if one[0] == after[0] and one[1] + one[2] > after[1]:
            yield f"{one[3]} overlaps {after[3]} in {one[0]}"
