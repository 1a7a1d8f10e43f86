"""What cells of the catalogue have, and what one has as it is set: `cells.toml`, laid open."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from axiometer.base import chip_files
from axiometer.designs import ps_facts

_FILE = Path(__file__).with_name("cells.toml")


class Setting(TypedDict, total=False):
    """What a setting of a core is, and what it may be: one of `values`, or a pattern."""

    default: str
    values: list[str]
    pattern: str


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
        "above": str,
        "n": int,
        "m": int,
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
"""A pin, and an interface, as `cells.toml` has them."""


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


@dataclass(frozen=True)
class Kind:
    """A core: its settings, pins and interfaces, each as `cells.toml` has it."""

    vlnv: str
    settings: Mapping[str, Setting]
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
        """A setting as it is, or its default."""
        return self.values.get(name, self.kind.settings[name]["default"])

    def resolved(self, value: object) -> object:
        """A fact that may be a setting's value."""
        if isinstance(value, str) and value in self.kind.settings:
            return self.value(value)
        return value

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
            return int(self.value(entry["above"])) > entry["n"]
        return "if" not in entry or self.value(entry["if"]) == "1"

    def refused(self, name: str, value: str) -> str:
        """Why a setting cannot be `value`; "" if it can."""
        setting = self.kind.settings.get(name)
        if setting is None:
            return f"{self.kind.vlnv} has no property CONFIG.{name}"
        if "values" in setting and value not in setting["values"]:
            return f"CONFIG.{name} is {value!r}, not one of {', '.join(setting['values'])}"
        if "pattern" in setting and not re.fullmatch(setting["pattern"], value):
            return f"CONFIG.{name} is {value!r}"
        return ""


@cache
def kinds() -> dict[str, Kind]:
    """Every core of the file by its VLNV without version."""
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        cell["vlnv"]: Kind(
            cell["vlnv"],
            dict(_each(cell.get("settings", {}))),
            dict(_each(cell["pins"])),
            {
                name: _addressed(bus, cell["vlnv"], name)
                for name, bus in _each(cell.get("interfaces", {}))
            },
            cell,
        )
        for cell in table["cell"]
    }


def _addressed(bus: Bus, core: str, name: str) -> Bus:
    """An interface of a processor system with the addresses that its chip's folder has for it."""
    system = ps_facts.of_core(core)
    if system is None:
        return bus
    if "memory" in bus:
        parts = (chip_files.read(system.chip, "project") or {})["memory"]
        bus["segments"] = {
            _filled(part["segment"], {key: bus[key] for key in ("n", "m")}): [
                part["base"],
                part["MiB"] << 20,
                *([part["setting"]] if "setting" in part else []),
            ]
            for part in parts
        }
    elif "master" in bus:
        bus["windows"] = system.masters[name]["addresses"]
    return bus


def _each(entries: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, entry in entries.items():
        for place, number in enumerate(entry.get("numbers", [0])):
            names = {"n": number, "m": entry.get("also", [number] * (place + 1))[place]}
            one = {key: _filled(value, names) for key, value in entry.items()}
            yield _filled(name, names), one | names


def _filled(value: Any, names: Mapping[str, int]) -> Any:
    if isinstance(value, str):
        return value.replace("{n}", str(names["n"])).replace("{m}", str(names["m"]))
    if isinstance(value, Mapping):
        return {_filled(key, names): _filled(each, names) for key, each in value.items()}
    return value
