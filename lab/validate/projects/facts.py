"""What public exports of Vivado show (`facts.json`, which `validate.projects.extract` makes): each
fact with the places where it was seen. The proof takes nothing that no export shows; what it asked
for is kept in `used`, of which lab/validate/projects/sources.md is made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("facts.json")
Key = tuple[str, ...]
used: set[Key] = set()
"""Facts that were asked for, and were there."""


@dataclass(frozen=True)
class Place:
    """A file of a public repository; `version` of Vivado, "" where it says none."""

    repository: str
    path: str
    commit: str
    version: str


@cache
def _table() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))


@cache
def _seen() -> dict[Key, tuple[int, tuple[Place, ...]]]:
    places = [Place(*row) for row in _table()["places"]]
    return {
        tuple(key): (count, tuple(places[number] for number in at))
        for *key, count, at in _table()["seen"]
    }


def seen(*key: str) -> bool:
    """Whether an export shows it: ("pin", core, name), ("command", name, option), ..."""
    if key not in _seen():
        return False
    used.add(key)
    return True


def places(*key: str) -> tuple[int, tuple[Place, ...]]:
    """How many repositories show a fact, and some of the places. KeyError if none does."""
    return _seen()[key]


def values(*key: str) -> list[str]:
    """What stands one level below a key: values of a setting, say."""
    return sorted({each[-1] for each in _seen() if each[:-1] == key})


@cache
def of_kind(kind: str) -> dict[Key, int]:
    """Every fact of a kind, and how many repositories show it."""
    return {key: count for key, (count, _) in _seen().items() if key[0] == kind}


def core(vlnv: str) -> Mapping[str, Any]:
    """What is known of a core: settings, pins, interfaces, segments, windows. KeyError if none."""
    found: Mapping[str, Any] = _table()["cores"][vlnv]
    return found


def extent() -> tuple[int, list[str]]:
    """How many repositories were read, and versions of Vivado."""
    return _table()["repositories"], _table()["versions"]
