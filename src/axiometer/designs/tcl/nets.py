"""Derives modules with interfaces, clocks and addresses from cells and connections.

A script names pins without their kind. Which side of a connection drives it, and whether it is a
bus or a stream, follows from facts of cores and of the processor system, from interfaces that
hierarchies declare, from the other side, and last from the pin's name (M_AXI_GMEM, s_axis_in).
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from axiometer.designs import core_facts
from axiometer.designs.core_facts import Core
from axiometer.designs.ip_xact import Component
from axiometer.designs.netlist import (
    BUS,
    EXTERNAL,
    SIGNALS,
    STREAM,
    Interface,
    Module,
    Netlist,
    Range,
    plain,
)
from axiometer.designs.ps_facts import System
from axiometer.designs.tcl.block_design import Assigned, BlockDesign, bus_kind
from axiometer.designs.tcl.interpreter import TooMuchError
from axiometer.designs.tcl.net_clocks import NetClocks
from axiometer.designs.trace import LITE

_MASTER = re.compile(r"(?:^|_)m(?:\d|_|axi|$)", re.I)
_SLAVE = re.compile(r"(?:^|_)s(?:\d|_|axi|$)", re.I)
_WIDTHS = 64  # rounds of passing widths on, one for each block of the longest path
UNKNOWN_WIDTH = 32
MAX_INTERFACES = 1000  # of a module
MAX_RANGES = 5000  # of a module


class Nets:
    """Fills the modules of `netlist`, by the paths of their cells in `modules`."""

    def __init__(
        self,
        design: BlockDesign,
        netlist: Netlist,
        modules: dict[str, Module],
        ps: tuple[str, System] | None,
    ) -> None:
        self.design, self.netlist, self.modules = design, netlist, modules
        self.ps_path = "" if ps is None else ps[0]
        self.system = None if ps is None else ps[1]

    def fill(self) -> list[str]:
        """Fill all modules and return notes on the figures that the script lacks."""
        notes = self._interfaces()
        self._clocks()
        self._widths()
        self._protocols()
        notes += self._addresses()
        self.netlist.join_nets()
        self._control()
        return notes

    # Interfaces

    def _ends(self, paths: list[str]) -> list[tuple[str, str]]:
        """The pins of cores among `paths`, as (cell, pin)."""
        found = []
        for path in paths:
            cell, _, pin = path.rpartition("/")
            if cell in self.modules:
                found.append((cell, pin))
            elif path in self.modules:  # a port of the design
                found.append((path, pin))
        return found

    def _interfaces(self) -> list[str]:
        notes = []
        for net, paths in self._joined_interfaces().items():
            ends = self._ends(paths)
            known = [self._role(cell, pin) for cell, pin in ends]
            kind = self._kind(paths, ends)
            if kind is None or not ends:
                continue
            roles = self._completed(known, ends)
            if None in roles and kind == STREAM:
                continue  # for example video; only streams of DMA engines are followed
            if None in roles:
                named = " and ".join(f"{cell[1:]}/{pin}" for cell, pin in ends)
                notes.append(f"{named} is left out: the driving side is unknown")
                continue
            for (cell, pin), drives in zip(ends, roles, strict=True):
                module = self.modules[cell]
                made = Interface(pin, kind, bool(drives), net)
                path = cell if cell in self.design.pins else f"{cell}/{pin}"
                given = self.design.settings.get(path, {})
                made.parameters.update({key.upper(): value for key, value in given.items()})
                module.interfaces[pin] = made
                of = self._component(cell)
                if of is not None:
                    of.complete(module, made)
                if len(module.interfaces) > MAX_INTERFACES:
                    raise TooMuchError(f"a module has more than {MAX_INTERFACES} interfaces")
        return notes

    def _joined_interfaces(self) -> dict[str, list[str]]:
        """The nets of interfaces: those that a script connects as interfaces, and those that it
        connects as pins and that facts identify as interfaces."""
        found = self.design.interfaces.sets()
        for net, paths in self.design.nets.sets().items():
            if any(self._role(cell, pin) is not None for cell, pin in self._ends(paths)):
                found.setdefault(net, paths)
        return found

    def _role(self, cell: str, pin: str) -> bool | None:
        """Whether a pin drives its net; None where no fact decides."""
        if cell in self.design.pins:
            return not self.design.pins[cell].drives
        declared = self.design.pins.get(f"{cell}/{pin}")
        if declared is not None and declared.vlnv:
            return declared.drives
        if cell == self.ps_path and self.system is not None:
            if pin in self.system.ports:
                return False
            return True if pin in self.system.masters else None
        core = core_facts.core(self.modules[cell].core)
        of = self._component(cell)
        if of is not None and pin in of.interfaces:
            return of.interfaces[pin].drives
        if core is None:
            return None
        if pin in core.masters:
            return True
        for pairs in (core.passes, core.streams):
            if any(fnmatchcase(pin, into) for into in pairs):
                return False
            if any(fnmatchcase(pin, out) for out in pairs.values()):
                return True
        return None

    def _component(self, cell: str) -> Component | None:
        """What the core of a cell says of itself, beside the design; not of known ones."""
        name, library = self.modules[cell].core, self.design.library
        known = core_facts.core(name)
        if library is None or (known is not None and known.vlnv == name):
            return None
        return library.core(name)

    def _completed(
        self, known: list[bool | None], ends: list[tuple[str, str]]
    ) -> list[bool | None]:
        named = [
            role if role is not None else _by_name(pin)
            for role, (_, pin) in zip(known, ends, strict=True)
        ]
        if True in known or False in known:  # facts count more than names
            named = [
                role if role is not None else by_name
                for role, by_name in zip(known, named, strict=True)
            ]
        if named.count(True) == 1:
            return [role is True for role in named]
        if len(named) == 2 and named.count(None) == 1:
            other = next(role for role in named if role is not None)
            return [role if role is not None else not other for role in named]
        if len(ends) == 1 or True not in named:
            return named
        return [None] * len(ends)

    def _kind(self, paths: list[str], ends: list[tuple[str, str]]) -> str | None:
        """Bus or stream; None for other kinds, for example DDR or video timing."""
        declared = [self.design.pins[p].vlnv for p in paths if p in self.design.pins]
        for vlnv in filter(None, declared):
            return bus_kind(vlnv)
        kinds = [self._kind_of(cell, pin) for cell, pin in ends]
        return next((kind for kind in kinds if kind is not None), None)

    def _kind_of(self, cell: str, pin: str) -> str | None:
        if cell == self.ps_path and self.system is not None:
            return BUS if pin in self.system.ports or pin in self.system.masters else None
        core = core_facts.core(self.modules[cell].core)
        if core is not None:
            sides = [*core.passes, *core.passes.values()]
            if pin in core.masters or any(fnmatchcase(pin, side) for side in sides):
                return BUS
            streams = {master.get("stream") for master in core.masters.values()}
            if pin in streams | set(core.streams) | set(core.streams.values()):
                return STREAM
        lower = pin.lower()
        return STREAM if "axis" in lower else BUS if "axi" in lower else None

    # Clocks and single pins

    def _clocks(self) -> None:
        clocks = NetClocks(self.design, self.modules, self.ps_path, self.system)
        for paths in self.design.nets.sets().values():
            ends = self._ends(paths)
            self._signal(ends)
            found = clocks.of(paths)
            if found is None:
                continue
            name, path, rate = found
            if rate:
                self.netlist.rates.setdefault(name, rate)
            for cell, pin in ends:
                module = self.modules[cell]
                (module.made if f"{cell}/{pin}" == path else module.clocks)[pin] = name

    def _signal(self, ends: list[tuple[str, str]]) -> None:
        """Record what drives the pins of `SIGNALS` in place of their interface's master."""
        driven = [(c, p, s) for c, p in ends for s in SIGNALS if p.upper().endswith(f"_{s}")]
        others = [(c, p) for c, p in ends if (c, p) not in {(d[0], d[1]) for d in driven}]
        for cell, pin, signal in driven if len(ends) > len(driven) or len(ends) == 1 else ():
            module = self.modules[cell]
            source, out = others[0] if others else ("", "")
            its = self.modules[source].instance if source else ""
            module.joined[pin] = (its, out)
            for owner in module.interfaces.values():
                if plain(owner.name) == plain(pin[: -len(signal)]):
                    owner.pins[signal] = pin

    # Widths, clock domains, protocols

    def _widths(self) -> None:
        """Set widths of interfaces: first given widths, then those that blocks pass on."""
        for module in self.modules.values():
            core = core_facts.core(module.core)
            for interface in module.interfaces.values():
                if interface.kind == BUS:
                    self._width(module, core, interface)
        self.netlist.join_nets()
        for pass_on in (self._passed_back, self._passed_on):
            for _ in range(_WIDTHS):
                if not pass_on():
                    break
        for module in (m for m in self.modules.values() if m.core == EXTERNAL):
            for interface in module.interfaces.values():
                fed = [i.width_bits for _, i in self.netlist.to(module, interface)]
                if interface.width_bits is None:
                    interface.width_bits = next((w for w in fed if w), UNKNOWN_WIDTH)
                    words = f"width: {interface.width_bits} bits (that of what it is joined to)"
                    interface.assumed.append(words)

    def _width(self, module: Module, core: Core | None, interface: Interface) -> None:
        facts = core.master(interface.name) if core is not None and interface.drives else None
        spec = facts["width_bits"] if facts is not None else "@DATA_WIDTH"
        passes = core is not None and core.passes and facts is None
        if core is not None and core.passes:
            if interface.drives and core.leaves_width:
                spec = core.leaves_width
            if core.width:
                spec = core.width
        interface.width_bits = core_facts.figure(spec, module, interface).value or None
        if self.system is not None and module is self.modules.get(self.ps_path):
            port = self.system.ports.get(interface.name, {})
            interface.width_bits = core_facts.figure(port.get("width"), module).value or None
        if interface.drives and not passes and module is not self.modules.get(self.ps_path):
            if interface.width_bits is None and module.core != EXTERNAL:
                interface.width_bits = UNKNOWN_WIDTH
                interface.assumed.append(
                    f"width: {UNKNOWN_WIDTH} bits (not in the Tcl, only in the core itself)"
                )
            usual = facts.get("protocol", "AXI4") if facts is not None else "AXI4"
            interface.parameters.setdefault("PROTOCOL", usual)

    def _passed_back(self) -> bool:
        """Set the width of a block's output from the interface that it feeds; in a block with one
        path the input's too. Interconnects convert, so blocks after them have the port's width.
        Returns whether any width is new."""
        changed = False
        for module in self.modules.values():
            core = core_facts.core(module.core)
            if core is None or not core.passes:
                continue
            one_way = not any("*" in side for side in core.passes)
            for interface in module.interfaces.values():
                fed = [i.width_bits for _, i in self.netlist.to(module, interface)]
                width = next((w for w in fed if w), None)
                if not interface.drives or interface.width_bits is not None or width is None:
                    continue
                interface.width_bits, changed = width, True
                for entry in module.interfaces.values() if one_way and not core.converts else ():
                    if not entry.drives and entry.width_bits is None:
                        entry.width_bits = width
        return changed

    def _passed_on(self) -> bool:
        """Set the width of a block's outputs from its widest input. Returns whether any width is
        new."""
        changed = False
        for module in self.modules.values():
            core = core_facts.core(module.core)
            if core is None or not core.passes:
                continue
            entering = [i.width_bits for i in module.interfaces.values() if not i.drives]
            widest = max((w for w in entering if w), default=None)
            for interface in module.interfaces.values():
                if interface.drives and interface.width_bits is None and widest:
                    interface.width_bits, changed = widest, True
        for module in self.modules.values():
            for interface in module.interfaces.values():
                for _, fed in self.netlist.to(module, interface) if interface.width_bits else ():
                    if fed.width_bits is None and not fed.drives:
                        fed.width_bits, changed = interface.width_bits, True
        return changed

    def _protocols(self) -> None:
        """Set the protocol of each port of the processor system; a parameter gives its width."""
        module = self.modules.get(self.ps_path)
        if module is None or self.system is None:
            return
        for name, interface in module.interfaces.items():
            facts = self.system.ports.get(name)
            if facts is None:
                continue
            interface.parameters.setdefault("PROTOCOL", facts["protocol"])
            interface.width_bits = None

    # Addresses

    def _addresses(self) -> list[str]:
        open_ = 0
        for assigned in self.design.addresses:
            if assigned.offset is None or assigned.range is None or not assigned.space:
                open_ += 1
                continue
            self._range(assigned, assigned.offset, assigned.offset + max(assigned.range, 1) - 1)
        for module in self.modules.values():
            module.ranges.sort(key=lambda each: each.base)
        return [f"{open_} addresses are assigned by the tool and unknown"] if open_ else []

    def _range(self, assigned: Assigned, base: int, high: int) -> None:
        cell, _, space = assigned.space.rpartition("/")
        where, _, name = assigned.segment.rpartition("/")
        slave, _, interface = where.rpartition("/")
        module, target = self.modules.get(cell), self.modules.get(slave)
        if module is None or target is None or len(module.ranges) >= MAX_RANGES:
            return
        master = ""
        if cell == self.ps_path and self.system is not None:
            reaching = self.system.masters.items()
            master = next(
                (i for i, f in reaching if any(a <= base <= b for a, b in f.get("addresses", ()))),
                "",
            )
        else:
            end = space.removeprefix("Data").lstrip("_").lower()
            buses = [i for i in module.interfaces.values() if i.drives and i.kind == BUS]
            master = next((i.name for i in buses if end and i.name.lower().endswith(end)), "")
        if slave == self.ps_path and self.system is not None:
            ports = self.system.ports.items()
            interface = next((i for i, f in ports if f.get("segment") == interface), interface)
        module.ranges.append(Range(master, target.instance, interface, name, base, high))

    def _control(self) -> None:
        """Mark interfaces that only the processor reaches as control (AXI4-Lite); their block does
        not pass them on."""
        ps = self.modules.get(self.ps_path)
        if ps is None:
            return
        own = self._reached([(ps, i) for i in ps.interfaces.values() if i.drives])
        others = self._reached(
            [
                (module, i)
                for module in self.modules.values()
                if module is not ps and not _passes(module)
                for i in module.interfaces.values()
                if i.drives and i.kind == BUS
            ]
        )
        for module in self.modules.values():
            if module is ps or _passes(module):
                continue
            for interface in module.interfaces.values():
                place = (module.instance, interface.name)
                if not interface.drives and place in own and place not in others:
                    interface.parameters.setdefault("PROTOCOL", LITE)

    def _reached(self, starts: list[tuple[Module, Interface]]) -> set[tuple[str, str]]:
        seen: set[tuple[str, str]] = set()
        waiting = list(starts)
        while waiting:
            source, leaving = waiting.pop()
            for module, entry in self.netlist.to(source, leaving):
                place = (module.instance, entry.name)
                if place in seen:
                    continue
                seen.add(place)
                if _passes(module):
                    waiting += [(module, i) for i in module.interfaces.values() if i.drives]
        return seen


def _passes(module: Module) -> bool:
    core = core_facts.core(module.core)
    return core is not None and bool(core.passes)


def _by_name(pin: str) -> bool | None:
    master, slave = _MASTER.search(pin), _SLAVE.search(pin)
    if master and slave:
        return master.start() < slave.start()
    return True if master else False if slave else None
