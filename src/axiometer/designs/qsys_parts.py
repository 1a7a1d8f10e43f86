"""The parts of a system of Platform Designer (modules, connections, exports) as files have them.

A `.qsys` has the requested parameters; the `.sopcinfo` that is generated from it has the same
elements, and for each module its interfaces with ports, clocks and rates.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from axiometer.base import harmless
from axiometer.base.xml_parts import BadPartError, Budget, Element, visit
from axiometer.designs.hwh import LONGEST_TEXT
from axiometer.designs.netlist import Interface

_ROOTS = ("system", "EnsembleReport")
MAX_WIDTH = 1024  # bits of a port


@dataclass
class Described:
    """An interface as a component describes it: its bus, whether it is a master, its clock pin, the
    master that it is bridged to, the bits of its ports by their roles, and its rate in Hz if it is
    a clock (0: unknown)."""

    kind: str = ""
    drives: bool = False
    clock: str = ""
    bridges: str = ""
    roles: dict[str, int] = field(default_factory=dict)
    rate: float = 0

    def spans(self, other: Described) -> bool:
        """Whether two sides of a block have the same data and the same, many addresses."""
        both = [[of.roles.get(name, 0) for name in _SPAN] for of in (self, other)]
        return both[0] == both[1] and max(both[0][:3]) >= _ADDRESSES

    def fill(self, interface: Interface) -> None:
        """Give an interface of a bus its width, directions, longest burst and clock pin."""
        roles, given = self.roles, interface.parameters
        ways = {way: [name for name in names if name in roles] for way, names in _DATA.items()}
        interface.clock_pin = interface.clock_pin or self.clock
        interface.width_bits = max((roles[n] for names in ways.values() for n in names), default=0)
        if interface.width_bits:
            given["PORT_WIDTH"] = str(interface.width_bits)
        if any(ways.values()) and not all(ways.values()):
            given["READ_WRITE_MODE"] = "READ_ONLY" if ways["read"] else "WRITE_ONLY"
        if "araddr" in roles or "awaddr" in roles:
            bits = max(roles.get("arlen", 0), roles.get("awlen", 0))
            given["PROTOCOL"] = "AXI4LITE" if not bits else "AXI3" if bits <= 4 else "AXI4"
            given["MAX_BURST_LENGTH"] = str(1 << bits)
        elif any(ways.values()):
            # Avalon Interface Specifications: burstcount of n bits counts to 2 ** (n - 1); without
            # it there are no bursts, and without readdatavalid one read at a time.
            given["PROTOCOL"] = "Avalon-MM"
            bits = roles.get("burstcount", 1)
            if bits:
                given["MAX_BURST_LENGTH"] = str(1 << (bits - 1))
            if ways["read"] and "readdatavalid" not in roles:
                given["MOST_READS"] = "1"


_ADDRESSES = 20  # bits; a component's own registers have fewer
_SPAN = ("address", "awaddr", "araddr", "readdata", "writedata", "rdata", "wdata")
_DATA = {"read": ("readdata", "rdata"), "write": ("writedata", "wdata")}


@dataclass
class Part:
    """A module: its kind, parameters and interfaces; `path` is its name with those of the modules
    around it."""

    name: str
    kind: str
    path: str
    parameters: dict[str, str] = field(default_factory=dict)
    interfaces: dict[str, Described] = field(default_factory=dict)
    version: str = ""


@dataclass
class System:
    """A system. Connections have kind, start, end and "parameter NAME"; `exports` are its own
    interfaces by name, with internal, type and dir."""

    parameters: dict[str, str] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)
    connections: list[dict[str, str]] = field(default_factory=list)
    exports: dict[str, dict[str, str]] = field(default_factory=dict)


def parts_of(content: bytes, name: str, budget: Budget) -> System:
    """The system in `content`, a file named `name`. BadPartError where it has none."""
    reader = _Reader()
    visit(content, name, budget, reader.see)
    if not reader.is_system:
        raise BadPartError(f"{harmless.quoted(name)} has no system of Platform Designer")
    return reader.system


def shown(text: str) -> str:
    """A text of a file in harmless letters on one line."""
    return harmless.line(text[:LONGEST_TEXT])


class _Reader:
    def __init__(self) -> None:
        self.system = System()
        self.is_system = False
        self.of: dict[str, str] = self.system.parameters  # what a <parameter> belongs to
        self.part: Part | None = None
        self.interface = Described()
        self.value = ""
        self.port: dict[str, str] = {}

    def see(self, element: Element, ended: bool) -> None:
        name, depth = element.name, len(element.within)
        if ended:
            self._ended(element, depth)
        elif depth == 0:
            self.is_system = name in _ROOTS
        elif depth == 1 and name == "module":
            self._module(element)
        elif depth == 1 and name == "connection":
            self.of = {key: shown(element.get(key)) for key in ("kind", "start", "end")}
            self.system.connections.append(self.of)
        elif depth == 1 and name == "interface":
            found = {key: shown(element.get(key)) for key in ("internal", "type", "dir")}
            self.system.exports[shown(element.get("name"))] = found
        elif name == "interface" and self.part is not None:
            kind = shown(element.get("kind"))
            self.interface = Described(kind, kind.endswith("_master"))
            self.part.interfaces[shown(element.get("name"))] = self.interface
        elif name in ("parameter", "port"):
            self.value, self.port = "", {}

    def _module(self, element: Element) -> None:
        name = shown(element.get("name"))
        if not name or name in self.system.parts:
            raise BadPartError(f"module {harmless.quoted(name)} exists twice or has no name")
        self.part = Part(name, shown(element.get("kind")), shown(element.get("path")) or name)
        self.part.version = shown(element.get("version"))
        self.of = self.part.parameters
        if element.get("enabled") != "0":
            self.system.parts[name] = self.part

    def _ended(self, element: Element, depth: int) -> None:
        name, inside = element.name, element.within[-1] if depth else ""
        if name == "parameter":
            self._parameter(element, depth)
        elif inside == "parameter" and name == "value":
            self.value = element.text
        elif inside == "port":
            self.port[name] = element.text.strip()
        elif name == "port" and inside == "interface":
            width = self.port.get("width", "")
            bits = int(width) if width.isascii() and width.isdigit() and len(width) < 6 else 0
            self.interface.roles[shown(self.port.get("role", ""))] = min(bits, MAX_WIDTH)
        elif depth == 1 and name in ("module", "connection"):
            self.part, self.of = None, self.system.parameters

    def _parameter(self, element: Element, depth: int) -> None:
        key = shown(element.get("name"))
        value = element.get("value") or self.value or element.text
        value = harmless.text(value[:LONGEST_TEXT])
        if depth < 3:
            connects = self.part is None and self.of is not self.system.parameters
            self.of[f"parameter {key}" if connects else key] = value
        elif key in ("associatedClock", "ASSOCIATED_CLOCK"):
            self.interface.clock = value
        elif key == "bridgesToMaster":
            self.interface.bridges = value.rpartition(".")[2]
        elif key == "clockRate":
            self.interface.rate = number(value) or 0


def number(text: str | None) -> float | None:
    """A positive decimal of a parameter; None for other texts."""
    try:
        value = float((text or "")[:40])
    except ValueError:
        return None
    return value if 0 < value < 1e12 else None
