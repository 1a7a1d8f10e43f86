"""A design as a TOML file, which `axiometer import design` writes and all commands read.

Tables have the names of classes of `model` (`[[port]]`, `[[master]]`, `[[master.route]]`), keys
those of their fields. Fields with their default are left out; addresses are hexadecimal texts.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any

from axiometer.base.errors import did_you_mean
from axiometer.base.harmless import quoted
from axiometer.base.toml_source import TomlSource
from axiometer.designs import ps_facts
from axiometer.designs.model import (
    Channel,
    Clock,
    Design,
    Hop,
    Master,
    Memory,
    Missed,
    Port,
    Route,
    Segment,
    Slave,
)
from axiometer.experiment import between

_TABLES = {"clocks": Clock, "ports": Port, "masters": Master, "slaves": Slave, "free_ports": Port}
_NESTED = {"routes": Route, "hops": Hop, "segments": Segment, "missed": Missed}
_SINGLE = {"read": Channel, "write": Channel, "segment": Segment, "memory": Memory}
_SINGULAR = {"clocks": "clock", "ports": "port", "masters": "master", "slaves": "slave",
             "free_ports": "free_port", "routes": "route"}  # fmt: skip
_ADDRESSES = ("base", "high")
_LEAST = {
    "burst_beats_max": 1,
    "mhz": 0.001,
    "bus_bits": 1,
    "burst_beats": 1,
    "outstanding": 1,
    "reads": 1,
    "burst_bytes_max": 1,
}
_TYPES = {"str": str, "int": int, "float": int | float, "bool": bool}


def dumps(design: Design) -> str:
    """The text of a design file."""
    lines = [
        f"# The design {design.name}, read by Axiometer from {design.file}: docs/designs.md.",
        "# Correct figures where needed; `assumed` lists the assumed figures of each master.",
        "",
    ]
    lines += [_line(name, value) for name, value in _plain(design)]
    for name, made in _TABLES.items():
        for item in getattr(design, name):
            lines += ["", f"[[{_SINGULAR[name]}]]"]
            lines += [_line(key, value) for key, value in _plain(item)]
            if made is Master:
                lines += _listed(item, "missed") + _routes(item)
    return "\n".join(lines) + "\n"


def load(path: Path) -> Design:
    """The design in the file at `path`. AxiometerError with the line of the mistake."""
    source = TomlSource.read(path)
    design: Design = _made(Design, source.data, source, ())
    known = [system.chip for system in ps_facts.all_systems()]
    if design.chip not in known:
        remedy = did_you_mean(design.chip, known, "known chips")
        raise source.error(f"there is no chip {design.chip!r}", "chip", remedy=remedy)
    _check_ports(design, source)
    return design


def _check_ports(design: Design, source: TomlSource) -> None:
    """AxiometerError where the chip lacks a port, or a master has no route to a port."""
    known = ps_facts.system(design.chip).ports
    for table, ports in (("port", design.ports), ("free_port", design.free_ports)):
        for number, port in enumerate(ports):
            if port.interface not in known:
                raise source.error(
                    f"{design.chip} has no port {port.interface}",
                    *(table, number),
                    remedy=did_you_mean(port.interface, known, "interfaces of its ports"),
                )
    names = [port.name for port in design.ports]
    for number, master in enumerate(design.masters):
        for reached in master.ports:
            if reached not in names:
                raise source.error(
                    f"{master.name} has a route to port {reached!r}, which the file lacks",
                    *("master", number),
                    remedy=did_you_mean(reached, names, "ports of the file"),
                )
        if not master.routes or not master.directions:
            raise source.error(
                f"{master.name} has no route to a port, or neither reads nor writes",
                *("master", number),
                remedy="add a [[master.route]], and read = { burst_beats = 16 } or write",
            )


def _routes(master: Master) -> list[str]:
    lines = []
    for route in master.routes:
        lines += ["", "[[master.route]]"]
        lines += [_line(key, value) for key, value in _plain(route)]
        lines += _listed(route, "hops") + _listed(route, "segments")
    return lines


def _listed(of: Any, name: str) -> list[str]:
    """A field that is a list of tables, one a line."""
    items = [f"  {_inline(item)}," for item in getattr(of, name)]
    return [f"{name} = [", *items, "]"] if items else []


Place = tuple[str | int, ...]


def _plain(item: Any) -> list[tuple[str, Any]]:
    """The fields that are written on one line each, without None and defaults."""
    values = [(f, getattr(item, f.name)) for f in fields(item)]
    return [
        (f.name, value)
        for f, value in values
        if f.name not in (*_TABLES, *_NESTED) and value is not None and value != f.default
    ]


def _line(name: str, value: Any) -> str:
    return f"{name} = {_value(name, value)}"


def _inline(item: Any) -> str:
    return "{ " + ", ".join(_line(key, value) for key, value in _plain(item)) + " }"


def _value(name: str, value: Any) -> str:
    if is_dataclass(value):
        return _inline(value)
    if name in _ADDRESSES:
        return f'"{value:#x}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(_value("", each) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _made(made: type, table: Any, source: TomlSource, place: Place) -> Any:
    """An instance of the class `made` from a table at `place`."""
    if not isinstance(table, dict):
        raise source.error("is not a table", *place, remedy="write it as docs/designs.md shows")
    known = {_SINGULAR.get(f.name, f.name): f for f in fields(made)}
    values = {}
    for key, value in table.items():
        if key not in known:
            hint = did_you_mean(key, known, "known keys")
            raise source.error(f"unknown key {key!r}", *place, key, remedy=hint)
        values[known[key].name] = _field(known[key], value, source, (*place, key))
    for key, f in known.items():
        if f.name not in values and f.default is MISSING:
            if f.name in _NESTED or str(f.type).endswith("| None"):
                values[f.name] = () if f.name in _NESTED else None
            else:
                raise source.error(f"has no {key}", *place, remedy=f"give {key} = ...")
    return made(**values)


def _field(f: Field[Any], value: Any, source: TomlSource, place: Place) -> Any:
    listed = {**_TABLES, **_NESTED}.get(f.name)
    if listed is not None:
        items = value if isinstance(value, list) else [value]
        made = [_made(listed, item, source, (*place, i)) for i, item in enumerate(items)]
        return tuple(made)
    if f.name in _SINGLE:
        return _made(_SINGLE[f.name], value, source, place)
    if f.name in _ADDRESSES:
        try:
            return int(value, 0)
        except (TypeError, ValueError):
            raise source.error("is not an address", *place, remedy='give "0x40000000"') from None
    kind = str(f.type).partition(" |")[0]
    if kind.startswith("tuple"):
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise source.error("is not a list of texts", *place, remedy='give ["..."]')
        for item in value if f.name == "blocks" else ():
            if item not in between.table():
                hint = did_you_mean(item, between.table(), "known blocks")
                raise source.error(f"unknown block {quoted(item)}", *place, remedy=hint)
        return tuple(value)
    if not isinstance(value, _TYPES[kind]) or (kind != "bool" and isinstance(value, bool)):
        words = {"str": "a text", "int": "a whole number", "float": "a number"}.get(kind, kind)
        raise source.error(f"is not {words}", *place, remedy=f"give {words}")
    least = 0 if place[0] == "clock" else _LEAST.get(f.name, 0)  # a clock's rate may be unknown
    if isinstance(value, int | float) and not least <= value < 2**40:
        raise source.error("is out of range", *place, remedy=f"give a number of at least {least:g}")
    return value
