"""The input and output types of a decoder."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

Number = int | Fraction
Value = bool | Number | str | list[int]
"""A figure's value: clocks in MHz are exact fractions (or whole numbers), never floats."""


def number(value: Value | None) -> Number:
    """`value`, which must be a number; else TypeError."""
    if not isinstance(value, int | Fraction):
        raise TypeError(f"not a number: {value!r}")
    return value


def whole(value: Value | None) -> int:
    """`value`, which must be a whole number; else TypeError."""
    if not isinstance(value, int):
        raise TypeError(f"not a whole number: {value!r}")
    return value


@dataclass(frozen=True)
class Write:
    """One write of an initialisation: the bits of `mask` take those of `value`.

    `address`: of a 32-bit register, or None if the source has a `name` instead (the macros of a
    Cyclone V preloader: `value` is the field's value). `line`: in the file (from 1).
    """

    address: int | None
    mask: int
    value: int
    name: str | None = None
    line: int | None = None


def unknown_value(address: int, line: int | None = None) -> Write:
    """A write without bits, for a value that only the board has, such as a result of training."""
    return Write(address, 0, 0, None, line)


@dataclass(frozen=True)
class Figure:
    """A figure with its registers as the source. `reset` is true if all of them have their reset
    values, because the initialisation does not write them."""

    value: Value
    unit: str | None
    source: str
    reset: bool = False


@dataclass(frozen=True)
class Unknown:
    """An address (or a macro's name) that the chip's data lack, and how often it is written."""

    where: int | str
    count: int

    def __str__(self) -> str:
        name = self.where if isinstance(self.where, str) else f"0x{self.where:08X}"
        return f"{name}: {self.count} write{'s' * (self.count > 1)}"


@dataclass(frozen=True)
class Decoded:
    """`figures` by path, in the order of the chip's data; `unknown` in the order of addresses;
    `notes`: missing figures with reasons, and assumptions."""

    chip: str
    figures: dict[str, Figure]
    unknown: list[Unknown] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def value(self, path: str) -> Value | None:
        """The value of the figure at `path`; None if it is missing."""
        figure = self.figures.get(path)
        return None if figure is None else figure.value
