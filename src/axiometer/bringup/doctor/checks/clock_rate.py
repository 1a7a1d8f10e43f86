"""Compares the fabric's first clock, from registers of PLL and dividers, with the design's."""

from __future__ import annotations

from fractions import Fraction

from axiometer.bringup.doctor.chip import Clock, at
from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes
from axiometer.bringup.doctor.target import BusError, NotThere

SHARE = Fraction(1, 1000)
"""Largest relative deviation of the clock from the design's rate, as in build.tcl."""


def clock_rate(visit: Visit) -> Finding:
    """PS clock x PLL / dividers. With an agent, `counters` later measures the clock."""
    notes = Notes("clock-rate")
    wanted = visit.expected.clock_hz
    try:
        made = _rate(visit, notes)
    except (NotThere, BusError) as error:
        return notes.not_checked(error.why, getattr(error, "remedy", ""))
    name = _clock(visit)["name"]
    told = f"{name} is {float(made) / 1e6:g} MHz"
    if wanted is None:
        return notes.not_checked(f"{told}; the design's clock is unknown",
                                 "add --project DIR")  # fmt: skip
    if abs(made - wanted) > SHARE * wanted:
        return notes.fault(
            f"{told}, but the design is built for {wanted / 1e6:g} MHz: rates would be wrong in "
            "this ratio",
            "boot with a first stage boot loader of this project's system.xsa, or apply its "
            "overlay, which sets the clock; or build the project with --pl-mhz and --pll-mhz",
        )
    return notes.ok(f"{told}, as the design requires")


def _clock(visit: Visit) -> Clock:
    clock = visit.known.clock
    assert clock is not None  # otherwise the check is left out
    return clock


def _rate(visit: Visit, notes: Notes) -> Fraction:
    clock = _clock(visit)
    reference = _reference(visit, notes)
    made = _fields(visit, notes, clock["register"])
    select = made[clock["select"]]
    _, field = visit.known.table.field(f"{clock['register']}.{clock['select']}")
    pll = clock["pll"].get(field.makes["selects"].get(str(select), ""))
    if pll is None:
        raise NotThere(f"{clock['register']} selects {select}, an unknown source")
    own = _fields(visit, notes, pll["register"])
    multiple = Fraction(own[clock["multiply"]])
    if "fraction" in pll:
        part = _fields(visit, notes, pll["fraction"], f"{pll['register']}'s fraction")
        multiple += Fraction(part["DATA"], 65536) if part["ENABLED"] else 0
    rate = reference * multiple
    if own.get("DIV2"):
        rate /= 2
    for divisor in clock["divisors"]:
        rate /= made[divisor] or 1
    return rate


def _reference(visit: Visit, notes: Notes) -> Fraction:
    for path in _clock(visit)["reference"]:
        try:
            cell = visit.target.read(path).encode("latin-1")
        except NotThere:
            continue
        hertz = int.from_bytes(cell[:4], "big")
        notes.saw(f"{path}: {hertz} Hz")
        return Fraction(hertz)
    raise NotThere("the device tree lacks the processor's reference clock")


def _fields(visit: Visit, notes: Notes, key: str, name: str | None = None) -> dict[str, int]:
    """The values of a register's fields."""
    register = visit.known.table.registers[key]
    word = visit.target.read32(at(register))
    notes.saw(f"{name or key} at {at(register):#010x} = {word:#010x}")
    return {field.name: field.take(word) for field in register.fields.values()}
