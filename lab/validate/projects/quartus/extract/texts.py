"""Reads what public projects are written in: Tcl (line by line, nothing is run), .qsys, Verilog."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass, field

_WORD = re.compile(r'\{([^{}]*)\}|"([^"]*)"|(\[[^\]]*\]|(?:\$\{\w+\}|[^\s{}"])+)')
_ITEM = re.compile(r"\.(\w+)\s*\(\s*([^()]*?)\s*\)")
_DECLARED = re.compile(r"\b(input|output|inout)\s+(?:wire\s+)?(?:\[\s*(\d+)\s*:\s*0\s*\])?\s*(\w+)")


def commands(text: str) -> Iterator[list[str]]:
    """The commands of a Tcl script with their words, wherever they stand: a line each."""
    for line in text.replace("\\\n", " ").splitlines():
        line = line.strip().removeprefix("}").strip()
        if not line or line.startswith("#"):
            continue
        words = [next(filter(None, found), "") for found in _WORD.findall(line)]
        if words:
            yield words


@dataclass
class Connection:
    """kind, start, end as `module.interface`, and its parameters."""

    kind: str
    start: str
    end: str
    parameters: list[str] = field(default_factory=list)


@dataclass
class System:
    """A .qsys: its `parameters`; of each module its kind, of each kind the parameters with their
    values; connections; `exports` are (module.interface, type, direction); `versions` of the HPS,
    which are the tool's."""

    parameters: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    connections: list[Connection] = field(default_factory=list)
    exports: list[tuple[str, str, str]] = field(default_factory=list)
    versions: set[str] = field(default_factory=set)


def system(text: str) -> System:
    """The system of a .qsys."""
    root = ElementTree.fromstring(text)
    found = System()
    for parameter in root.findall("parameter"):
        found.parameters[parameter.get("name", "")] = parameter.get("value") or ""
    for module in root.findall("module"):
        name = module.get("name", "")
        found.kinds[name] = module.get("kind", "")
        if found.kinds[name].startswith("altera_hps"):
            found.versions.add(module.get("version", ""))
        found.values[name] = {
            p.get("name", ""): p.get("value") if p.get("value") is not None else (p.text or "")
            for p in module.findall("parameter")
        }  # type: ignore[assignment]  # the value is a text or the element's text
    for c in root.findall("connection"):
        names = [p.get("name", "") for p in c.findall("parameter")]
        found.connections.append(
            Connection(c.get("kind", ""), c.get("start", ""), c.get("end", ""), names)
        )
    for i in root.findall("interface"):
        if i.get("internal"):
            found.exports.append((i.get("internal", ""), i.get("type", ""), i.get("dir", "")))
    return found


@dataclass(frozen=True)
class Pin:
    """A port of a Verilog module: direction, width in bits."""

    direction: str
    width: int


def pins(text: str) -> dict[str, Pin]:
    """The ports of a Verilog module that declares them in its header."""
    return {
        name: Pin(direction, int(left or 0) + 1)
        for direction, left, name in _DECLARED.findall(_plain(text))
    }


def links(text: str) -> list[tuple[str, str]]:
    """What instances connect, in all of a Verilog text: (port, net)."""
    return [(port, re.sub(r"\s", "", net)) for port, net in _ITEM.findall(_plain(text)) if net]


def _plain(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def roles(text: str, instance: str) -> Iterator[tuple[str, str, str]]:
    """(interface, role, net) of an instance in Verilog that Platform Designer wrote: its comments
    name interface and role of each port."""
    start = text.find(f" {instance} (")
    if start < 0:
        return
    interface = ""
    for line in text[start : text.index(");", start)].splitlines():
        found = re.match(r"\s*\.\w+\s*\((.*?)\),?\s*//\s*(\w*)\.(\w+)", line)
        if found:
            interface = found[2] or interface
            yield interface, found[3], found[1].strip()


def nets(text: str) -> dict[str, int]:
    """Widths in bits of the wires of a Verilog text."""
    wires = re.findall(r"^\s*wire\s+(?:\[(\d+):0\])?\s*(\w+);", text, re.M)
    return {name: int(left or 0) + 1 for left, name in wires}
