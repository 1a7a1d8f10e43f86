"""Builds a design (ports, clocks, masters, slaves) from a netlist."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from axiometer.base import data, other_chips
from axiometer.base.errors import AxiometerError
from axiometer.designs import core_facts
from axiometer.designs.clock_rates import fabric_clocks
from axiometer.designs.find_masters import TooManyError, masters
from axiometer.designs.initialisation import Initialisation
from axiometer.designs.memory import memory
from axiometer.designs.model import Clock, Design, Port, Segment, Slave
from axiometer.designs.netlist import Interface, Module, Netlist, clock_net
from axiometer.designs.ps_facts import Facts, System, of_core, titles
from axiometer.designs.trace import Tracer, width_of

WIDEST = 1024


def find_ps(netlist: Netlist, file: object) -> tuple[Module, System]:
    """The processor system of a block design. AxiometerError if it has no supported one, or
    several."""
    systems = ((m, of_core(m.core, netlist.part)) for m in netlist.modules.values())
    found = [(module, system) for module, system in systems if system is not None]
    if not found:
        check_chip(netlist, file)
        raise AxiometerError(
            f"the design {netlist.name!r} has no processor system of {titles()}",
            file=file,
            remedy="; ".join(["give the export of the design that contains it", *netlist.notes]),
        )
    if len(found) > 1:
        raise AxiometerError(
            f"the design {netlist.name!r} has {len(found)} processor systems",
            file=file,
            remedy="give the export of a block design with one processor system",
        )
    return found[0]


def check_chip(netlist: Netlist, file: object) -> None:
    """AxiometerError where a block design names an unsupported chip."""
    said = (netlist.architecture, netlist.part)
    chip = other_chips.of_export(said, (module.core for module in netlist.modules.values()))
    if chip:
        raise data.not_supported(f"the design {netlist.name!r} is for", chip, file)


def build(netlist: Netlist, file: object, registers: Initialisation) -> Design:
    """The design in a netlist, with the registers that its initialisation writes."""
    ps, system = find_ps(netlist, file)
    by_net = fabric_clocks(netlist, ps, system, registers)
    by_name = by_net | {clock.name: clock for clock in by_net.values()}

    def clock_of(module: Module, interface: Interface) -> str | None:
        return _clock_of(module, interface, by_net, by_name)

    every = {i: _port(ps, i, facts, registers, clock_of) for i, facts in system.ports.items()}
    used = [i for i in every if i in ps.interfaces and _is_used(netlist, ps, i)]
    # Nothing is connected to them where RTL beside the block design drives them.
    used = used or [i for i, f in system.ports.items() if ps.parameter(f.get("enabled", "")) == "1"]
    tracer = Tracer(
        netlist,
        {(ps.instance, i): every[i].name for i in used},
        clock_of,
        {(ps.instance, i): every[i].width_bits for i in every},
    )
    try:
        found = masters(netlist, ps, tracer, {every[i].name: i for i in used})
    except TooManyError as error:
        raise AxiometerError(str(error), file=file, remedy="split the design") from None
    reached = {name for master in found for name in master.ports}
    general = [i for i in used if "platform_port" not in system.ports[i]]
    notes = [
        f"no known master drives {every[i].name}" for i in general if every[i].name not in reached
    ]
    notes += netlist.notes
    if tracer.gave_up:
        notes.append("paths through the interconnects are too long or too many: some are left out")
    wanted = {m.clock for m in found} | {every[i].clock for i in used}
    wanted |= {hop.clock for m in found for r in m.routes for hop in r.hops}
    return Design(
        netlist.name,
        str(file),
        netlist.tool,
        system.chip,
        netlist.part,
        netlist.board,
        tuple(c for c in by_net.values() if c.name in wanted or c.dividers),
        tuple(every[i] for i in used),
        tuple(found),
        tuple(_slaves(netlist, ps, system)),
        tuple(port for i, port in every.items() if i not in used),
        registers.name,
        tuple(notes),
        memory(ps, system.memory),
    )


def _is_used(netlist: Netlist, ps: Module, name: str) -> bool:
    return any(
        (ps.instance, name) == (m.instance, i.name) for to in netlist.fed.values() for m, i in to
    )


def _port(
    ps: Module,
    interface: str,
    facts: Facts,
    registers: Initialisation,
    clock_of: Callable[[Module, Interface], str | None],
) -> Port:
    found = ps.interfaces.get(interface)
    coherent = facts.get("coherent", {})
    setting = coherent.get("setting")
    protocol = facts["protocol"]
    if found is not None:
        protocol = found.parameters.get("PROTOCOL", protocol)
    return Port(
        facts["name"],
        interface,
        facts["kind"],
        width_of_port(ps, found, facts),
        protocol,
        clock_of(ps, found) if found is not None else None,
        facts.get("path"),
        facts.get("platform_port"),
        _set_width(facts.get("width_figures"), registers),
        None if setting is None else ps.parameter(setting) == coherent["value"],
    )


def width_of_port(ps: Module, interface: Interface | None, facts: Facts) -> int:
    """The configured width of the port in bits; 0 if it is unknown."""
    width = None
    if "width" in facts:
        width = core_facts.figure(facts["width"], ps).value
    elif "width_list" in facts:
        listed = (ps.parameter(facts["width_list"]) or "").split(",")
        word = listed[facts["number"]].strip() if facts["number"] < len(listed) else ""
        width = int(word) if word.isascii() and word.isdigit() and len(word) < 6 else None
    elif "width_codes" in facts:
        code = core_facts.figure(facts["width_codes"]["parameter"], ps).value
        widths = facts["width_codes"]["widths"]
        width = widths[code] if code is not None and code < len(widths) else None
    if width is None and interface is not None:
        width = width_of(ps, interface)
    return min(width or 0, WIDEST)


def _set_width(paths: list[str] | None, registers: Initialisation) -> int | None:
    """The narrower width in bits in the registers of both directions, written or at reset; None
    without an initialisation."""
    found = registers.figures(paths or [], None)
    widths = [figure.value for figure in found.values() if isinstance(figure.value, int)]
    return min(widths, default=None)


def _clock_of(
    module: Module, interface: Interface, by_net: Mapping[str, Clock], by_name: Mapping[str, Clock]
) -> str | None:
    """The name of the clock of an interface: by its domain, its clock pin, or the module's only
    clock."""
    # A domain joins the names of the block design, of the block, and of the pin or net.
    domain = interface.parameters.get("CLK_DOMAIN", "").split("_")
    for first in range(1, len(domain)):
        found = by_name.get("_".join(domain[first:]))
        if found is not None:
            return found.name
    net = clock_net(module, interface)
    return by_net[net].name if net is not None and net in by_net else None


def _slaves(netlist: Netlist, ps: Module, system: System) -> list[Slave]:
    """The slaves in the fabric that the processor reaches, in the order of the file."""
    found = []
    for r in ps.ranges:
        facts = system.masters.get(r.master)
        module = netlist.modules.get(r.instance)
        if facts is not None and module is not None and module is not ps:
            segment = Segment(r.base, r.high, r.name)
            found.append(Slave(facts["name"], module.name, r.interface, segment))
    return found
