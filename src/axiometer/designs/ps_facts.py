"""Facts of processor systems: each chip's `exports.toml`, with every {n} expanded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from axiometer.base import chip_files

Facts = Mapping[str, Any]
"""A table of a chip's or a core's file."""
BURST_BEATS = {"AXI3": 16, "AXI4": 256, "AXI4LITE": 1, "Avalon-MM": 128}
"""Longest burst of a protocol in beats; for Avalon-MM, of the ports to the SDRAM controller."""


@dataclass(frozen=True)
class System:
    """One chip's file. `ports`, `masters`, `clocks`: by interface or name, {n} and {m} expanded.
    `initialisation`: groups of files that together write its registers, preferred group first.
    `parts`: patterns of part numbers, where another chip has the same `cores`. `defaults`: the
    core's parameters that a Tcl may leave out; `defaults_without_preset`: the same where no board
    preset sets them; `presets`: the parameters that name a preset; `hls_families`: product families
    of Vitis HLS; `inside`: interfaces by their names in the block's own inside."""

    chip: str
    title: str
    cores: tuple[str, ...]
    parts: tuple[str, ...]
    initialisation: tuple[tuple[str, ...], ...]
    ports: Mapping[str, Facts]
    masters: Mapping[str, Facts]
    clocks: Mapping[str, Facts]
    plls: Mapping[str, Facts]
    reference: str | None
    sources: tuple[Facts, ...]
    memory: Facts
    defaults: Mapping[str, str]
    defaults_without_preset: Mapping[str, str]
    presets: tuple[str, ...]
    hls_families: tuple[str, ...]
    inside: Mapping[str, str]


@cache
def all_systems() -> tuple[System, ...]:
    """Every processor system, in the order of the chips' names."""
    tables = {chip: chip_files.read(chip, "exports") for chip in chip_files.having("exports")}
    return tuple(_load(chip, table) for chip, table in tables.items() if table is not None)


def of_core(core: str, part: str = "") -> System | None:
    """The processor system that `core` is in a design for `part`; None if it is none. A chip
    without part numbers gets the parts that no other chip claims."""
    having = [system for system in all_systems() if core in system.cores]
    claims = (s for s in having if any(fnmatchcase(part.lower(), its) for its in s.parts))
    others = [system for system in having if not system.parts]
    others.sort(key=lambda system: chip_files.takes(system.chip, "exports"))
    return next(claims, next(iter(others), None))


def titles() -> str:
    """The titles of the supported chips, as a list in words."""
    *most, last = (system.title for system in all_systems())
    return f"{', '.join(most)} or {last}"


def system(chip: str) -> System:
    """The processor system of `chip`; KeyError if it has none."""
    return next(_named(chip))


def _named(chip: str) -> Iterator[System]:
    for found in all_systems():
        if found.chip == chip:
            yield found
    raise KeyError(chip)


def _load(chip: str, table: Facts) -> System:
    return System(
        chip,
        table["title"],
        tuple(table["cores"]),
        tuple(table.get("parts", [])),
        tuple((g,) if isinstance(g, str) else tuple(g) for g in table.get("initialisation", [])),
        {each["interface"]: each for entry in table["port"] for each in _each(entry)},
        {each["interface"]: each for entry in table["master"] for each in _each(entry)},
        {each["name"]: each for each in _each(table.get("clock", {"numbers": []}))},
        {pll["name"]: pll for pll in table.get("pll", [])},
        table.get("reference_clock", {}).get("parameter"),
        tuple(each for entry in table.get("source", []) for each in _each(entry)),
        table.get("memory", {}),
        table.get("defaults", {}),
        table.get("defaults_without_preset", {}),
        tuple(table.get("presets", [])),
        tuple(table.get("hls_families", [])),
        table.get("inside", {}),
    )


def _each(entry: Facts) -> Iterator[dict[str, Any]]:
    """The entry once for each of its numbers, with {n}, {m} and lists by number expanded."""
    for place, number in enumerate(entry.get("numbers", [0])):
        also = entry.get("widths_of", [])
        names = {"n": number, "m": also[place] if also else number}
        filled = {key: _filled(value, names) for key, value in entry.items()}
        filled["number"] = number
        if "paths" in entry:
            filled["path"] = entry["paths"][place]
        if "windows" in entry:
            filled["addresses"] = entry["windows"][place]
        yield filled


def _filled(value: Any, names: Mapping[str, int]) -> Any:
    if isinstance(value, str):
        for name, number in names.items():
            value = value.replace(f"{{{name}}}", str(number))
        return value
    if isinstance(value, list):
        return [_filled(item, names) for item in value]
    if isinstance(value, Mapping):
        return {key: _filled(item, names) for key, item in value.items()}
    return value
