"""Facts of IP cores (`cores/*.toml`), and the lookup of their figures in a design.

A figure is a parameter's name, "@NAME" for a parameter of the interface, a number, a table with
`value`, `why`, `if` and `unless` (parameters that are true, or not), or a list of these, of which
the first that exists counts. To support a core, add an entry.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.designs.netlist import Interface, Module
from axiometer.designs.ps_facts import Facts
from axiometer.experiment import vendor

FOLDER = Path(__file__).with_name("cores")
LARGEST = 2**32
_DEFAULT = "the core's default, not set in the Tcl"


@dataclass(frozen=True)
class Core:
    """One entry. `masters`: by interface (with *); `passes`, `streams`: slave to master
    interface; `constant`: the parameter with the value of a constant; `leaves_width`: the
    parameter with the width of its outputs; `width`: with the width of both sides; `converts`:
    whether the sides may differ; `makes`: of a clock generator, its output {n} (`pin`), the
    parameters with the pin's own name (`named`), its MHz as requested (`mhz`), and input MHz,
    multiplier and dividers (`built`, {m} = {n} - 1); `follows`: beginnings of a buffer's clock
    outputs and of their inputs; `defaults`: parameters that a Tcl may leave out; `at_least`:
    defaults that the tool raises to another parameter; `engine`: its kind in the vendors'
    engines; `scatter_gather`: the figure whether it has descriptors; `block`: its name in
    `experiment/between.toml`, which gives its clocks for a burst; `one_to_one`: whether it adds
    none with one interface on each side; `burst_beats`: the parameter with the longest burst that
    passes, `burst_bits` that with the bits of a burst's count; `reads`: that with the most reads
    that a bridge holds, `read_beats` with the most of their data; `clock_pins`: by interface, where
    it has several."""

    vlnv: str
    title: str
    source: str
    masters: Mapping[str, Facts] = field(default_factory=dict)
    passes: Mapping[str, str] = field(default_factory=dict)
    streams: Mapping[str, str] = field(default_factory=dict)
    outstanding: Facts = field(default_factory=dict)
    length_bits: Any = None
    frames: Any = None
    constant: str | None = None
    leaves_width: str | None = None
    makes: Mapping[str, str] = field(default_factory=dict)
    follows: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    at_least: Mapping[str, str] = field(default_factory=dict)
    width: str | None = None
    converts: bool = False
    engine: str | None = None
    scatter_gather: Any = None
    block: str = ""
    one_to_one: bool = False
    burst_beats: str | None = None
    burst_bits: str | None = None
    reads: str | None = None
    read_beats: str | None = None
    clock_pins: Mapping[str, str] = field(default_factory=dict)

    def master(self, interface: str) -> Facts | None:
        """The facts of the master interface `interface`; None where the core has none."""
        if interface in self.masters:
            return self.masters[interface]
        return next((v for k, v in self.masters.items() if fnmatchcase(interface, k)), None)


@dataclass(frozen=True)
class Found:
    """A figure in a design; `assumed` is the reason for a value that the design does not give."""

    value: int | None
    assumed: str = ""


@cache
def all_cores() -> tuple[Core, ...]:
    """All entries, in the order of the files' names."""
    found: list[Core] = []
    for path in sorted(FOLDER.glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["core"]:
            of = entry.pop("vlnv")
            entry["masters"] = entry.pop("master", {})
            found += [Core(vlnv, **entry) for vlnv in ([of] if isinstance(of, str) else of)]
    return tuple(found)


@cache
def core(vlnv: str) -> Core | None:
    """The entry of a core (its VLNV without version); None for an unknown core."""
    return next((c for c in all_cores() if fnmatchcase(vlnv, c.vlnv)), None)


def figure(spec: Any, module: Module, interface: Interface | None = None) -> Found:
    """The figure `spec` in this module; a value of None where neither gives it."""
    for option in spec if isinstance(spec, list) else [spec]:
        if isinstance(option, Mapping):
            yes, no = (_number(module.parameter(option.get(key, ""))) for key in ("if", "unless"))
            if ("if" in option and not yes) or no:
                continue
            return Found(option["value"], option.get("why", ""))
        if isinstance(option, int):
            return Found(option)
        number = _number(_text(option, module, interface)) if option else None
        if number is not None:
            return Found(number, _DEFAULT if _is_default(option, module, interface) else "")
    return Found(None)


def of_engine(module: Module, name: str) -> Found:
    """A figure of the vendor's engine `module`, from its data sheet; a value of None where the
    module is no such engine or has no such figure."""
    own = core(module.core)
    if own is None or own.engine is None:
        return Found(None)
    given = figure(own.scatter_gather, module).value
    usual = vendor.figure(own.engine, "descriptors", usual=False)
    with_descriptors = bool(usual if given is None else given)
    of = own.engine, name, with_descriptors
    value = vendor.figure(*of)
    return Found(value if isinstance(value, int) else None, vendor.why(*of))


def _is_default(name: str, module: Module, interface: Interface | None) -> bool:
    """Whether a figure is its core's default because the file leaves it out."""
    if not module.defaults or name.startswith("@"):
        return False
    shown = interface.name.upper() if interface else ""
    return module.given(name.replace("{INTERFACE}", shown)) is None


def _text(name: str, module: Module, interface: Interface | None) -> str | None:
    if name.startswith("@"):
        return interface.parameters.get(name[1:]) if interface else None
    shown = interface.name.upper() if interface else ""
    return module.parameter(name.replace("{INTERFACE}", shown))


def _number(text: str | None) -> int | None:
    """A whole number in the forms of parameters: 16, 0x3, 0b0011, "0011", true; None for other
    texts."""
    if text is None or len(text) > 40:
        return None
    word = text.strip().strip('"').replace("'b", "0b")
    word = {"true": "1", "false": "0"}.get(word.lower(), word)
    try:
        value = int(word, 0)
    except ValueError:
        # int(text, 0) refuses leading zeros.
        value = int(word) if word.isascii() and word.isdigit() else -1
    return value if 0 <= value < LARGEST else None
