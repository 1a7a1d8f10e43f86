"""What goes into a decoder and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

Number = int | Fraction
Value = bool | Number | str | list[int]
"""A figure's value: clocks in MHz are exact fractions (or whole numbers), never floats."""


def number(value: Value | None) -> Number:
    """A value that is a number; TypeError of another."""
    if not isinstance(value, int | Fraction):
        raise TypeError(f"no number: {value!r}")
    return value


def whole(value: Value | None) -> int:
    """A value that is a whole number; TypeError of another."""
    if not isinstance(value, int):
        raise TypeError(f"no whole number: {value!r}")
    return value


@dataclass(frozen=True)
class Write:
    """One write of an initialisation: the bits of `mask` become those of `value`.

    `address`: of a 32-bit register, or None where the source gives a `name` instead (the macros of
    a Cyclone V preloader: the field's value stands in `value`). `line`: where it stands (from 1).
    """

    address: int | None
    mask: int
    value: int
    name: str | None = None
    line: int | None = None


def unknown_value(address: int, line: int | None = None) -> Write:
    """A write whose value only the board knows, such as a result of training: of no bits."""
    return Write(address, 0, 0, None, line)


@dataclass(frozen=True)
class Figure:
    """A figure with the registers that it comes from. `reset` is true where all of them are at
    their reset values, because the initialisation does not write them."""

    value: Value
    unit: str | None
    source: str
    reset: bool = False


@dataclass(frozen=True)
class Unknown:
    """An address (or a macro's name) that the chip's data do not know, and how often it is
    written."""

    where: int | str
    count: int

    def __str__(self) -> str:
        name = self.where if isinstance(self.where, str) else f"0x{self.where:08X}"
        return f"{name}: {self.count} write{'s' * (self.count > 1)}"


@dataclass(frozen=True)
class Decoded:
    """`figures` by path, in the order of the chip's data; `unknown` in the order of the addresses;
    `notes` in words: what was left out and why, what was assumed."""

    chip: str
    figures: dict[str, Figure]
    unknown: list[Unknown] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def value(self, path: str) -> Value | None:
        """The value of the figure at `path`; None where there is none."""
        figure = self.figures.get(path)
        return None if figure is None else figure.value
