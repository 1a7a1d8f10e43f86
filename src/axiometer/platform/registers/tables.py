"""A chip's registers from its data files: addresses, fields, reset values, figures.

A chip's folder has `registers.toml`, which lists its modules, and a TOML file for each of them in
`registers/` (`axiometer.base.chip_files`). A module:

    module = "DDRC"            its name in rules and messages
    base = 0xFD070000          or [instances] with a name and a base each
    [register.DRAMTMG0]
    at = 0x100                 offset; absent in a module whose registers have macros only
    reset = 0x0F101B0F         absent: unknown, and nothing is assumed
    macro = "PREFIX"           name in preloader headers (macro of a field: PREFIX_FIELD)
    t_faw = "21:16"            a field, or with a figure:
    t_ras_min = { bits = "5:0", figure = "dram.timing.tRAS", unit = "DRAM clocks", times = 2 }

A figure's value is the field's, times `times`, plus `plus`, or the entry of `values` for it, or
true and false (`flag = true`; "inverted": 0 is true). `{instance}` in a figure's path is
the module's. `address = "row"` with a `base` (or a list of them): an address bit, value plus base.
`selects`: names of clocks by the field's value, a table or the name of a `[selects.NAME]`.
`written_only = true`: reset values make no figures of the module. Registers in the table `beside`
are for other readers on a board; `decode` ignores them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from axiometer.base import chip_files
from axiometer.base.chip_files import Table

_NOT_FIELDS = {"at", "reset", "macro"}
_NAME = re.compile(r"\{([\w.]+)\}")


@dataclass(frozen=True)
class Field:
    """Bits `low` to `high` of a register. `makes` has the figure's keys, or is empty."""

    name: str
    low: int
    high: int
    makes: Table

    @property
    def mask(self) -> int:
        """The field's bits in place."""
        return ((1 << (self.high - self.low + 1)) - 1) << self.low

    def take(self, word: int) -> int:
        """The field's value in a register's word."""
        return (word & self.mask) >> self.low


@dataclass(frozen=True)
class Register:
    """`key` is MODULE.REGISTER or MODULE.INSTANCE.REGISTER; `address` None: has only a macro."""

    key: str
    name: str
    address: int | None
    reset: int | None
    macro: str | None
    fields: dict[str, Field]
    instance: str | None
    written_only: bool
    beside: bool

    @property
    def shown(self) -> str:
        """Name and address, in the form for sources."""
        return self.name if self.address is None else f"{self.name} (0x{self.address:08X})"


@dataclass(frozen=True)
class Chip:
    """All registers of a chip, in the order of its data; `about` is registers.toml."""

    name: str
    about: Table
    registers: dict[str, Register]
    by_address: dict[int, Register]
    by_macro: dict[str, tuple[Register, Field]]
    address_fields: dict[str, list[tuple[int, Register, Field]]]

    def field(self, name: str) -> tuple[Register, Field]:
        """The register and field of MODULE.REGISTER.FIELD or MODULE.INSTANCE.REGISTER.FIELD."""
        key, _, field = name.rpartition(".")
        return self.registers[key], self.registers[key].fields[field]

    def text(self, text: str) -> str:
        """`text` with addresses for {MODULE.REGISTER}, and with bits of an address for a field."""

        def place(name: re.Match[str]) -> str:
            if name[1] in self.registers:
                return f"0x{self.registers[name[1]].address:08X}"
            register, field = self.field(name[1])
            bits = f"s {field.high}:{field.low}" if field.high > field.low else f" {field.low}"
            return f"bit{bits} of 0x{register.address:08X}"

        return _NAME.sub(place, text)

    @property
    def needed_where(self) -> str:
        """Addresses that describe a memory, for people."""
        return self.text(self.about["needed_where"])


@cache
def chips() -> tuple[str, ...]:
    """Names of the chips with known registers; a chip with another's registers follows it."""
    having = chip_files.having("registers")
    return tuple(sorted(having, key=lambda chip: (first(chip), first(chip) != chip, chip)))


def first(name: str) -> str:
    """The chip whose registers the chip `name` has: itself, or another."""
    return chip_files.first(name, "registers")


def alike(name: str) -> list[str]:
    """All chips with the registers of the chip `name`."""
    return [other for other in chips() if first(other) == first(name)] or [name]


@cache
def load(name: str) -> Chip:
    """The data of the chip `name`, one of `chips()`."""
    about = chip_files.read(name, "registers")
    if about is None:
        raise KeyError(name)
    modules = (chip_files.read(name, f"registers/{module}") for module in about["modules"])
    registers = [register for module in modules if module for register in _module(module)]
    by_macro = {
        f"{register.macro}_{field.name}" if field.name != "ALL" else register.macro: (
            register,
            field,
        )
        for register in registers
        if register.macro is not None
        for field in register.fields.values()
    }
    return Chip(
        name,
        about,
        {register.key: register for register in registers},
        {r.address: r for r in registers if r.address is not None and not r.beside},
        by_macro,
        _address_fields(registers),
    )


def _address_fields(registers: list[Register]) -> dict[str, list[tuple[int, Register, Field]]]:
    """(base, register, field) of the fields that are address bits, by kind, in order of bases."""
    found: dict[str, list[tuple[int, Register, Field]]] = {}
    for register in registers:
        for field in register.fields.values():
            if "address" in field.makes:
                base = field.makes["base"]
                bases = base if isinstance(base, list) else [base]
                its = found.setdefault(field.makes["address"], [])
                its += [(each, register, field) for each in bases]
    return {kind: sorted(its, key=lambda of: of[0]) for kind, its in found.items()}


def _module(content: Table) -> list[Register]:
    instances = content.get("instances") or {None: content.get("base", 0)}
    return [
        _register(content, name, entry, instance, base)
        for instance, base in instances.items()
        for name, entry in (content.get("register", {}) | content.get("beside", {})).items()
    ]


def _register(content: Table, name: str, entry: Table, instance: str | None, base: int) -> Register:
    of = [content["module"], *([instance] if instance else []), name]
    at = entry.get("at")
    return Register(
        ".".join(of),
        ".".join(of[1:]),
        None if at is None else base + at,
        entry.get("reset"),
        entry.get("macro"),
        {
            key: _field(key, bits, content.get("selects", {}))
            for key, bits in entry.items()
            if key not in _NOT_FIELDS
        },
        instance,
        content.get("written_only", False),
        name in content.get("beside", {}),
    )


def _field(name: str, entry: str | Table, selects: Table) -> Field:
    bits = entry if isinstance(entry, str) else entry["bits"]
    high, _, low = bits.partition(":")
    makes = {} if isinstance(entry, str) else {k: v for k, v in entry.items() if k != "bits"}
    if isinstance(makes.get("selects"), str):
        makes["selects"] = selects[makes["selects"]]
    return Field(name, int(low or high), int(high), makes)
