"""Registers and files of a chip that say whether its fabric can be reached: `chips/*.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent / "chips"


@dataclass(frozen=True)
class Bits:
    """A field of a 32-bit register, from bit `low` to bit `high`."""

    high: int
    low: int

    @classmethod
    def of(cls, text: str) -> Bits:
        high, _, low = text.partition(":")
        return cls(int(high), int(low or high))

    def take(self, word: int) -> int:
        return word >> self.low & ((1 << (self.high - self.low + 1)) - 1)


@dataclass(frozen=True)
class Rule:
    """What the field `bits` of a register must hold: `want`, or anything but 0 (want is None).
    `wrong` and `remedy`: what a fault means, and what to do. `source`: the document."""

    check: str
    register: str
    address: int
    bits: Bits
    want: int | None
    wrong: str
    remedy: str
    source: str

    def holds(self, word: int) -> bool:
        found = self.bits.take(word)
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
class Widths:
    """Registers that hold the width of ports `port` (a pattern with {n}, from 0 to `ports` - 1)."""

    port: str
    ports: int
    base: int
    step: int
    offsets: dict[str, int]
    bits: Bits
    widths: dict[int, int]
    source: str

    def registers(self, port: str) -> list[tuple[str, int]]:
        """Names and addresses of the registers of a port; none if it has no such port."""
        for n in range(self.ports):
            if self.port.format(n=n) == port:
                start = self.base + n * self.step
                return [(f"{name}{n}", start + at) for name, at in self.offsets.items()]
        return []


@dataclass(frozen=True)
class Chip:
    """clock: the table of the fabric's first clock, as it stands in the file; None if none is known
    to be the processor system's."""

    name: str
    compatible: tuple[str, ...]
    rules: tuple[Rule, ...]
    files: tuple[FileRule, ...]
    widths: tuple[Widths, ...]
    clock: dict[str, Any] | None

    def addresses(self, ports: Iterable[str] | None = None) -> dict[int, str]:
        """Registers that are looked at, by address: with the widths of `ports`, or of all."""
        found = {rule.address: rule.register for rule in self.rules}
        for table in self.widths:
            all_ports = [table.port.format(n=n) for n in range(table.ports)]
            for port in all_ports if ports is None else ports:
                found |= {address: name for name, address in table.registers(port)}
        if self.clock:
            found[self.clock["register"]] = self.clock["register_name"]
            for pll in self.clock["pll"].values():
                found[pll["register"]] = pll["register_name"]
                if "fraction" in pll:
                    found[pll["fraction"]] = f"{pll['register_name']}'s fraction"
        return dict(sorted(found.items()))

    def has(self, check: str) -> bool:
        """Whether something of this chip is known for the check."""
        known = {rule.check for rule in (*self.rules, *self.files)}
        known |= {"clock-rate"} if self.clock else set()
        known |= {"widths"} if self.widths else set()
        return check in known


@cache
def chips() -> tuple[Chip, ...]:
    """All that are known."""
    return tuple(_read(path) for path in sorted(_HERE.glob("*.toml")))


def named(name: str) -> Chip | None:
    """The chip that boards' files call `name`; None if nothing is known of it."""
    return next((chip for chip in chips() if chip.name == name), None)


def _read(path: Path) -> Chip:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return Chip(
        data["name"],
        tuple(data["compatible"]),
        tuple(_rule(entry) for entry in data.get("rule", [])),
        tuple(
            FileRule(**{**entry, "paths": tuple(entry["paths"])}) for entry in data.get("file", [])
        ),
        tuple(_widths(entry) for entry in data.get("width", [])),
        data.get("clock"),
    )


def _rule(entry: dict[str, Any]) -> Rule:
    want = None if entry.get("nonzero") else entry["want"]
    kept = {key: value for key, value in entry.items() if key != "nonzero"}
    return Rule(**{**kept, "bits": Bits.of(entry["bits"]), "want": want})


def _widths(entry: dict[str, Any]) -> Widths:
    widths = {int(width): value for width, value in entry["widths"].items()}
    return Widths(**{**entry, "bits": Bits.of(entry["bits"]), "widths": widths})
