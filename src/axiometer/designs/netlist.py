"""A netlist of modules, interfaces and nets: the result of every reader of a design.

Nothing here depends on a core or a chip. `kind` distinguishes interfaces of a bus and of a stream.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

BUS, STREAM = "bus", "stream"
EXTERNAL = "external"
"""The core (`cores/external.toml`) of a module that stands for RTL outside the block design."""
SIGNALS = ("ARCACHE", "AWCACHE", "ARUSER", "AWUSER")
"""Signals of an interface that a block other than its master may drive."""
EXTERNAL = "external"
"""The core (`cores/external.toml`) of a module that stands for RTL outside the block design."""


def core_of(vlnv: str) -> str:
    """A VLNV without its version."""
    return vlnv.rpartition(":")[0] if vlnv.count(":") == 3 else vlnv


@dataclass
class Interface:
    """An interface. `drives`: whether it is the master (or stream source) of its connection. `net`:
    the connection's name ("": not connected). `clock_pin`: the module's pin with its clock,
    `passes_to`: the interface by which what enters here leaves (each "": not stated)."""

    name: str
    kind: str
    drives: bool
    net: str = ""
    width_bits: int | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    pins: dict[str, str] = field(default_factory=dict)  # logical signal: the module's pin
    assumed: list[str] = field(default_factory=list)  # figures that the file does not give
    clock_pin: str = ""
    passes_to: str = ""


@dataclass(frozen=True)
class Range:
    """Addresses of a slave that a module's master interface ("": any) reaches."""

    master: str
    instance: str
    interface: str
    name: str
    base: int
    high: int


@dataclass
class Module:
    """An instance of `core` (VLNV without version, or a kind). `clocks`: nets of its clock inputs
    by pin; `made`: nets of its clock outputs by pin; `joined`: for single pins, the connected pin
    as (instance, pin); `defaults`: its core's parameters that the file may leave out."""

    name: str
    instance: str
    core: str
    parameters: dict[str, str] = field(default_factory=dict)
    interfaces: dict[str, Interface] = field(default_factory=dict)
    clocks: dict[str, str] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)
    ranges: list[Range] = field(default_factory=list)
    joined: dict[str, tuple[str, str]] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)

    def parameter(self, name: str) -> str | None:
        """The value of a parameter (case of `name` is ignored) or its default; None where it has
        neither."""
        value = self.given(name)
        return value if value is not None else self.defaults.get(name)

    def given(self, name: str) -> str | None:
        """The value of a parameter in the file, without defaults; None where it is not set."""
        if name in self.parameters:
            return self.parameters[name]
        wanted = name.lower()
        return next((v for k, v in self.parameters.items() if k.lower() == wanted), None)


def clock_net(module: Module, interface: Interface) -> str | None:
    """The net of the clock of an interface: by the name of its clock pin, the only one of the
    module, or of its side (m_axi_aclk); None where none tells."""
    if interface.clock_pin:
        return module.clocks.get(interface.clock_pin)
    name = plain(interface.name)
    pins = [f"{name}aclk", name.replace("axi", "aclk"), name.replace("data", "clock")]
    by_pin = {plain(pin): net for pin, net in module.clocks.items()}
    side = {net for pin, net in by_pin.items() if pin.startswith("m") == interface.drives}
    only = next((group.pop() for group in (set(by_pin.values()), side) if len(group) == 1), None)
    return next((by_pin[pin] for pin in pins if pin in by_pin), only)


def plain(name: str) -> str:
    """A name without case and underscores, which tools use in several ways."""
    return name.lower().replace("_", "")


@dataclass
class Netlist:
    """A block design. `rates`: the file's frequencies of clock nets in Hz; `notes`: parts of the
    file that were skipped."""

    name: str
    tool: str
    architecture: str
    part: str
    board: str = ""
    modules: dict[str, Module] = field(default_factory=dict)  # by instance
    rates: dict[str, float] = field(default_factory=dict)
    fed: dict[tuple[str, str], list[tuple[Module, Interface]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def join_nets(self) -> None:
        """Connect interfaces by their nets, after all modules are read."""
        feeding: dict[str, list[tuple[Module, Interface]]] = {}
        for module, interface in self._interfaces():
            if not interface.drives and interface.net:
                feeding.setdefault(interface.net, []).append((module, interface))
        for module, interface in self._interfaces():
            if interface.drives and interface.net:
                self.fed[module.instance, interface.name] = feeding.get(interface.net, [])

    def to(self, module: Module, interface: Interface) -> list[tuple[Module, Interface]]:
        """The interfaces that `interface` of `module` drives, with their modules."""
        return self.fed.get((module.instance, interface.name), [])

    def source_of(self, module: Module, name: str) -> tuple[Module, Interface] | None:
        """The interface that drives the interface `name` of `module`, with its module; None where
        nothing does."""
        for (instance, leaving), ends in self.fed.items():
            if any(m is module and i.name == name for m, i in ends) and instance in self.modules:
                source = self.modules[instance]
                return source, source.interfaces.get(leaving, Interface(leaving, STREAM, True))
        return None

    def _interfaces(self) -> Iterator[tuple[Module, Interface]]:
        return ((m, i) for m in self.modules.values() for i in m.interfaces.values())
