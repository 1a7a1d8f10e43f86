"""Registers and files that show whether a chip's fabric can be reached: its `doctor.toml`.

Addresses and fields are in the chip's `registers/`. A register is named MODULE.REGISTER, a field
MODULE.REGISTER.FIELD; {NAME} in a text is replaced by the address.
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
    """The required value of a register's field: `want`, or any value but 0 (want is None). `wrong`:
    the meaning of a fault. `source`: the document."""

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
    """The required text of the first file of `paths` that exists. `decides`: the file is enough
    where the chip's registers cannot be read."""

    check: str
    paths: tuple[str, ...]
    want: str
    wrong: str
    remedy: str
    source: str
    decides: bool


@dataclass(frozen=True)
class Width:
    """A register with the width of a port. `name`: with the port's number, where each port has its
    own register. `key`: MODULE.REGISTER."""

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
    """Registers of a PLL, as MODULE.REGISTER; `fraction`: only of a fractional PLL."""

    register: str
    fraction: NotRequired[str]


class Clock(TypedDict):
    """The fabric's first clock: its register with the fields that select a PLL and divide, the PLLs
    by their names in the field's `selects`, their multiplying field, and files with the reference
    clock."""

    name: str
    register: str
    select: str
    divisors: list[str]
    multiply: str
    pll: dict[str, Pll]
    reference: list[str]


@dataclass(frozen=True)
class Chip:
    """table: all registers of the chip. widths: width registers by port. clock: the file's table of
    the fabric's first clock; None if the processor system has none."""

    name: str
    table: Table
    compatible: tuple[str, ...]
    rules: tuple[Rule, ...]
    files: tuple[FileRule, ...]
    widths: dict[str, tuple[Width, ...]]
    clock: Clock | None

    def addresses(self, ports: Iterable[str] | None = None) -> dict[int, str]:
        """The names of the registers that checks read, by address, with the width registers of
        `ports` (None: of all ports)."""
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
        """Whether this chip's file has something for the check."""
        known = {rule.check for rule in self.rules} | {file.check for file in self.files}
        known |= {"clock-rate"} if self.clock else set()
        known |= {"widths"} if self.widths else set()
        return check in known


def at(register: Register) -> int:
    """The address of a readable register."""
    assert register.address is not None, register.key
    return register.address


@cache
def chips() -> tuple[Chip, ...]:
    """All chips with a `doctor.toml`."""
    tables = {chip: chip_files.read(chip, "doctor") for chip in chip_files.having("doctor")}
    return tuple(_read(chip, data) for chip, data in tables.items() if data is not None)


def named(name: str) -> Chip | None:
    """The chip that board files call `name`; None if it has no `doctor.toml`."""
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
