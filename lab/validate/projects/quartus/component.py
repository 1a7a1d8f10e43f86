"""Checks `_hw.tcl`: commands, properties, interfaces and signals against the facts, and its ports
against the wrapper that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from validate.projects.quartus import facts, tcl
from validate.projects.quartus.extract import texts


@dataclass
class Interface:
    """Type, side ("start", "end"), properties, and (pin, direction, bits) by role."""

    kind: str
    side: str
    properties: dict[str, str] = field(default_factory=dict)
    ports: dict[str, tuple[str, str, int]] = field(default_factory=dict)

    def width(self, role: str) -> int:
        """Bits of a signal; 0 if there is none."""
        return self.ports[role][2] if role in self.ports else 0


@dataclass
class Component:
    """A component: properties, interfaces, files with their kind, module of the top."""

    properties: dict[str, str] = field(default_factory=dict)
    interfaces: dict[str, Interface] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    top_file: str = ""
    top: str = ""


def read(path: Path) -> tuple[Component, list[str]]:
    """The component of a file, and everything that is wrong with it."""
    commands, wrong = tcl.run(path)
    it = Component()
    for command in commands:
        why = _do(it, command)
        if why:
            wrong.append(f"{path.name}:{command.line}: {command.name}: {why}")
    if not wrong:
        wrong = [f"{path.name}: {why}" for why in _check(it, path.parent)]
    return it, wrong


def _do(it: Component, command: tcl.Command) -> str:
    """Keep what a command says; why Platform Designer would refuse it, or ""."""
    name, words = command.name, command.words
    if not facts.shows("commands", "component", name):
        return "no public component uses this command"
    if name == "package":
        return "" if words[:3] == ("require", "-exact", "qsys") else "not of qsys"
    if name == "set_module_property":
        it.properties[words[0]] = words[1]
        return _known("words", name, words[0])
    if name == "add_fileset":
        return _known("words", name, words[1])
    if name == "set_fileset_property":
        it.top = words[2] if words[1] == "TOP_LEVEL" else it.top
        return _known("words", name, words[1])
    if name == "add_fileset_file":
        it.files[words[3]] = words[1]
        for attribute in words[4:]:
            it.top_file = words[3] if attribute == "TOP_LEVEL_FILE" else it.top_file
        return _known("words", name, words[1]) or next(
            filter(None, (_known("words", f"{name} attribute", w) for w in words[4:])), ""
        )
    if name == "add_interface":
        if words[0] in it.interfaces:
            return f"there is an interface {words[0]} already"
        it.interfaces[words[0]] = Interface(words[1], words[2])
        return _known("interfaces", "", f"{words[1]} {words[2]}")
    interface = it.interfaces.get(words[0])
    if interface is None:
        return f"there is no interface {words[0]}"
    kind = f"{interface.kind} {interface.side}"
    if name == "set_interface_property":
        interface.properties[words[1]] = words[2]
        return _known("interface_properties", kind, words[1])
    if name == "add_interface_port":
        if words[2] in interface.ports:
            return f"{words[0]} has {words[2]} twice"
        interface.ports[words[2]] = (words[1], words[3], int(words[4]))
        other = f"{interface.kind} {'end' if interface.side == 'start' else 'start'}"
        way = {"Input": "Output", "Output": "Input"}.get(words[3], "")
        own = facts.shows("roles", kind, f"{words[2]} {words[3]}")
        if own or facts.shows("roles", other, f"{words[2]} {way}"):
            return ""
        return f"no public component has {words[2]} {words[3]} of {kind}"
    return "not understood"


def _known(kind: str, of: str, name: str) -> str:
    shown = facts.shows(kind, of, name)
    return "" if shown else f"no public component has {name} of {of or 'interfaces'}"


def _check(it: Component, folder: Path) -> Iterator[str]:
    clocks = {n for n, i in it.interfaces.items() if i.kind == "clock"}
    resets = {n for n, i in it.interfaces.items() if i.kind == "reset"}
    for name, interface in it.interfaces.items():
        if interface.kind != "clock" and interface.properties.get("associatedClock") not in clocks:
            yield f"{name} has no clock of the component's"
        timed = interface.kind not in ("clock", "reset")
        if timed and interface.properties.get("associatedReset") not in resets:
            yield f"{name} has no reset of the component's"
        yield from _signals(name, interface)
        point = interface.properties.get("associatedAddressablePoint", "s_axil")
        if point not in it.interfaces:
            yield f"{name} belongs to {point}, which is no interface"
    for path, kind in it.files.items():
        if not (folder / path).is_file():
            yield f"there is no file {path}"
        if path.endswith(".svh") != (kind == "SYSTEM_VERILOG_INCLUDE"):
            yield f"{path} is {kind}"
    yield from _included(it, folder)
    yield from _wrapper(it, folder)


def _signals(name: str, interface: Interface) -> Iterator[str]:
    documents = facts.table("documents")
    if interface.kind not in documents["needed"]:
        return
    for role in documents["needed"][interface.kind]:
        if role not in interface.ports:
            yield f"{name} has no {role}"
    wanted = documents["bits"]["all"] | documents["bits"][interface.kind]
    for role, (_, _, bits) in interface.ports.items():
        if bits != wanted.get(role, 1 if re.search("valid|ready|last", role) else bits):
            yield f"{name}: {role} has {bits} bits, {interface.kind} has {wanted.get(role, 1)}"
    groups = [["wdata", "rdata"], ["awaddr", "araddr"]]
    groups += [[r for r in ("awid", "wid", "bid", "arid", "rid") if r in interface.ports]]
    for group in groups:
        if len({interface.width(role) for role in group}) > 1:
            yield f"{name}: {', '.join(group)} have different widths"
    if interface.width("wstrb") * 8 != interface.width("wdata"):
        yield f"{name}: wstrb has {interface.width('wstrb')} bits for {interface.width('wdata')}"


def _included(it: Component, folder: Path) -> Iterator[str]:
    names = {Path(path).name for path, kind in it.files.items() if "INCLUDE" in kind}
    for path in it.files:
        text = (folder / path).read_text(encoding="utf-8") if (folder / path).is_file() else ""
        for file in re.findall(r'^\s*`include "([^"]+)"', text, re.M):
            if Path(file).name not in names:
                yield f"{path} includes {file}, which is no header of the fileset"


def _wrapper(it: Component, folder: Path) -> Iterator[str]:
    path = folder / it.top_file
    if not it.top_file or not path.is_file():
        yield "no file is the top"
        return
    text = path.read_text(encoding="utf-8")
    if not re.search(rf"^module {it.top}\b", text, re.M):
        yield f"{it.top_file} has no module {it.top}"
    header = text[: text.index(");")]
    own = {name: (p.direction, p.width) for name, p in texts.pins(header).items()}
    said: dict[str, tuple[str, int]] = {}
    for name, interface in it.interfaces.items():
        for pin, way, bits in interface.ports.values():
            if pin in said:
                yield f"{pin} is in two interfaces"
            said[pin] = (way.lower(), bits)
            if own.get(pin) != said[pin]:
                yield f"{name}: {pin} is {said[pin]}, the wrapper has {own.get(pin)}"
    for pin in own.keys() - said.keys():
        yield f"{pin} of the wrapper is in no interface"
