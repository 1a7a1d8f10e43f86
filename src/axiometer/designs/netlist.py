"""Modules, interfaces and what joins them: what every reader of a design makes, before any meaning.

Nothing here knows a core or a chip. Interfaces of a bus and of a stream are told apart by `kind`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

BUS, STREAM = "bus", "stream"


def core_of(vlnv: str) -> str:
    """A VLNV without its version."""
    return vlnv.rpartition(":")[0] if vlnv.count(":") == 3 else vlnv


@dataclass
class Interface:
    """`drives` is whether it is the master (or stream source) of its connection; `net` joins the
    interfaces that have the same one ("": joined to nothing)."""

    name: str
    kind: str
    drives: bool
    net: str = ""
    width_bits: int | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    pins: dict[str, str] = field(default_factory=dict)  # logical signal: the module's pin
    assumed: list[str] = field(default_factory=list)  # what of it the file does not tell


@dataclass(frozen=True)
class Range:
    """Addresses that a module's master interface ("": all of them) reaches at a slave."""

    master: str
    instance: str
    interface: str
    name: str
    base: int
    high: int


@dataclass
class Module:
    """`core` is what it is an instance of (VLNV without version, or a kind); `clocks` the nets of
    its clock inputs by pin, `made` those of its outputs; `joined` the pins that single pins of it
    are tied to, as (instance, pin). `defaults` are its core's, for a file that leaves them out."""

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
        """The value of a parameter, whatever the case of its name, or its default; None where there
        is none."""
        told = self.told(name)
        return told if told is not None else self.defaults.get(name)

    def told(self, name: str) -> str | None:
        """As `parameter`, without defaults."""
        if name in self.parameters:
            return self.parameters[name]
        wanted = name.lower()
        return next((v for k, v in self.parameters.items() if k.lower() == wanted), None)


@dataclass
class Netlist:
    """A block design. `rates` are the frequencies in Hz that the file gives for clock nets; `notes`
    say what of the file was not followed."""

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
        """Join interfaces by their nets; to be called when all modules are there."""
        feeding: dict[str, list[tuple[Module, Interface]]] = {}
        for module, interface in self._interfaces():
            if not interface.drives and interface.net:
                feeding.setdefault(interface.net, []).append((module, interface))
        for module, interface in self._interfaces():
            if interface.drives and interface.net:
                self.fed[module.instance, interface.name] = feeding.get(interface.net, [])

    def to(self, module: Module, interface: Interface) -> list[tuple[Module, Interface]]:
        """What an interface of `module` drives."""
        return self.fed.get((module.instance, interface.name), [])

    def _interfaces(self) -> Iterator[tuple[Module, Interface]]:
        return ((m, i) for m in self.modules.values() for i in m.interfaces.values())
