"""A finding, and what checks ask of a design."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from axiometer.designs import core_facts, ps_facts
from axiometer.designs.model import DATA, Design, Master, Port, Route
from axiometer.designs.ps_facts import Facts

MISTAKE, ADVICE = "mistake", "advice"
Settings = tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class Finding:
    """`code` names the check, `where` the instance or port; `says` is what is wrong and `change`
    what to change, each in sentences. `mend` mends it, as settings of the design (`changes`), and
    `as_is` are those that make of the design what it really is, where it was read as better;
    `no_rate` says why no rate tells what it costs."""

    code: str
    level: str
    where: str
    says: str
    change: str
    mend: Settings = ()
    as_is: Settings = ()
    no_rate: str = ""


def data_routes(design: Design) -> Iterator[tuple[Master, Route, Port]]:
    """Each data master with each of its ways and the port at its end."""
    for master in design.masters:
        if master.role == DATA:
            for route in master.routes:
                yield master, route, design.port(route.port)


def free_like(design: Design, port: Port, kind: str | None = None) -> list[Port]:
    """Ports of `kind` (None: the kind of `port`) that nothing uses, those whose shared path nothing
    uses first."""
    used = {p.path for p in design.ports}
    wanted = kind or port.kind
    found = [p for p in design.free_ports if p.kind == wanted and p.path]
    return sorted(found, key=lambda p: p.path in used)


def setting(master: Master, direction: str | None, figure: str) -> str:
    """The parameter that decides a figure of a master, as a person finds it; "" if none is
    known."""
    core = core_facts.core(master.core)
    facts = core.master(master.interface) if core is not None else None
    if facts is None:
        return ""
    spec = (facts.get(direction, {}) if direction else facts).get(figure)
    for option in spec if isinstance(spec, list) else [spec]:
        if isinstance(option, str):
            return option.lstrip("@").replace("{INTERFACE}", master.interface.upper())
    return ""


def width_setting(design: Design, port: Port) -> str:
    """The parameter that sets a port's width; "" if none is known."""
    return str(facts_of(design, port).get("width_setting", ""))


def facts_of(design: Design, port: Port) -> Facts:
    """What the chip's file says of a port."""
    return ps_facts.system(design.chip).ports[port.interface]
