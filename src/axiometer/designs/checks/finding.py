"""A finding, and queries of a design that checks share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from axiometer.designs import core_facts, ps_facts
from axiometer.designs.model import DATA, Design, Master, Port, Route
from axiometer.designs.ps_facts import Facts

MISTAKE, QUESTION, ADVICE = "mistake", "question", "advice"
LEVELS = (MISTAKE, QUESTION, ADVICE)
Settings = tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class Finding:
    """A mistake, advice, or a question that the file leaves open. `code` names the check, `where`
    the instance or port. `says` states the problem and `change` the remedy, in sentences. `mend`
    is the remedy as settings of the design (`changes`). `as_is` are settings that give the design
    its real figures where it was read with better ones. `no_rate` is the reason why no rate
    expresses its cost. `is_for_rate`: it is true only if its remedy gives a higher rate."""

    code: str
    level: str
    where: str
    says: str
    change: str
    mend: Settings = ()
    as_is: Settings = ()
    no_rate: str = ""
    is_for_rate: bool = False


def data_routes(design: Design) -> Iterator[tuple[Master, Route, Port]]:
    """Each data master with each of its routes and the port at the route's end."""
    for master in design.masters:
        if master.role == DATA:
            for route in master.routes:
                yield master, route, design.port(route.port)


def free_like(design: Design, port: Port, kind: str | None = None) -> list[Port]:
    """Unused ports of `kind` (None: the kind of `port`), those on an unused shared path first."""
    used = {p.path for p in design.ports}
    wanted = kind or port.kind
    found = [p for p in design.free_ports if p.kind == wanted and p.path]
    return sorted(found, key=lambda p: p.path in used)


def setting(master: Master, direction: str | None, figure: str) -> str:
    """The parameter in the tool that sets a figure of a master; "" if none is known."""
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
    """The facts of a port in the chip's file."""
    return ps_facts.system(design.chip).ports[port.interface]
