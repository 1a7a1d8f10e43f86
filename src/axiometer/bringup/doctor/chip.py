"""Registers and files of a chip that say whether its fabric can be reached: its `doctor.toml`.

Addresses and fields stand in the chip's `registers/`: a register is named here as
MODULE.REGISTER, a field as MODULE.REGISTER.FIELD; a text with {either} has the address there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import NotRequired, TypedDict

from axiometer.base import chip_files
from axiometer.platform.registers.tables import Chip as Table
from axiometer.platform.registers.tables import Field, Register, load


@dataclass(frozen=True)
class Rule:
    """What the field of a register must hold: `want`, or anything but 0 (want is None).
    `wrong` and `remedy`: what a fault means, and what to do. `source`: the document."""

    check: str
    register: Register
    field: Field
    want: int | None
    wrong: str
    remedy: str
    source: str

    def holds(self, word: int) -> bool:
        found = self.field.take(word)
        return found != 0 if self.want is None else found == self.want


@dataclass(frozen=True)
class FileRule:
    """What the first of `paths` that is there must say. `decides`: this is enough where the chip's
    registers cannot be read."""

    check: str
    paths: tuple[str, ...]
    want: str
    wrong: str
    remedy: str
    source: str
    decides: bool


@dataclass(frozen=True)
class Width:
    """A register with the width of a port. `name`: with the port's number, where each port has a
    register of its own. `key`: MODULE.REGISTER."""

    name: str
    key: str
    address: int
    field: Field
    source: str

    @property
    def widths(self) -> dict[int, int]:
        """The port's width in bits by the field's value."""
        return {int(value): bits for value, bits in self.field.makes["values"].items()}


class Pll(TypedDict):
    """Registers of a PLL, as MODULE.REGISTER; `fraction`: of one that has such."""

    register: str
    fraction: NotRequired[str]


class Clock(TypedDict):
    """The fabric's first clock: its register with the fields that select a PLL and divide, the PLLs
    by the names that the field's `selects` has, their field that multiplies, and files with the
    reference clock."""

    name: str
    register: str
    select: str
    divisors: list[str]
    multiply: str
    pll: dict[str, Pll]
    reference: list[str]


@dataclass(frozen=True)
class Chip:
    """table: all of its registers. widths: of each port that has some. clock: the table of the
    fabric's first clock, as it stands in the file; None if none is known to be the processor
    system's."""

    name: str
    table: Table
    compatible: tuple[str, ...]
    rules: tuple[Rule, ...]
    files: tuple[FileRule, ...]
    widths: dict[str, tuple[Width, ...]]
    clock: Clock | None

    def addresses(self, ports: Iterable[str] | None = None) -> dict[int, str]:
        """Registers that are looked at, by address: with the widths of `ports`, or of all."""
        found = {at(rule.register): rule.register.key for rule in self.rules}
        for port in self.widths if ports is None else ports:
            found |= {width.address: width.name for width in self.widths.get(port, ())}
        if self.clock:
            found[self._at(self.clock["register"])] = self.clock["register"]
            for pll in self.clock["pll"].values():
                found[self._at(pll["register"])] = pll["register"]
                if "fraction" in pll:
                    found[self._at(pll["fraction"])] = f"{pll['register']}'s fraction"
        return dict(sorted(found.items()))

    def _at(self, key: str) -> int:
        return at(self.table.registers[key])

    def has(self, check: str) -> bool:
        """Whether something of this chip is known for the check."""
        known = {rule.check for rule in self.rules} | {file.check for file in self.files}
        known |= {"clock-rate"} if self.clock else set()
        known |= {"widths"} if self.widths else set()
        return check in known


def at(register: Register) -> int:
    """The address of a register that can be looked at."""
    assert register.address is not None, register.key
    return register.address


@cache
def chips() -> tuple[Chip, ...]:
    """All that are known."""
    tables = {chip: chip_files.read(chip, "doctor") for chip in chip_files.having("doctor")}
    return tuple(_read(chip, data) for chip, data in tables.items() if data is not None)


def named(name: str) -> Chip | None:
    """The chip that boards' files call `name`; None if nothing is known of it."""
    return next((chip for chip in chips() if chip.name == name), None)


def _read(name: str, data: chip_files.Table) -> Chip:
    table = load(name)
    return Chip(
        name,
        table,
        tuple(data["compatible"]),
        tuple(_rule(entry, table) for entry in data["rule"]),
        tuple(FileRule(**{**entry, "paths": tuple(entry["paths"])}) for entry in data["file"]),
        {p: w for entry in data.get("width", []) for p, w in _widths(entry, table).items()},
        data.get("clock"),
    )


def _rule(entry: chip_files.Table, table: Table) -> Rule:
    return Rule(
        entry["check"],
        *table.field(entry["field"]),
        None if entry.get("nonzero") else entry["want"],
        entry["wrong"],
        table.text(entry["remedy"]),
        entry["source"],
    )


def _widths(entry: chip_files.Table, table: Table) -> dict[str, tuple[Width, ...]]:
    def width(n: int, port: str, name: str) -> Width:
        register, field = table.field(name.format(port=port))
        own = register.name.rpartition(".")[2] + (f"{n}" if "{port}" in name else "")
        return Width(own, register.key, at(register), field, entry["source"])

    return {
        port: tuple(width(n, port, name) for name in entry["fields"])
        for n, port in enumerate(entry["ports"])
    }
