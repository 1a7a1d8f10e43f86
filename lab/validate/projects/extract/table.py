"""The table of facts while it is made: each with the places where it was seen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FILE = Path(__file__).parents[1] / "facts.json"
PLACES = 3
"""Places that are named for each fact, one of a repository, newest versions first."""


@dataclass(frozen=True, order=True)
class Place:
    """Where a fact was seen; `version` of Vivado, "" where the file does not say it."""

    version: str
    repository: str
    path: str
    commit: str


Key = tuple[str, ...]


@dataclass
class Table:
    """Facts: by kind and key, where they were seen; `cores` has what is known of each core."""

    seen: dict[Key, set[Place]] = field(default_factory=dict)
    cores: dict[str, dict[str, object]] = field(default_factory=dict)

    def add(self, place: Place, *key: str) -> None:
        """A fact was seen."""
        self.seen.setdefault(key, set()).add(place)

    def text(self) -> str:
        """The table as it is kept: a fact a line."""
        named: dict[Key, list[Place]] = {key: _named(places) for key, places in self.seen.items()}
        places = sorted({place for each in named.values() for place in each})
        number = {place: at for at, place in enumerate(places)}
        every = {place for each in self.seen.values() for place in each}
        head = {
            "note": "made by python -m validate.projects.extract; facts of public exports",
            "repositories": len({place.repository for place in every}),
            "versions": sorted({place.version for place in every if place.version}),
        }
        lines = [f"{_json(key)}: {_json(value)}," for key, value in head.items()]
        lines.append('"places": [')
        lines += _rows([_json([p.repository, p.path, p.commit, p.version]) for p in places])
        lines += ["],", '"cores": {']
        lines += _rows([f"{_json(k)}: {_core(v)}" for k, v in sorted(self.cores.items())])
        lines += ["},", '"seen": [']
        lines += _rows([
            _json([*key, len({p.repository for p in every}), [number[p] for p in named[key]]])
            for key, every in sorted(self.seen.items())
        ])  # fmt: skip
        return "\n".join(["{", *lines, "]", "}", ""])


def _named(places: set[Place]) -> list[Place]:
    """Some of the places: of each version and repository one, the newest first."""
    found: dict[str, Place] = {}
    for place in sorted(places, key=lambda p: (p.version, p.repository, p.path), reverse=True):
        found.setdefault(place.repository, place)
    return list(found.values())[:PLACES]


def _rows(rows: list[str]) -> list[str]:
    return [f"{row}," for row in rows[:-1]] + rows[-1:]


def _core(facts: Mapping[str, object]) -> str:
    parts = []
    for key, value in sorted(facts.items()):
        if isinstance(value, Mapping) and value:
            inner = ",\n".join(f"  {_json(k)}: {_json(v)}" for k, v in sorted(value.items()))
            parts.append(f" {_json(key)}: {{\n{inner}}}")
        else:
            parts.append(f" {_json(key)}: {_json(value)}")
    return "{\n" + ",\n".join(parts) + "}"


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
