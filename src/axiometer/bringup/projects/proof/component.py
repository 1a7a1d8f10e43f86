"""Reads the `component.xml` of an IP: pins, interfaces, memory maps and files, as the catalogue has
them. It knows nothing of how the file was written, so that a slip of the writer shows."""

from __future__ import annotations

import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.bringup.projects.proof.catalogue import Kind

_NS = {"s": "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"}
_S = "{http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009}"


class ComponentError(Exception):
    """It is no IP that a catalogue takes."""


@dataclass(frozen=True)
class Component:
    """An IP: as a core of the catalogue; `module` is its top, `ports` (output, width) by name;
    `registers` offsets in bytes by name, `files` what each set has: path and kinds."""

    vlnv: str
    kind: Kind
    module: str
    ports: dict[str, tuple[bool, int]]
    registers: dict[str, int]
    files: dict[str, list[tuple[str, tuple[str, ...]]]]


def read(path: Path) -> Component:
    """The IP in a file. ComponentError where it is none."""
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise ComponentError(f"{path.name} is no XML: {error}") from None
    vlnv = ":".join(_text(root, tag) for tag in ("vendor", "library", "name", "version"))
    ports = dict(_port(port) for port in root.iterfind("s:model/s:ports/s:port", _NS))
    pins, interfaces = {}, {}
    buses = list(root.iterfind("s:busInterfaces/s:busInterface", _NS))
    clocks = _clocks(buses)
    mapped: set[str] = set()
    for bus in buses:
        name, kind = _text(bus, "name"), bus.find("s:busType", _NS).get(f"{_S}name")
        maps = _maps(bus)
        for logical, physical in maps.items():
            if physical not in ports:
                raise ComponentError(f"{name}: {logical} is {physical}, which is no port")
            if physical in mapped:
                raise ComponentError(f"{name}: {physical} is mapped twice")
            mapped.add(physical)
        values = _parameters(bus)
        if kind == "aximm":
            interfaces[name] = _interface(root, bus, name, maps, values, ports, clocks)
        else:
            pins |= _pins(kind, maps, values, ports, clocks)
    left = sorted(set(ports) - mapped)
    if left:
        raise ComponentError(f"the port {left[0]} is of no interface")
    facts = {"space": "", "vlnv": vlnv}
    model = root.find("s:model/s:views/s:view/s:modelName", _NS)
    registers = {
        _text(register, "name"): int(_text(register, "addressOffset"), 0)
        for register in root.iterfind("s:memoryMaps//s:register", _NS)
    }
    return Component(
        vlnv,
        Kind(vlnv.rpartition(":")[0], {}, pins, interfaces, facts),
        "" if model is None else model.text,
        ports,
        registers,
        {_text(each, "name"): [_file(file) for file in each.iterfind("s:file", _NS)]
         for each in root.iterfind("s:fileSets/s:fileSet", _NS)},
    )  # fmt: skip


def _text(element: ElementTree.Element, tag: str) -> str:
    found = element.find(f"s:{tag}", _NS)
    if found is None or not found.text:
        raise ComponentError(f"{element.tag.removeprefix(_S)} without {tag}")
    return found.text


def _port(port: ElementTree.Element) -> tuple[str, tuple[bool, int]]:
    left = port.find("s:wire/s:vector/s:left", _NS)
    width = 1 if left is None else int(left.text) + 1
    return _text(port, "name"), (_text(port.find("s:wire", _NS), "direction") == "out", width)


def _maps(bus: ElementTree.Element) -> dict[str, str]:
    return {
        each.find("s:logicalPort/s:name", _NS).text: each.find("s:physicalPort/s:name", _NS).text
        for each in bus.iterfind("s:portMaps/s:portMap", _NS)
    }


def _parameters(bus: ElementTree.Element) -> dict[str, str]:
    return {
        _text(each, "name"): _text(each, "value")
        for each in bus.iterfind("s:parameters/s:parameter", _NS)
    }


def _clocks(buses: list[ElementTree.Element]) -> dict[str, str]:
    """Clock pin by what is associated with it: interfaces, and reset pins."""
    found = {}
    for bus in buses:
        if bus.find("s:busType", _NS).get(f"{_S}name") == "clock":
            values, pin = _parameters(bus), _maps(bus).get("CLK", "")
            for name in values.get("ASSOCIATED_BUSIF", "").split(":"):
                found[name] = pin
            found[values.get("ASSOCIATED_RESET", "")] = pin
    return found


def _pins(kind, maps, values, ports, clocks) -> dict[str, dict]:
    known = {"clock": "clock", "reset": "reset"}
    found = {}
    for pin in maps.values():
        output, width = ports[pin]
        found[pin] = {"is": known.get(kind, "data"), "out": output, "width": width}
        if kind == "reset":
            found[pin] |= {"low": values.get("POLARITY") == "ACTIVE_LOW", "of": clocks.get(pin)}
    return found


def _interface(root, bus, name, maps, values, ports, clocks) -> dict:
    master = bus.find("s:master", _NS) is not None
    found = {
        "master": master,
        "protocol": values.get("PROTOCOL", "AXI4"),
        "width": int(values["DATA_WIDTH"]),
        "address": int(values["ADDR_WIDTH"]),
        "id": int(values.get("ID_WIDTH", 0)),
        "of": clocks.get(name, ""),
    }
    _signals(name, found, maps, ports)
    if master:
        reference = bus.find("s:master/s:addressSpaceRef", _NS).get(f"{_S}addressSpaceRef")
        spaces = [_text(s, "name") for s in root.iterfind("s:addressSpaces/s:addressSpace", _NS)]
        if reference not in spaces:
            raise ComponentError(f"{name}: there is no address space {reference}")
        found["space"] = reference
    else:
        reference = bus.find("s:slave/s:memoryMapRef", _NS).get(f"{_S}memoryMapRef")
        found["segments"] = {
            f"{name}/{_text(block, 'name')}": [0, int(_text(block, "range"), 0)]
            for each in root.iterfind("s:memoryMaps/s:memoryMap", _NS)
            if _text(each, "name") == reference
            for block in each.iterfind("s:addressBlock", _NS)
        }
        if not found["segments"]:
            raise ComponentError(f"{name}: there is no memory map {reference}")
    return found


@cache
def _protocols() -> dict[str, dict]:
    file = Path(__file__).with_name("protocols.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _signals(name: str, bus: Mapping[str, Any], maps: Mapping[str, str], ports: Mapping) -> None:
    """An interface has the signals of its protocol, each in its way and as wide as it says."""
    known = _protocols()[bus["protocol"]]
    wanted = {signal: (way, width) for way in ("out", "in") for signal, width in known[way].items()}
    odd = sorted(set(wanted) ^ set(maps))
    if odd:
        raise ComponentError(f"{name}: {odd[0]} is of {bus['protocol']} or mapped, and not both")
    sizes = {**bus, "bytes": bus["width"] // 8}
    for signal, (way, width) in wanted.items():
        width = sizes.get(width, width)
        if ports[maps[signal]] != ((way == "out") == bus["master"], width):
            raise ComponentError(f"{name}: {maps[signal]} is no {signal} of {width} bits")


def _file(file: ElementTree.Element) -> tuple[str, tuple[str, ...]]:
    kinds = [e.text for tag in ("fileType", "userFileType") for e in file.iterfind(f"s:{tag}", _NS)]
    included = file.findtext("s:isIncludeFile", "", _NS) == "true"
    return _text(file, "name"), (*kinds, "included") if included else tuple(kinds)
