"""Clocks of the fabric: the requested rates, and the rates that PLLs and dividers make.

The source is the registers of the initialisation; without them the tool's parameters; without
these the file's rate of the net. `exports.toml` describes PLLs and dividers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from axiometer.base import clocks
from axiometer.designs.initialisation import Initialisation
from axiometer.designs.model import Clock
from axiometer.designs.netlist import EXTERNAL, Module, Netlist, clock_net
from axiometer.designs.ps_facts import Facts, System

FAR = 0.001  # rates with a larger relative difference differ
_MOST_MHZ = 10_000
_FROM_FILE = "from the file"
UNKNOWN = "unknown"
STALE = 0.2


def fabric_clocks(
    netlist: Netlist, ps: Module, system: System, registers: Initialisation
) -> dict[str, Clock]:
    """The clocks by net: first those of the processor system, then all others; 0 MHz where nothing
    gives the rate."""
    found: dict[str, Clock] = {}
    rates = _of_interfaces(netlist) | netlist.rates
    used = {net for module in netlist.modules.values() for net in module.clocks.values()}
    for name, facts in system.clocks.items():
        net = ps.made.get(facts["pin"])
        if net is not None:
            rated = netlist.rates.get(net)
            clock = _of_ps(name, facts, ps, system, registers, rated)
            found[net] = replace(clock, used=net in used)
    for net in dict.fromkeys((*rates, *sorted(used))):
        mhz = rates.get(net, 0) / 1e6
        before = found.get(net, Clock(net, 0, source=UNKNOWN))
        rated = not before.mhz and 0 < mhz < _MOST_MHZ
        number = clocks.number(clocks.meant(mhz))
        found[net] = replace(before, mhz=number, source=_FROM_FILE) if rated else before
    return found


def _of_interfaces(netlist: Netlist) -> dict[str, float]:
    """Rates of nets in Hz that interfaces state. A port of the block design has the clock of what
    it feeds, or one of its own."""
    found: dict[str, float] = {}
    for module in netlist.modules.values():
        for interface in module.interfaces.values():
            rate = float(_rate(interface.parameters.get("FREQ_HZ")) or 0)
            if module.core == EXTERNAL and not module.clocks:
                fed = [net for to in netlist.to(module, interface) if (net := clock_net(*to))]
                if fed or rate:
                    module.clocks["aclk"] = fed[0] if fed else module.name
            net = clock_net(module, interface)
            if rate and net:
                found.setdefault(net, rate)
    return found


def neighbours(clock: Clock) -> tuple[float, float] | None:
    """The nearest rates below and above the requested rate that its PLL can make, in MHz; None
    where the PLL is unknown or one of them does not exist."""
    if not clock.pll_mhz or not clock.asked_mhz or clock.dividers < 1:
        return None
    most = clock.divider_max**clock.dividers
    near = int(clock.pll_mhz // clock.asked_mhz)
    below = next((d for d in range(near + 1, most + 1) if _divides(d, clock)), None)
    above = next((d for d in range(near, 0, -1) if _divides(d, clock)), None)
    if below is None or above is None:
        return None
    return clock.pll_mhz / below, clock.pll_mhz / above


def is_far(clock: Clock) -> bool:
    """Whether the rate differs from the requested rate."""
    return _far(clock.mhz, clock.asked_mhz)


def differs(clock: Clock) -> bool:
    """Whether the rate differs from the rate that the tool wrote at the net."""
    return _far(clock.mhz, clock.file_mhz)


def _far(mhz: float, of: float | None) -> bool:
    return of is not None and of != 0 and abs(mhz / of - 1) > FAR


def _divides(total: int, clock: Clock) -> bool:
    if clock.dividers == 1:
        return total <= clock.divider_max
    most = clock.divider_max
    return any(total % d == 0 and total // d <= most for d in range(1, min(total, most) + 1))


def _of_ps(
    name: str,
    facts: Facts,
    ps: Module,
    system: System,
    registers: Initialisation,
    rated: float | None,
) -> Clock:
    by_hand = ps.parameter(facts["by_hand"]) == "1"
    asked = None if by_hand else _rate(ps.parameter(facts["asked"]))
    reference = _rate(ps.parameter(system.reference)) if system.reference else None
    base = Clock(name, 0, clocks.number(asked) if asked else None)
    base = replace(base, file_mhz=rated / 1e6 if rated else None)
    base = replace(base, dividers=len(facts["dividers"]), divider_max=facts["divider_max"])
    made = None
    if reference:
        by_registers = _by_registers(facts, registers, reference)
        made = by_registers or _by_parameters(facts, ps, system, reference)
    if made is not None:
        pll, total, words = made
        mhz = clocks.number(clocks.meant(float(pll / total)))
        return replace(base, mhz=mhz, source=words, pll_mhz=float(pll))
    # A setting for another rate leaves the rate that the tool had made before.
    built = _rate(ps.given(facts["made"])) if "made" in facts else None
    if built and not (asked and abs(built / asked - 1) > STALE):
        asked = built
    mhz = rated / 1e6 if rated else float(asked or 0)
    words = _FROM_FILE if rated else "as requested" if asked else UNKNOWN
    return replace(base, mhz=mhz, source=words)


Made = tuple[Fraction, Fraction, str]  # the PLL in MHz, the total divider, the source


def _by_registers(facts: Facts, registers: Initialisation, reference: Fraction) -> Made | None:
    """The rate from registers; None where the initialisation does not write this clock's."""
    path = facts["figure"]
    paths = {name: f"{path}{name}" for name in ("_mhz", "_pll", "_pll_mhz")}
    found = registers.figures(list(paths.values()), reference)
    if len(found) < len(paths):
        return None
    mhz, name, pll = (found[path].value for path in paths.values())
    if not isinstance(mhz, Fraction | int) or not isinstance(pll, Fraction | int):
        return None
    mhz, pll = Fraction(mhz), Fraction(pll)
    return (pll, pll / mhz, f"registers, {name}: {_words(pll, [pll / mhz])}") if mhz else None


def _by_parameters(facts: Facts, ps: Module, system: System, reference: Fraction) -> Made | None:
    name = ps.parameter(facts["pll"]) or ""
    pll = system.plls.get(name)
    dividers = [int(_rate(ps.parameter(d)) or 0) for d in facts["dividers"]]
    if pll is None or 0 in dividers:
        return None
    factor = _rate(ps.parameter(pll["feedback"])) or Fraction(0)
    if "fraction" in pll and ps.parameter(pll["fraction_on"]) == "1":
        factor += _rate(ps.parameter(pll["fraction"])) or 0
    if "halved" in pll and ps.parameter(pll["halved"]) == "1":
        factor /= 2
    if "divided" in pll:
        factor /= _rate(ps.parameter(pll["divided"])) or 1
    if not factor:
        return None
    made = reference * factor
    return made, Fraction(prod(dividers)), f"parameters, {name}: {_words(made, dividers)}"


def _words(pll: Fraction, dividers: Sequence[Fraction | int]) -> str:
    return f"{float(pll):.10g} MHz / {' / '.join(map(str, dividers))}"


def _rate(text: str | None) -> Fraction | None:
    """A positive decimal as a fraction (33.333333 is 100/3); None for other texts."""
    try:
        value = float((text or "")[:40])
    except ValueError:
        return None
    return clocks.meant(value) if 1e-6 <= value < 1e10 else None
