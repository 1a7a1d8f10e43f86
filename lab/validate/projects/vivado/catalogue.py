"""What cells of the catalogue have, and what one has as it is set: what public exports show of
cores (`validate.projects.facts`), with `cells.toml`, which says what they are for."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from axiometer.base import chip_files
from axiometer.designs import ps_facts
from validate.projects import facts

_FILE = Path(__file__).with_name("cells.toml")
_SAID = {"protocol", "width", "id", "address"}


class Setting(TypedDict, total=False):
    """What a setting of a core may be: one of `choices`, or within `range`; where no export says
    either, what one has."""

    default: str
    choices: list[str]
    range: tuple[float, float]


Pin = TypedDict(
    "Pin",
    {
        "is": str,
        "out": bool,
        "width": int,
        "low": bool | str,
        "of": str | None,
        "optional": bool,
        "any_clock": bool,
        "if": str,
    },
    total=False,
)
Bus = TypedDict(
    "Bus",
    {
        "master": bool,
        "protocol": str,
        "width": int | str,
        "id": int | str,
        "address": int | str,
        "of": str,
        "space": str,
        "segments": dict[str, list[int]],
        "windows": list[tuple[int, int]],
        "memory": bool,
        "if": str,
        "above": str,
        "n": int,
        "m": int,
    },
    total=False,
)
"""A pin: `is` clock, reset or data; `out`, else an input; `width` in bits; `low` a reset that is
active low, or the setting that says so; `of` the clock pin that it, or an interface, belongs to;
`if`: when it is there. An interface: `protocol`, `width`, `id` and `address` bits: a number, a
setting, or "any"."""


class Clock(TypedDict):
    """The pin of a clock that a core makes, and the setting of its rate."""

    pin: str
    setting: str


class Facts(TypedDict, total=False):
    """What else `cells.toml` says of a core."""

    vlnv: str
    space: str
    external: list[str]
    rule: str
    clock: Clock
    passes: bool
    low: dict[str, str]
    models: dict[str, str]


@dataclass(frozen=True)
class Kind:
    """A core: its settings, what it makes of them where that is said, pins and interfaces."""

    vlnv: str
    settings: Mapping[str, Setting]
    models: Mapping[str, str]
    pins: Mapping[str, Pin]
    interfaces: Mapping[str, Bus]
    facts: Facts


@dataclass
class Cell:
    """A cell of the block design: what was set of it. `external`: its fixed pins are the
    design's."""

    name: str
    kind: Kind
    line: int
    values: dict[str, str] = field(default_factory=dict)
    external: bool = False

    def value(self, name: str) -> str:
        """A setting as it is, or its default; "" where no export shows that."""
        known = self.kind.settings.get(name, {})
        default = known.get("default", self.kind.models.get(name, ""))
        return self.values.get(name, default)

    def resolved(self, value: object) -> object:
        """A fact that may be a setting's value."""
        if isinstance(value, str) and value in self.kind.settings:
            return self.value(value)
        return value

    def pin(self, name: str) -> Pin | None:
        """A pin; None if it is not there as the cell is set."""
        pin = self.kind.pins.get(name)
        return pin if pin is not None and self._there(pin) else None

    def pins(self) -> dict[str, Pin]:
        """The pins that are there as it is set."""
        return {name: pin for name, pin in self.kind.pins.items() if self._there(pin)}

    def interfaces(self) -> dict[str, Bus]:
        """The interfaces that are there as it is set."""
        return {
            name: {**bus, "segments": dict(self._segments(bus))} if "segments" in bus else bus
            for name, bus in self.kind.interfaces.items()
            if self._there(bus)
        }

    def _segments(self, bus: Bus) -> Iterator[tuple[str, list[int]]]:
        for name, (base, size, *setting) in bus["segments"].items():
            if not setting or self.value(str(setting[0])) == "1":
                yield name, [base, size]

    def _there(self, entry: Pin | Bus) -> bool:
        if "above" in entry:
            return int(self.value(entry["above"]) or 0) > entry["n"]
        return "if" not in entry or _holds(entry["if"], self)

    def refused(self, name: str, value: str) -> str:
        """Why a setting cannot be `value`; "" if it can."""
        core, setting = self.kind.vlnv, self.kind.settings.get(name)
        if setting is None or not facts.seen("setting", core, name):
            return f"{core} has no property CONFIG.{name}"
        if facts.seen("setting", core, name, value):
            return ""
        if "range" in setting:
            low, high = setting["range"]
            number = re.fullmatch(r"\d+(\.\d+)?", value)
            return "" if number and low <= float(value) <= high else f"CONFIG.{name} is {value!r}"
        known = setting.get("choices") or facts.values("setting", core, name)
        if value in known:
            return ""
        return f"CONFIG.{name} is {value!r}, not one of {', '.join(known)}"


def _holds(condition: str, cell: Cell) -> bool:
    """Whether a condition of an export ($SETTING, numbers, ==, !=, <, >, && and ||) holds."""
    return bool(_of(_parsed(condition), cell))


@cache
def _parsed(condition: str) -> ast.expr:
    text = condition.replace("&&", " and ").replace("||", " or ").replace("$", "")
    return ast.parse(text, mode="eval").body


def _of(node: ast.expr, cell: Cell) -> int | str | bool:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | str):
        return node.value
    if isinstance(node, ast.Name):
        value = cell.value(node.id)
        return int(value) if value.isdigit() else value
    if isinstance(node, ast.BoolOp):
        parts = (bool(_of(each, cell)) for each in node.values)
        return all(parts) if isinstance(node.op, ast.And) else any(parts)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        same = _of(node.left, cell) == _of(node.comparators[0], cell)
        if isinstance(node.ops[0], ast.Eq | ast.NotEq):
            return same == isinstance(node.ops[0], ast.Eq)
    raise ValueError(f"not read: {ast.unparse(node)}")


@cache
def kinds() -> dict[str, Kind]:
    """Every core of the file by its VLNV without version."""
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {cell["vlnv"]: _kind(cell) for cell in table["cell"]}


def _kind(cell: Facts) -> Kind:
    core = cell["vlnv"]
    known = facts.core(core)
    low = cell.get("low", {})
    roles = dict(_each(dict(cell).get("interfaces", {})))
    return Kind(
        core,
        known["settings"],
        known["models"] | cell.get("models", {}),
        {name: _pin(pin) | ({"low": low[name]} if name in low else {})
         for name, pin in known["pins"].items()},
        {
            name: _addressed(_bus(name, core) | roles.get(name, {}), core, name)
            for name in known["interfaces"]
        },
        cell,
    )  # fmt: skip


def _pin(shown: Mapping[str, Any]) -> Pin:
    pin: Pin = {"is": "data" if shown["is"] == "interrupt" else shown["is"], "out": shown["out"],
                "width": shown["width"], "low": shown.get("low", False)}  # fmt: skip
    if shown.get("of"):
        pin["of"] = shown["of"]
    if "if" in shown:
        pin["if"] = shown["if"]
    if shown.get("any_clock"):
        pin["any_clock"] = True
    # What a core drives itself where nothing else does. A clock that stands still is no clock.
    if shown.get("driven") and (pin["is"] == "data" or pin.get("any_clock")):
        pin["optional"] = True
    return pin


def _bus(name: str, core: str) -> Bus:
    """An interface; of one that no export has on, protocol and bits are those of its likes. Of a
    stream no export says how wide it is, and of a segment none how large it may be."""
    known = facts.core(core)
    every = known["interfaces"]
    shown = every[name]
    like = (each for other, each in every.items() if _like(other) == _like(name))
    on = next((each for each in (shown, *like) if each.keys() >= _SAID), {})
    bus: Bus = {"master": shown["master"], "of": shown.get("of", "")}
    if "if" in shown:
        bus["if"] = shown["if"]
    if on:
        bus["protocol"] = on["protocol"]
        bus["width"], bus["id"], bus["address"] = (int(on[k]) for k in ("width", "id", "address"))
    elif shown.get("protocol") == "AXIS":
        bus |= {"protocol": "AXIS", "width": "any"}
    if ps_facts.of_core(core) is None:
        if "space" in shown:
            bus["space"] = shown["space"]
        if "map" in shown:
            own = f"{shown['map']}/"
            segments = {n: [at, 0] for n, at in known["segments"].items() if n.startswith(own)}
            bus["segments"] = segments
    return bus


def _like(name: str) -> str:
    return re.sub(r"\d", "#", name)


def _addressed(bus: Bus, core: str, name: str) -> Bus:
    """An interface of a processor system with the addresses that its chip's folder has for it."""
    system = ps_facts.of_core(core)
    if system is None:
        return bus
    if "memory" in bus:
        parts = (chip_files.read(system.chip, "project") or {})["memory"]
        called = {"n": bus["n"], "m": bus["m"], "name": system.ports[name]["name"]}
        bus["segments"] = {
            _filled(part["segment"], called): [
                part["base"],
                part["MiB"] << 20,
                *([part["setting"]] if "setting" in part else []),
            ]
            for part in parts
        }
    elif name in system.masters:
        bus["windows"] = system.masters[name]["addresses"]
    return bus


def _each(entries: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, entry in entries.items():
        for place, number in enumerate(entry.get("numbers", [0])):
            names = {"n": number, "m": entry.get("also", [number] * (place + 1))[place]}
            one = {key: _filled(value, names) for key, value in entry.items()}
            yield _filled(name, names), one | names


def _filled(value: Any, names: Mapping[str, int | str]) -> Any:
    if isinstance(value, str):
        for name, what in names.items():
            value = value.replace(f"{{{name}}}", str(what))
        return value
    if isinstance(value, Mapping):
        return {_filled(key, names): _filled(each, names) for key, each in value.items()}
    return value
