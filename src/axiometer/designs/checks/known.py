"""Checks of what threads ask: engines of which an entry in `cores/` warns, in the words of
known.toml, and ports that need more than the design (`needs` in the chips' files)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from axiometer.designs import core_facts
from axiometer.designs.checks.finding import ADVICE, Finding, data_routes, facts_of
from axiometer.designs.model import Design, Master
from axiometer.designs.ps_facts import Facts

OUTSIDE = "it is set outside of the design"


def known_engines(design: Design) -> Iterator[Finding]:
    """Engines that the facts of their cores warn of; one finding for each name in known.toml."""
    masters = {master.name: master for master, _, _ in data_routes(design)}
    for name, words in _words().items():
        of = [master for master in masters.values() if name in master.warned]
        given = {
            "names": ", ".join(master.name for master in of),
            "settings": " and ".join(dict.fromkeys(_setting(master, name) for master in of)),
        }
        if of:
            said, change = (words[key].format(**given) for key in ("says", "change"))
            yield Finding(
                name, words["level"], given["names"], said, change, no_rate=words["no_rate"]
            )


def port_needs(design: Design) -> Iterator[Finding]:
    """Ports that carry data only after boot image, device tree or software have done their part.
    Not those that are used without their coherence."""
    alike: dict[tuple[str, str], list[str]] = {}
    for port in design.ports:
        needs = facts_of(design, port).get("needs")
        if needs and design.behind(port.name) and port.coherent is not False:
            alike.setdefault((needs["says"], needs["change"]), []).append(port.interface)
    for (says, change), ports in alike.items():
        yield Finding(
            "port-needs",
            ADVICE,
            ", ".join(ports),
            f"{' and '.join(ports)}: {says}.",
            f"{change}.",
            no_rate=OUTSIDE,
        )


def _setting(master: Master, name: str) -> str:
    """The parameter that the entry of a master's core warns of."""
    core = core_facts.core(master.core)
    facts = (core.master(master.interface) if core is not None else None) or {}
    return str(facts.get("warns", {}).get(name, {}).get("figure", "its parameter")).lstrip("@")


@cache
def _words() -> Facts:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
