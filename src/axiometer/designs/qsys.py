"""Reading a system of Platform Designer (.qsys): modules, parameters, connections.

Interfaces are those that a connection names; widths and protocols come from parameters, by
`cores/` and `exports.toml`. The file lacks the sizes of slaves: a segment ends at its base.
"""

from __future__ import annotations

from axiometer.base import harmless
from axiometer.base.xml_parts import BadPartError, Budget, Element, visit
from axiometer.designs.hwh import LONGEST_TEXT, MAX_ELEMENTS
from axiometer.designs.netlist import BUS, Interface, Module, Netlist, Range
from axiometer.designs.ps_facts import System, all_systems, of_core

_BUSES = ("avalon", "axi", "axi4", "axi4lite")
_PARTS = {"device": "part", "deviceFamily": "architecture"}


def read(content: bytes, name: str) -> Netlist:
    """The system in `content`, a .qsys named `name`. BadPartError where it has none."""
    reader = _Reader(name.rpartition(".")[0] or name)
    visit(content, name, Budget(MAX_ELEMENTS), reader.see)
    if not reader.is_system:
        raise BadPartError(f"{harmless.quoted(name)} has no system of Platform Designer")
    _join(reader)
    return reader.netlist


def _shown(text: str) -> str:
    return harmless.line(text[:LONGEST_TEXT])


class _Reader:
    """Collects modules and connections, and joins them at the end."""

    def __init__(self, name: str) -> None:
        self.netlist = Netlist(_shown(name), "Platform Designer", "", "")
        self.is_system = False
        self.module: Module | None = None
        self.connection: dict[str, str] | None = None
        self.connections: list[dict[str, str]] = []

    def see(self, element: Element, ended: bool) -> None:
        name = element.name
        if ended:
            if name == "parameter":
                self._parameter(element)
            elif name == "module":
                self.module = None
            elif name == "connection":
                self.connection = None
        elif name == "system" and not element.within:
            self.is_system = True
        elif name == "module":
            self._module(element)
        elif name == "connection":
            keys = ("kind", "start", "end")
            self.connection = {key: _shown(element.get(key)) for key in keys}
            self.connections.append(self.connection)

    def _module(self, element: Element) -> None:
        name = _shown(element.get("name"))
        if not name or name in self.netlist.modules:
            raise BadPartError(f"module {harmless.quoted(name)} exists twice or has no name")
        self.netlist.tool = f"Platform Designer {_shown(element.get('version'))}"
        self.module = Module(name, name, _shown(element.get("kind")))
        self.netlist.modules[name] = self.module

    def _parameter(self, element: Element) -> None:
        key = _shown(element.get("name"))
        value = harmless.text((element.get("value") or element.text)[:LONGEST_TEXT])
        if self.connection is not None:
            self.connection[f"parameter {key}"] = value
        elif self.module is not None:
            self.module.parameters[key] = value
        elif key in _PARTS:
            setattr(self.netlist, _PARTS[key], value)


def _join(reader: _Reader) -> None:
    net = reader.netlist
    for connection in reader.connections:
        ends = [connection[key].partition(".")[::2] for key in ("start", "end")]
        (start, leaving), (end, entry) = ends
        if start not in net.modules or end not in net.modules:
            continue
        source, target = net.modules[start], net.modules[end]
        if connection["kind"] == "clock":
            signal = f"{start}.{leaving}"
            source.made[leaving] = target.clocks[entry] = signal
            rate = _rate(source, leaving)
            if rate:
                net.rates[signal] = rate
        elif connection["kind"] in _BUSES:
            a = source.interfaces.setdefault(leaving, Interface(leaving, BUS, True))
            b = target.interfaces.setdefault(entry, Interface(entry, BUS, False))
            _protocol(target, b, of_core(target.core))
            net.fed.setdefault((start, leaving), []).append((target, b))
            base = _base(connection) + _offset(source, a.name, of_core(source.core))
            source.ranges.append(Range(leaving, end, entry, f"{end}.{entry}", base, base))


def _protocol(module: Module, interface: Interface, system: System | None) -> None:
    """The protocol of a port of the processor system, from its list of types."""
    facts = system.ports.get(interface.name) if system is not None else None
    if facts is None:
        return
    types = (module.parameter(facts.get("protocol_list", "")) or "").split(",")
    number = facts["number"]
    word = types[number].strip() if number < len(types) else ""
    interface.parameters["PROTOCOL"] = "AXI3" if word.startswith("AXI") else facts["protocol"]


def _rate(module: Module, pin: str) -> float | None:
    """The rate in Hz of a clock that a block makes; None where its parameters do not give it."""
    for system in all_systems():
        for source in system.sources:
            if source["core"] == module.core and source["pin"] == pin:
                try:
                    return float((module.parameter(source["rate"]) or "")[:40]) * float(
                        source["unit"]
                    )
                except ValueError:
                    return None
    return None


def _base(connection: dict[str, str]) -> int:
    try:
        return max(0, int(connection.get("parameter baseAddress", "0")[:40], 0))
    except ValueError:
        return 0


def _offset(module: Module, interface: str, system: System | None) -> int:
    facts = system.masters.get(interface) if system is not None else None
    return facts.get("base", 0) if facts else 0
