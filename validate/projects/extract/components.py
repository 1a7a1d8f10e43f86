"""Facts from `component.xml` of packaged IP: which elements and attributes stand where, and which
parameters a bus of a kind has."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

from validate.projects.extract.exports import Export
from validate.projects.extract.table import Place, Table

_SHORT = {
    "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009": "",
    "http://www.xilinx.com": "xilinx:",
    "http://www.w3.org/2001/XMLSchema-instance": "xsi:",
}

_BUSES = ("aximm", "clock", "reset", "interrupt")
# What the tool notes of its own work, which no writer has to.
_SKIPPED = re.compile(
    r"/xilinx:(?!coreExtensions|supportedFamilies|family|taxonom|displayName)\w+|"
    r"vendorExtensions/.*vendorExtensions|modelParameter|choice|/driver|whiteBox"
)


def take(export: Export, table: Table) -> None:
    """Put what a component shows into the table."""
    try:
        root = ElementTree.fromstring(export.content)
    except ElementTree.ParseError:
        return
    version = root.findtext(".//{http://www.xilinx.com}xilinxVersion", "")
    place = Place(version, export.repository, export.path, export.commit)
    for construct in shown(root):
        table.add(place, *construct)


def shown(root: ElementTree.Element) -> Iterator[tuple[str, ...]]:
    """Every construct of a component, each once: ("element", path), ("parameter", bus, name)."""
    paths = (path for path in _paths(root, "") if not _SKIPPED.search(path))
    yield from dict.fromkeys(("element", path) for path in paths)
    for bus in (each for each in root.iter() if _name(each.tag) == "busInterface"):
        kind = next((_attribute(e, "name") for e in bus if _name(e.tag) == "busType"), "")
        if kind not in _BUSES:
            continue
        for parameter in (each for each in bus.iter() if _name(each.tag) == "parameter"):
            yield "parameter", kind, next(e.text or "" for e in parameter if _name(e.tag) == "name")


def _paths(element: ElementTree.Element, above: str) -> Iterator[str]:
    path = f"{above}/{_name(element.tag)}" if above else _name(element.tag)
    yield path
    for attribute in element.attrib:
        yield f"{path}@{_name(attribute)}"
    for child in element:
        yield from _paths(child, path)


def _attribute(element: ElementTree.Element, name: str) -> str:
    return next((v for k, v in element.attrib.items() if _name(k) == name), "")


def _name(tag: str) -> str:
    space, _, name = tag.removeprefix("{").rpartition("}")
    return _SHORT.get(space, "") + name
