"""Reads the `component.xml` of an IP: pins, interfaces, memory maps and files, as the catalogue has
them. It knows nothing of how the file was written, so that a slip of the writer shows."""

from __future__ import annotations

import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from validate.projects.vivado import packaged
from validate.projects.vivado.catalogue import Bus, Kind, Pin

_NS = {"s": "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"}
Ports = Mapping[str, tuple[bool, int]]
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
    content = path.read_bytes()
    try:
        findings = packaged.against_public(content)
    except ElementTree.ParseError as error:
        raise ComponentError(f"{path.name} is no XML: {error}") from None
    for finding in (*findings, *packaged.against_schema(content)):
        raise ComponentError(finding)
    return _read(content)


@cache
def _read(content: bytes) -> Component:
    root = ElementTree.fromstring(content)
    vlnv = ":".join(_text(root, tag) for tag in ("vendor", "library", "name", "version"))
    ports = dict(_port(port) for port in root.iterfind("s:model/s:ports/s:port", _NS))
    pins: dict[str, Pin] = {}
    interfaces: dict[str, Bus] = {}
    buses = list(root.iterfind("s:busInterfaces/s:busInterface", _NS))
    clocks = _clocks(buses)
    mapped: set[str] = set()
    for bus in buses:
        name, kind = _text(bus, "name"), _kind(bus)
        maps = _maps(bus)
        for logical, physical in maps.items():
            if physical not in ports:
                raise ComponentError(f"{name}: {logical} is {physical}, which is no port")
            if physical in mapped:
                raise ComponentError(f"{name}: {physical} is mapped twice")
            mapped.add(physical)
        values = _parameters(bus, f"BUSIFPARAM_VALUE.{name.upper()}")
        if kind == "aximm":
            interfaces[name] = _interface(root, bus, name, maps, values, ports, clocks)
        else:
            pins |= _pins(kind, maps, values, ports, clocks)
    left = sorted(set(ports) - mapped)
    if left:
        raise ComponentError(f"the port {left[0]} is of no interface")
    if "Component_Name" not in _parameters(root, "PARAM_VALUE"):
        raise ComponentError("there is no parameter Component_Name")
    model = root.findtext("s:model/s:views/s:view/s:modelName", "", _NS)
    registers = {
        _text(register, "name"): int(_text(register, "addressOffset"), 0)
        for register in root.iterfind("s:memoryMaps//s:register", _NS)
    }
    return Component(
        vlnv,
        Kind(vlnv.rpartition(":")[0], {}, {}, pins, interfaces, {"space": "", "vlnv": vlnv}),
        model,
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


def _found(element: ElementTree.Element, path: str) -> ElementTree.Element:
    found = element.find(path, _NS)
    if found is None:
        raise ComponentError(f"{element.tag.removeprefix(_S)} without {path.replace('s:', '')}")
    return found


def _kind(bus: ElementTree.Element) -> str:
    return _found(bus, "s:busType").get(f"{_S}name", "")


def _port(port: ElementTree.Element) -> tuple[str, tuple[bool, int]]:
    width = int(port.findtext("s:wire/s:vector/s:left", "0", _NS)) + 1
    return _text(port, "name"), (_text(_found(port, "s:wire"), "direction") == "out", width)


def _maps(bus: ElementTree.Element) -> dict[str, str]:
    return {
        _text(_found(each, "s:logicalPort"), "name"): _text(_found(each, "s:physicalPort"), "name")
        for each in bus.iterfind("s:portMaps/s:portMap", _NS)
    }


def _parameters(element: ElementTree.Element, of: str) -> dict[str, str]:
    """Values by their names; each has the identity by which the tool finds it."""
    found = {}
    for each in element.iterfind("s:parameters/s:parameter", _NS):
        name, value = _text(each, "name"), _found(each, "s:value")
        if value.get(f"{_S}id") != f"{of}.{name}":
            raise ComponentError(f"{name} of {of} has the id {value.get(f'{_S}id')}")
        found[name] = _text(each, "value")
    return found


def _clocks(buses: list[ElementTree.Element]) -> dict[str, str]:
    """Clock pin by what is associated with it: interfaces, and reset pins."""
    found = {}
    for bus in buses:
        if _kind(bus) == "clock":
            own = f"BUSIFPARAM_VALUE.{_text(bus, 'name').upper()}"
            values, pin = _parameters(bus, own), _maps(bus).get("CLK", "")
            for name in values.get("ASSOCIATED_BUSIF", "").split(":"):
                found[name] = pin
            found[values.get("ASSOCIATED_RESET", "")] = pin
    return found


def _pins(
    kind: str,
    maps: Mapping[str, str],
    values: Mapping[str, str],
    ports: Ports,
    clocks: Mapping[str, str],
) -> dict[str, Pin]:
    known = {"clock": "clock", "reset": "reset"}
    found: dict[str, Pin] = {}
    for pin in maps.values():
        output, width = ports[pin]
        found[pin] = {"is": known.get(kind, "data"), "out": output, "width": width}
        if kind == "reset":
            found[pin]["low"] = values.get("POLARITY") == "ACTIVE_LOW"
            found[pin]["of"] = clocks.get(pin)
    return found


def _interface(
    root: ElementTree.Element,
    bus: ElementTree.Element,
    name: str,
    maps: Mapping[str, str],
    values: Mapping[str, str],
    ports: Ports,
    clocks: Mapping[str, str],
) -> Bus:
    master, width = bus.find("s:master", _NS) is not None, int(values["DATA_WIDTH"])
    found: Bus = {
        "master": master,
        "protocol": values.get("PROTOCOL", "AXI4"),
        "width": width,
        "address": int(values["ADDR_WIDTH"]),
        "id": int(values.get("ID_WIDTH", 0)),
        "of": clocks.get(name, ""),
    }
    _signals(name, found, width // 8, maps, ports)
    if master:
        reference = _found(bus, "s:master/s:addressSpaceRef").get(f"{_S}addressSpaceRef", "")
        spaces = [_text(s, "name") for s in root.iterfind("s:addressSpaces/s:addressSpace", _NS)]
        if reference not in spaces:
            raise ComponentError(f"{name}: there is no address space {reference}")
        found["space"] = reference
    else:
        reference = _found(bus, "s:slave/s:memoryMapRef").get(f"{_S}memoryMapRef", "")
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
def _protocols() -> dict[str, dict[str, dict[str, int | str]]]:
    file = Path(__file__).with_name("protocols.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _signals(name: str, bus: Bus, strobes: int, maps: Mapping[str, str], ports: Ports) -> None:
    """An interface has the signals of its protocol, each in its way and as wide as it says."""
    known = _protocols()[bus["protocol"]]
    wanted = {signal: (way, width) for way in ("out", "in") for signal, width in known[way].items()}
    odd = sorted(set(wanted) ^ set(maps))
    if odd:
        raise ComponentError(f"{name}: {odd[0]} is of {bus['protocol']} or mapped, and not both")
    own = {"address": bus["address"], "id": bus["id"], "width": bus["width"], "bytes": strobes}
    for signal, (way, size) in wanted.items():
        width = own.get(str(size), size)
        if ports[maps[signal]] != ((way == "out") == bus["master"], width):
            raise ComponentError(f"{name}: {maps[signal]} is no {signal} of {width} bits")


def _file(file: ElementTree.Element) -> tuple[str, tuple[str, ...]]:
    tags = ("fileType", "userFileType")
    kinds = [e.text or "" for tag in tags for e in file.iterfind(f"s:{tag}", _NS)]
    included = file.findtext("s:isIncludeFile", "", _NS) == "true"
    return _text(file, "name"), (*kinds, "included") if included else tuple(kinds)
