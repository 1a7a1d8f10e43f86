"""What a core says of itself beside the design, in its component.xml (IP-XACT): for cores that
`cores/` lacks, and for figures that a script leaves out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from axiometer.base import harmless
from axiometer.base.xml_parts import BadPartError, Budget, Element, visit
from axiometer.designs.netlist import BUS, STREAM, Interface, Module

FILE = "component.xml"
MAX_FILES = 500
MAX_ELEMENTS = 300_000  # of one core
_KINDS = {"aximm": BUS, "axis": STREAM}
_DRIVES = ("master", "initiator")
_PINS = {"WDATA": "write", "RDATA": "read", "TDATA": "data", "TLAST": "last"}
_ONLY = {"write": "WRITE_ONLY", "read": "READ_ONLY"}
_TAG = rb"<(?:\w+:)?%s>\s*([^<]*?)\s*</[^>]*>\s*"
_HEAD = re.compile(b"".join(_TAG % part for part in (b"vendor", b"library", b"name")))
_OF = re.compile(r"id\('(?:MODELPARAM|PARAM)_VALUE\.(\w+)'\)[\s)]*-\s*1\)*$")


@dataclass
class Component:
    """A core: its parameters' defaults; by interface its kind, whether it drives, its parameters
    and its data pins by direction; by pin its width in bits and the parameter that gives it."""

    parameters: dict[str, str] = field(default_factory=dict)
    interfaces: dict[str, Interface] = field(default_factory=dict)
    bits: dict[str, tuple[int, str]] = field(default_factory=dict)

    def complete(self, module: Module, interface: Interface) -> None:
        """Add what the design does not give: the defaults, and the interface's parameters, width
        and direction."""
        own = self.interfaces.get(interface.name)
        if own is None:
            return
        for name, value in self.parameters.items():
            module.defaults.setdefault(name, value)
        data = (pin for of, pin in own.pins.items() if of != "last")
        bits = max([0, *(self._width(module, pin) for pin in data)])
        known = dict(own.parameters)
        if bits and interface.kind == BUS:
            known["DATA_WIDTH"] = str(bits)
        elif bits:
            known["TDATA_NUM_BYTES"] = str(bits // 8)
            known["HAS_TLAST"] = str(int("last" in own.pins))
        ways = [_ONLY[way] for way in own.pins if way in _ONLY]
        if interface.kind == BUS and len(ways) == 1:
            known["READ_WRITE_MODE"] = ways[0]
        for name, value in known.items():
            interface.parameters.setdefault(name, value)

    def _width(self, module: Module, pin: str) -> int:
        bits, parameter = self.bits.get(pin, (0, ""))
        text = module.parameter(parameter) or ""
        return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else bits


class Library:
    """The cores beside a design; `contents` gives the bytes of each component.xml, of the folders
    that the design names too. Read when the first core is asked for."""

    def __init__(self, contents: Callable[[Iterable[str]], Iterable[bytes]]) -> None:
        self.contents = contents
        self.folders: list[str] = []
        self._files: dict[str, bytes] | None = None
        self._read: dict[str, Component | None] = {}

    def core(self, core: str) -> Component | None:
        """The core with this VLNV, without version; None where none is beside or it is damaged."""
        if self._files is None:
            self._files = {}
            for number, content in enumerate(self.contents(self.folders)):
                head = _HEAD.search(content[:4000])
                if head is not None and number < MAX_FILES:
                    vlnv = b":".join(head.groups()).decode("utf-8", "replace")
                    self._files.setdefault(vlnv, content)
        if core not in self._read:
            own = self._files.get(core)
            self._read[core] = None if own is None else _read(own)
        return self._read[core]


def _read(content: bytes) -> Component | None:
    reader = _Reader()
    try:
        visit(content, FILE, Budget(MAX_ELEMENTS), reader.see)
    except BadPartError:
        return None
    return reader.made


class _Reader:
    """Collects a component; `see` is called at the begin and the end of each element."""

    def __init__(self) -> None:
        self.made = Component()
        self.interface = Interface("", "", False)
        self.words: dict[str, str] = {}  # by the elements around a text

    def see(self, element: Element, ended: bool) -> None:
        name, within = element.name, element.within
        above = within[-1] if within else ""
        if not ended:
            if name == "busInterface":
                self.interface = Interface("", "", False)
            elif name == "busType":
                self.interface.kind = _KINDS.get(element.get("name"), "")
            elif above == "busInterface" and name in _DRIVES:
                self.interface.drives = True
            elif name == "left":
                found = _OF.search(element.get("dependency"))
                self.words["parameter"] = found[1] if found else ""
            return
        text = harmless.line(element.text.strip()[:2000])
        self.words[f"{above}/{name}"] = text
        if name == "name" and above == "busInterface":
            self.interface.name = text
        elif name == "portMap":
            logical = self.words.get("logicalPort/name", "").upper()
            if logical in _PINS:
                self.interface.pins[_PINS[logical]] = self.words.get("physicalPort/name", "")
        elif name in ("parameter", "modelParameter"):
            key, value = self.words.get(f"{name}/name", ""), self.words.get(f"{name}/value", "")
            into = self.interface if "busInterface" in within else self.made
            into.parameters.setdefault(key, value)
        elif name == "busInterface" and self.interface.kind:
            self.made.interfaces[self.interface.name] = self.interface
        elif name == "port":
            left, pin = self.words.pop("vector/left", ""), self.words.get("port/name", "")
            if left.isascii() and left.isdigit() and len(left) < 6:
                self.made.bits[pin] = int(left) + 1, self.words.pop("parameter", "")
