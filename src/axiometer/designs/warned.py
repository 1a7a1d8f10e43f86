"""What an entry in `cores/` warns of (`warns`), where the design gives the figure.

A warning holds where a figure of the master or its stream `is` a value or is `below` one, while an
interface is `open`, connected to nothing. An assumed figure is no reason to warn.
"""

from __future__ import annotations

from axiometer.designs import core_facts
from axiometer.designs.netlist import Module, Netlist
from axiometer.designs.ps_facts import Facts


def warned(netlist: Netlist, module: Module, facts: Facts) -> tuple[str, ...]:
    """The names of the warnings that hold for a master with these facts."""
    found = []
    for name, when in facts.get("warns", {}).items():
        stream = facts.get("stream", "")
        value = core_facts.figure(when["figure"], module, module.interfaces.get(stream))
        if when["figure"].startswith("@") and value.value is None:
            of, its = netlist.source_of(module, stream), when["figure"]
            value = core_facts.figure([its, f"M_{its[1:]}", its[1:]], *of) if of else value
        least = when.get("below")
        holds = value.value is not None and not value.assumed
        holds &= value.value == when["is"] if least is None else (value.value or 0) < least
        beside = module.interfaces.get(when.get("open", ""))
        holds &= beside is None or not beside.net
        if holds and not core_facts.figure(when.get("unless"), module).value:
            found.append(name)
    return tuple(found)
