"""Reads a block design as Vivado saves it since 2018.3 (.bd, JSON).

It has the same contents as its Tcl: cells with the parameters that are not defaults, and
connections. So it fills the same `BlockDesign`, and what the file lacks is found in the same way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from axiometer.base.xml_parts import BadPartError
from axiometer.designs import tcl
from axiometer.designs.ip_xact import Library
from axiometer.designs.netlist import Netlist
from axiometer.designs.tcl.block_design import (
    CORE,
    HIERARCHY,
    Assigned,
    BlockDesign,
    Cell,
    Joined,
    Pin,
    size,
)
from axiometer.designs.tcl.interpreter import TooMuchError
from axiometer.designs.tcl.parser import TclError

MAX_DEPTH = 20  # of hierarchies
_MASTERS = ("Master", "MirroredSlave")
Table = Mapping[str, object]


def read(content: bytes, name: str, library: Library | None = None) -> Netlist:
    """The block design in `content`, a .bd named `name`. library: the cores beside it.
    BadPartError where it has none or is of an older Vivado; AxiometerError where it has no
    processor system."""
    if content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<":
        raise BadPartError("it is of a Vivado before 2018.3, as XML: give its .hwh or its Tcl")
    try:
        top = _table(json.loads(content), "design")
    except (ValueError, RecursionError):
        raise BadPartError("it is not the JSON of a block design") from None
    info = _table(top, "design_info")
    if not info:
        raise BadPartError("it has no design_info: not a block design")
    design = BlockDesign(_text(info, "name"), part=_text(info, "device"), library=library)
    try:
        _hierarchy(design, top, "", 0)
        _addresses(design, _table(top, "addressing"))
        version = _text(info, "tool_version")
        return tcl.netlist(design, name, f"Vivado {version}", [], "as .bd")
    except TooMuchError as error:
        raise BadPartError(str(error)) from None


def _hierarchy(design: BlockDesign, of: Table, path: str, depth: int) -> None:
    """Add the pins, cells and connections of a design or hierarchy at `path`."""
    if depth > MAX_DEPTH:
        raise TooMuchError(f"hierarchies are nested more than {MAX_DEPTH} levels deep")
    _pins(design, of, path)
    for name, cell in _table(of, "components").items():
        if not isinstance(cell, Mapping):
            continue
        inner, vlnv = f"{path}/{name}", _text(cell, "vlnv")
        design.add(Cell(inner, CORE if vlnv else HIERARCHY, vlnv, 0, _values(cell)))
        if vlnv:
            _pins(design, cell, inner)
        else:
            _hierarchy(design, cell, inner, depth + 1)
    for nets, ends, joined in (
        ("interface_nets", "interface_ports", design.interfaces),
        ("nets", "ports", design.nets),
    ):
        for net in _table(of, nets).values():
            _join(joined, net, ends, path)


def _join(joined: Joined, net: object, ends: str, path: str) -> None:
    listed = net.get(ends) if isinstance(net, Mapping) else None
    if isinstance(listed, list):
        joined.join([f"{path}/{end}" for end in listed if isinstance(end, str)])


def _pins(design: BlockDesign, of: Table, path: str) -> None:
    for name, pin in _table(of, "interface_ports").items():
        if isinstance(pin, Mapping):
            drives = _text(pin, "mode") in _MASTERS
            _pin(design, f"{path}/{name}", Pin("", drives, _text(pin, "vlnv")), pin)
    for name, pin in _table(of, "ports").items():
        if isinstance(pin, Mapping):
            drives = _text(pin, "direction") == "O"
            _pin(design, f"{path}/{name}", Pin("", drives, "", _text(pin, "type")), pin)


def _pin(design: BlockDesign, path: str, pin: Pin, of: Table) -> None:
    design.pins[path] = Pin(path, pin.drives, pin.vlnv, pin.kind)
    values = _values(of)
    if values:
        design.settings[path] = values


def _addresses(design: BlockDesign, spaces: Table) -> None:
    for cell, of in spaces.items():
        for space, segments in _table(of, "address_spaces").items():
            for segment in _table(segments, "segments").values():
                block = _text(segment, "address_block")
                try:
                    place = [size(_text(segment, key)) for key in ("offset", "range")]
                except TclError:
                    continue
                design.addresses.append(Assigned(f"{cell}/{space}", block, *place))


def _values(of: Table) -> dict[str, str]:
    """The parameters of a cell or pin."""
    return {name: _text(entry, "value") for name, entry in _table(of, "parameters").items()}


def _table(of: object, name: str) -> Table:
    found = of.get(name) if isinstance(of, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _text(of: object, name: str) -> str:
    found = of.get(name) if isinstance(of, Mapping) else None
    return found if isinstance(found, str) else ""
