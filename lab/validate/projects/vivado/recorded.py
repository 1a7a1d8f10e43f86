"""What a script asked of Vivado: the record that `session` makes and that rules look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from validate.projects.vivado.catalogue import Cell
from validate.projects.vivado.component import Component


class RefusedError(Exception):
    """Vivado would not do it: the text says why."""


@dataclass(frozen=True)
class Assigned:
    """Addresses of a segment in a space, in bytes, from the script's `line`."""

    space: str
    segment: str
    base: int
    size: int
    line: int


@dataclass
class Recorded:
    """What a script did in a `version` of Vivado. `nets` are sets of pins, `buses` pairs of
    interfaces, all by their paths; `done` what `commands.toml` calls so; `files` what was added by
    file set; `reports` by path."""

    pll_mhz: Fraction | None
    version: str
    properties: dict[tuple[str, str], str] = field(default_factory=dict)
    components: dict[str, Component] = field(default_factory=dict)
    cells: dict[str, Cell] = field(default_factory=dict)
    nets: list[set[str]] = field(default_factory=list)
    buses: list[tuple[str, str, int]] = field(default_factory=list)
    addresses: list[Assigned] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    files: dict[str, list[str]] = field(default_factory=dict)
    reports: list[str] = field(default_factory=list)
    runs: dict[str, str] = field(default_factory=dict)
    preset: bool = False
    findings: list[str] = field(default_factory=list)
    commands: int = 0
