"""Clocks of the fabric as they are: what was asked for, and what the PLLs and dividers make.

Registers of the initialisation count where the export has them, else the tool's own parameters,
else the rate that the file gives for the net. What PLL and dividers are stands in `ps/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from axiometer import clocks
from axiometer.designs.initialisation import field
from axiometer.designs.model import Clock
from axiometer.designs.netlist import Module, Netlist
from axiometer.designs.ps_facts import System

FAR = 0.001  # more than this share from what was asked for is another clock
_MOST_MHZ = 10_000


def fabric_clocks(
    netlist: Netlist, ps: Module, system: System, registers: Mapping[int, int]
) -> dict[str, Clock]:
    """The clocks by the net that carries them: those that the processor system makes, then all
    others for which the file gives a rate."""
    found: dict[str, Clock] = {}
    for name, facts in system.clocks.items():
        net = ps.made.get(facts["pin"])
        if net is not None:
            rated = netlist.rates.get(net)
            clock = _of_ps(name, facts, ps, system, registers, rated)
            if clock.mhz > 0:
                found[net] = clock
    for net, rate in netlist.rates.items():
        mhz = rate / 1e6
        if net not in found and 0 < mhz < _MOST_MHZ:
            found[net] = Clock(net, clocks.number(clocks.meant(mhz)), source="as the file gives it")
    return found


def neighbours(clock: Clock) -> tuple[float, float] | None:
    """The next rates below and above what was asked for that its PLL can make, in MHz; None where
    the PLL is not known or has none."""
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
    """Whether the clock is another than was asked for."""
    return bool(clock.asked_mhz) and abs(clock.mhz / clock.asked_mhz - 1) > FAR


def differs(clock: Clock) -> bool:
    """Whether the clock is another than the tool wrote beside its net."""
    return bool(clock.file_mhz) and abs(clock.mhz / clock.file_mhz - 1) > FAR


def _divides(total: int, clock: Clock) -> bool:
    if clock.dividers == 1:
        return total <= clock.divider_max
    most = clock.divider_max
    return any(total % d == 0 and total // d <= most for d in range(1, min(total, most) + 1))


def _of_ps(
    name: str,
    facts: Mapping[str, Any],
    ps: Module,
    system: System,
    registers: Mapping[int, int],
    rated: float | None,
) -> Clock:
    by_hand = ps.parameter(facts["by_hand"]) == "1"
    asked = None if by_hand else _rate(ps.parameter(facts["asked"]))
    reference = _rate(ps.parameter(system.reference)) if system.reference else None
    base = Clock(name, 0, clocks.number(asked) if asked else None)
    base = replace(base, file_mhz=rated / 1e6 if rated else None)
    base = replace(base, dividers=len(facts["dividers"]), divider_max=facts["divider_max"])
    for read in (_by_registers, _by_parameters):
        made = read(facts, ps, system, registers) if reference else None
        if made is not None:
            factor, dividers, source = made
            pll = reference * factor
            total = dividers[0] * dividers[1]
            mhz = clocks.number(clocks.meant(float(pll / total)))
            words = f"{source}: {float(pll):.10g} MHz / {' / '.join(map(str, dividers))}"
            return replace(base, mhz=mhz, source=words, pll_mhz=float(pll))
    mhz = rated / 1e6 if rated else float(asked or 0)
    return replace(base, mhz=mhz, source="as the file gives it" if rated else "as asked for")


Made = tuple[Fraction, tuple[int, ...], str]  # PLL over reference, dividers, where from


def _by_registers(
    facts: Mapping[str, Any], ps: Module, system: System, registers: Mapping[int, int]
) -> Made | None:
    register = facts["register"]
    value = registers.get(register["address"])
    if value is None:
        return None
    dividers = tuple(field(value, bits) for bits in register["divider_bits"])
    choice = field(value, register["pll_bits"])
    name = register["plls"][choice] if choice < len(register["plls"]) else ""
    pll = system.plls.get(name)
    if pll is None or 0 in dividers:
        return None
    control = pll["register"]
    written = registers.get(control["address"])
    if written is None:
        return None
    factor = Fraction(field(written, control["bits"]))
    if "fraction" in control:
        fraction = registers.get(control["fraction"], 0)
        factor += Fraction(fraction & 0xFFFF, 2**16) if fraction >> 31 else 0
    if "halved_bits" in control and field(written, control["halved_bits"]):
        factor /= 2
    if "divided" in control:
        value = registers.get(control["divided"]["address"])
        factor /= (value and field(value, control["divided"]["bits"])) or 1
    return (factor, dividers, f"registers, {name}") if factor else None


def _by_parameters(
    facts: Mapping[str, Any], ps: Module, system: System, registers: Mapping[int, int]
) -> Made | None:
    name = ps.parameter(facts["pll"]) or ""
    pll = system.plls.get(name)
    dividers = tuple(int(_rate(ps.parameter(d)) or 0) for d in facts["dividers"])
    if pll is None or 0 in dividers:
        return None
    factor = _rate(ps.parameter(pll["feedback"])) or Fraction(0)
    if "fraction" in pll and ps.parameter(pll["fraction_on"]) == "1":
        factor += _rate(ps.parameter(pll["fraction"])) or 0
    if "halved" in pll and ps.parameter(pll["halved"]) == "1":
        factor /= 2
    if "divided" in pll:
        factor /= _rate(ps.parameter(pll["divided"])) or 1
    return (factor, dividers, f"parameters, {name}") if factor else None


def _rate(text: str | None) -> Fraction | None:
    """A positive decimal as a fraction; None for anything else. 33.333333 is 100/3."""
    try:
        value = float((text or "")[:40])
    except ValueError:
        return None
    return clocks.meant(value) if 1e-6 <= value < 1e9 else None
