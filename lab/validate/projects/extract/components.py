"""Facts from `component.xml` of packaged IP: which elements and attributes stand where, in which
order, which of them are never left out, and which parameters a bus of a kind has."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

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
ENOUGH = 10
"""Repositories that must show an element before it counts what all of them put into it."""


@dataclass(frozen=True)
class Element:
    """An element: its path, the names of its children in their order, and those of its attributes
    (with an @)."""

    path: str
    children: tuple[str, ...]
    attributes: tuple[str, ...]


@dataclass(frozen=True)
class Packaged:
    """A component: every element of it, and parameters of its buses by their kind."""

    elements: list[Element]
    parameters: list[tuple[str, str]]


def read(export: Export) -> list[tuple[Place, Packaged]]:
    """The component of a file and its place; nothing if it is no XML."""
    try:
        root = ElementTree.fromstring(export.content)
    except ElementTree.ParseError:
        return []
    version = root.findtext(".//{http://www.xilinx.com}xilinxVersion", "")
    place = Place(version, export.repository, export.path, export.commit)
    return [(place, of(root))]


def of(root: ElementTree.Element) -> Packaged:
    """What is taken of a component."""
    return Packaged(list(_elements(root, "")), list(_parameters(root)))


def take(packaged: Collection[tuple[Place, Packaged]], table: Table) -> None:
    """Put what components show into the table: each by itself, and what all of them share."""
    held: dict[str, list[set[str]]] = {}
    places: dict[str, set[Place]] = {}
    for place, each in packaged:
        for fact in (*shown(each), *orders(each)):
            table.add(place, *fact)
        for element in each.elements:
            held.setdefault(element.path, []).append({*element.children, *element.attributes})
            places.setdefault(element.path, set()).add(place)
    for path, instances in held.items():
        if len({place.repository for place in places[path]}) >= ENOUGH:
            for name in set.intersection(*instances):
                for place in places[path]:
                    table.add(place, "always", path, name)


def shown(packaged: Packaged) -> Iterator[tuple[str, ...]]:
    """Every construct of a component, each once: ("element", path), ("parameter", bus, name)."""
    paths: dict[str, None] = {}
    for each in packaged.elements:
        paths |= dict.fromkeys((each.path, *(each.path + name for name in each.attributes)))
    yield from (("element", path) for path in paths)
    yield from (("parameter", *pair) for pair in dict.fromkeys(packaged.parameters))


def orders(packaged: Packaged) -> Iterator[tuple[str, ...]]:
    """Which children of an element first stand after which others, each pair once: ("order", path,
    the earlier, the later)."""
    for path, children in dict.fromkeys((e.path, e.children) for e in packaged.elements):
        yield from (("order", path, *pair) for pair in combinations(dict.fromkeys(children), 2))


def _elements(element: ElementTree.Element, above: str) -> Iterator[Element]:
    """Every element, without what is skipped."""
    path = f"{above}/{_name(element.tag)}" if above else _name(element.tag)
    if _skipped(path):
        return
    children = (_name(child.tag) for child in element)
    attributes = (f"@{_name(name)}" for name in element.attrib)
    yield Element(
        path,
        tuple(name for name in children if not _skipped(f"{path}/{name}")),
        tuple(name for name in attributes if not _skipped(path + name)),
    )
    for child in element:
        yield from _elements(child, path)


def _parameters(root: ElementTree.Element) -> Iterator[tuple[str, str]]:
    for bus in (each for each in root.iter() if _name(each.tag) == "busInterface"):
        kind = next((_attribute(e, "name") for e in bus if _name(e.tag) == "busType"), "")
        if kind in _BUSES:
            for each in (each for each in bus.iter() if _name(each.tag) == "parameter"):
                yield kind, next(e.text or "" for e in each if _name(e.tag) == "name")


def _attribute(element: ElementTree.Element, name: str) -> str:
    return next((v for k, v in element.attrib.items() if _name(k) == name), "")


@cache
def _skipped(path: str) -> bool:
    return _SKIPPED.search(path) is not None


@cache
def _name(tag: str) -> str:
    space, _, name = tag.removeprefix("{").rpartition("}")
    return _SHORT.get(space, "") + name
