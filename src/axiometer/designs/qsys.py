"""Reading a system of Platform Designer (.qsys, .sopcinfo): modules, parameters, connections.

Interfaces are those that a connection or an export names. Their figures come from parameters, by
`cores/` and `exports.toml`, from the .sopcinfo beside a .qsys where it is not older, and from a
component's own _hw.tcl. A module whose kind is a system beside or below is replaced by that
system's modules. The files lack the sizes of slaves: a segment ends at its base.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase

from axiometer.base.xml_parts import BadPartError, Budget
from axiometer.designs import core_facts, hw_tcl
from axiometer.designs.build import width_of_port
from axiometer.designs.hwh import MAX_ELEMENTS
from axiometer.designs.netlist import BUS, EXTERNAL, STREAM, Interface, Module, Netlist, Range
from axiometer.designs.ps_facts import Facts, all_systems, of_core
from axiometer.designs.qsys_parts import Described, Part, number, parts_of, shown
from axiometer.designs.qsys_parts import System as Parts
from axiometer.designs.trace import width_of

Beside = Callable[[str], bytes | None]
"""The content of another file of the project, by its name; None where it is not there."""
_BUSES = ("avalon", "axi", "axi4", "axi4lite")
_PARTS = {"part": ("device", "AUTO_DEVICE"), "architecture": ("deviceFamily",)}
_MODES = {"Read-Only": "READ_ONLY", "Write-Only": "WRITE_ONLY"}
MAX_DEPTH = 8  # of systems within systems
MAX_MODULES = 5000
_MOST_NAMED = 8
_OF_TOOL = ("alt", "intel_", "clock_", EXTERNAL)  # beginnings of kinds that are no systems
_MOST_CLOCKS = 64  # blocks that a clock passes


def read(content: bytes, name: str, beside: Beside = lambda name: None) -> Netlist:
    """The system in `content`, a file named `name`. BadPartError where it has none."""
    stem = name.rpartition(".")[0] or name
    reader = _Reader(Netlist(shown(stem), "Platform Designer", "", ""), beside)
    system = parts_of(content, name, reader.budget)
    for field, keys in _PARTS.items():
        setattr(reader.net, field, next((v for k in keys if (v := system.parameters.get(k))), ""))
    reader.add(system, "", (stem,))
    report = beside(f"{stem}.sopcinfo") if not name.lower().endswith(".sopcinfo") else None
    if report is not None:
        reader.describe(parts_of(report, f"{stem}.sopcinfo", reader.budget))
    reader.join(system)
    modules = reader.net.modules.values()
    if not any(of_core(module.core) for module in modules):
        kinds = sorted({m.core for m in modules if not m.core.startswith(_OF_TOOL)})
        files = ", ".join(f"{kind}.qsys" for kind in kinds[:_MOST_NAMED])
        note = f"a module may be a system of its own, whose file is not beside or below: {files}"
        reader.net.notes += [note] * bool(kinds)
    return reader.net


class _Reader:
    """Collects the modules and connections of a system and of those within it, then joins them."""

    def __init__(self, net: Netlist, beside: Beside) -> None:
        self.net, self.beside = net, beside
        self.budget = Budget(MAX_ELEMENTS)
        self.systems: dict[str, Parts] = {}  # that modules are replaced by
        self.named: dict[str, Module] = {}  # by the names of connections
        self.described: dict[str, dict[str, Described]] = {}
        self.connections: list[tuple[dict[str, str], str]] = []
        self.fed: dict[tuple[str, str], tuple[Module, str]] = {}  # clock pins: what feeds them

    def add(self, system: Parts, prefix: str, open_: tuple[str, ...]) -> None:
        """Add the modules of a system, within the systems `open_`, with names `prefix`NAME."""
        for part in system.parts.values():
            instance = f"{prefix}{part.path.replace('.', '/')}"
            around = self._processor(instance)
            if around is not None:
                self.named[f"{prefix}{part.name}"] = around
                continue
            closed = _is_known(part.kind) or part.kind in open_ or len(open_) > MAX_DEPTH
            content = None if closed else self.beside(f"{part.kind}.qsys")
            if content is not None:
                within = parts_of(content, f"{part.kind}.qsys", self.budget)
                self.systems[instance] = within
                self.add(within, f"{instance}/", (*open_, part.kind))
            else:
                self._module(part, instance, f"{prefix}{part.name}")
        self.connections += [(connection, prefix) for connection in system.connections]

    def _processor(self, instance: str) -> Module | None:
        """The processor system that a module is a part of."""
        names = instance.split("/")
        around = (self.net.modules.get("/".join(names[:end])) for end in range(1, len(names)))
        return next((m for m in around if m is not None and of_core(m.core)), None)

    def _module(self, part: Part, instance: str, name: str) -> None:
        if len(self.net.modules) >= MAX_MODULES:
            raise BadPartError(f"it has more than {MAX_MODULES} modules")
        module = Module(instance, instance, part.kind, part.parameters)
        self.net.modules[instance] = module
        self.named[name] = module
        self.described[instance] = part.interfaces
        if of_core(part.kind) is not None or self.net.tool == "Platform Designer":
            self.net.tool = f"Platform Designer {part.version}".strip()
        if not part.interfaces and not _is_known(part.kind):
            own = self.beside(f"{part.kind}_hw.tcl")
            if own is not None:
                self.described[instance] = hw_tcl.read(own, part.parameters)

    def describe(self, report: Parts) -> None:
        """Add what the .sopcinfo has of modules, where their parameters are still the same."""
        for part in report.parts.values():
            module = self.net.modules.get(part.path.replace(".", "/"))
            if module is None or module.core != part.kind:
                continue
            both = part.parameters.keys() & module.parameters.keys()
            now, then = ([number(of.parameters[key]) for key in both] for of in (module, part))
            if all(a == b for a, b in zip(now, then, strict=True) if a and b):
                self.described[module.instance] = part.interfaces
                module.parameters = part.parameters | module.parameters

    def join(self, system: Parts) -> None:
        """Join the modules by the connections."""
        for connection, prefix in self.connections:
            start, end = (self._place(prefix, connection[key]) for key in ("start", "end"))
            if start is None or end is None or start[0] is end[0]:
                continue
            (source, leaving), (target, entry) = start, end
            if connection["kind"] == "clock":
                self.fed[target.instance, entry] = source, leaving
            elif connection["kind"] in _BUSES:
                self._bus(source, leaving, target, entry, _base(connection))
            elif connection["kind"] == "avalon_streaming":
                self._interface(source, leaving, True, STREAM)
                sink = self._interface(target, entry, False, STREAM)
                self.net.fed.setdefault((source.instance, leaving), []).append((target, sink))
        for (instance, entry), place in self.fed.items():
            source, leaving = self._origin(*place)
            net = f"{source.instance}.{leaving}"
            source.made[leaving] = self.net.modules[instance].clocks[entry] = net
            rate = self._rate(source, leaving)
            if rate:
                self.net.rates[net] = rate
        for name, export in system.exports.items():
            within = self._place("", export["internal"])
            if within is not None and export["type"] == "avalon_streaming":
                self._interface(*within, export["dir"] == "start", STREAM)
            if within is None or export["dir"] != "end":
                continue
            if export["type"] == "clock":
                within[0].clocks[within[1]] = name
            elif export["type"] in _BUSES:
                self._outside(name, *within)

    def _place(self, prefix: str, end: str) -> tuple[Module, str] | None:
        """The module and interface of an end of a connection, through the exports of systems."""
        name, _, interface = end.partition(".")
        name = prefix + name
        for _ in range(MAX_DEPTH + 1):
            within = self.systems.get(name)
            if within is None:
                break
            internal = within.exports.get(interface, {}).get("internal", "")
            inner, _, interface = internal.partition(".")
            name = f"{name}/{inner}"
        module = self.named.get(name)
        if module is None:
            return None
        system = of_core(module.core)
        return module, system.inside.get(interface, interface) if system else interface

    def _interface(self, module: Module, name: str, drives: bool, kind: str = BUS) -> Interface:
        if name not in module.interfaces:
            interface = Interface(name, kind, drives)
            described = self.described.get(module.instance, {}).get(name)
            if described is not None:
                described.fill(interface)
                if not drives:
                    interface.passes_to = _passes_to(described, self.described[module.instance])
            facts = core_facts.core(module.core)
            pins = facts.clock_pins if facts is not None else {}
            interface.clock_pin = pins.get(name, interface.clock_pin)
            interface.parameters.setdefault("PROTOCOL", "Avalon-MM")
            _of_port(module, interface)
            module.interfaces[name] = interface
        return module.interfaces[name]

    def _bus(self, source: Module, leaving: str, target: Module, entry: str, base: int) -> None:
        a, b = self._interface(source, leaving, True), self._interface(target, entry, False)
        self.net.fed.setdefault((source.instance, leaving), []).append((target, b))
        if not _is_known(source.core) and "READ_WRITE_MODE" in b.parameters:
            a.parameters.setdefault("READ_WRITE_MODE", b.parameters["READ_WRITE_MODE"])
        system = of_core(source.core)
        base += system.masters.get(leaving, {}).get("base", 0) if system is not None else 0
        end = f"{target.instance}.{entry}"
        source.ranges.append(Range(a.name, target.instance, entry, end, base, base))

    def _outside(self, name: str, target: Module, entry: str) -> None:
        """A port that leaves the system: logic outside drives it, with the port's own figures."""
        module = Module(name, f"{EXTERNAL} {name}", EXTERNAL)
        self.net.modules[module.instance] = module
        self._bus(module, name, target, entry, 0)
        own, of = module.interfaces[name], target.interfaces[entry]
        own.width_bits = width_of(target, of)
        own.clock_pin = of.clock_pin
        # What the port takes at most; what comes is not in the design.
        own.parameters = {k: v for k, v in of.parameters.items() if k != "MAX_BURST_LENGTH"}
        module.clocks = target.clocks

    def _origin(self, module: Module, pin: str) -> tuple[Module, str]:
        """The block and pin that make a clock, which blocks on the way only pass on."""
        for _ in range(_MOST_CLOCKS):
            source = _source(module, pin)
            before = self.fed.get((module.instance, source.get("passes", "")))
            if before is None:
                break
            module, pin = before
        return module, pin

    def _rate(self, module: Module, pin: str) -> float | None:
        """The rate in Hz of a clock where it is made; None where it is unknown."""
        described = self.described.get(module.instance, {}).get(pin)
        return described.rate if described and described.rate else _made(module, pin)


def _is_known(kind: str) -> bool:
    return of_core(kind) is not None or core_facts.core(kind) is not None


def _passes_to(slave: Described, every: Mapping[str, Described]) -> str:
    """The master by which traffic that enters a component at `slave` leaves it: the component says
    so, or sees as many addresses on both sides."""
    if slave.bridges in every:
        return slave.bridges
    same = [n for n, of in every.items() if of is not slave and of.drives and of.spans(slave)]
    return same[0] if len(same) == 1 else ""


def _of_port(module: Module, interface: Interface) -> None:
    """What the processor system's parameters say of one of its ports: protocol, directions."""
    system = of_core(module.core)
    facts = system.ports.get(interface.name) if system is not None else None
    if facts is None:
        return
    types = (module.parameter(facts.get("protocol_list", "")) or "").split(",")
    number = facts["number"]
    word = types[number].strip() if number < len(types) else ""
    interface.parameters["PROTOCOL"] = "AXI3" if word.startswith("AXI") else facts["protocol"]
    interface.clock_pin = facts["clock_pin"]
    interface.width_bits = width_of_port(module, interface, facts) or None
    mode = next((mode for end, mode in _MODES.items() if word.endswith(end)), None)
    if mode is not None:
        interface.parameters["READ_WRITE_MODE"] = mode


def _source(module: Module, pin: str) -> Facts:
    """What a chip's file says of a clock from a block of the fabric."""
    every = (source for system in all_systems() for source in system.sources)
    of_it = (s for s in every if fnmatchcase(module.core, s["core"]) and fnmatchcase(pin, s["pin"]))
    return next(of_it, {})


def _made(module: Module, pin: str) -> float | None:
    """The rate in Hz that a block's parameters give a clock; None where they give none."""
    source = _source(module, pin)
    if (module.parameter(source.get("unless", "")) or "").lower() in ("true", "1"):
        return None
    rates = (number(module.parameter(name)) for name in source.get("rate", []))
    rate = next((rate * source.get("unit", 1) for rate in rates if rate), None)
    factors = [number(module.parameter(name)) or 0 for name in source.get("factors", [])]
    if all(factors) and factors:
        period_ps, times, over = factors
        return 1e12 / period_ps * times / over
    return rate


def _base(connection: dict[str, str]) -> int:
    try:
        return max(0, int(connection.get("parameter baseAddress", "0")[:40], 0))
    except ValueError:
        return 0
