"""What vendors' tools call a board: the table `[tool]` of its file, the last one there.

`part` and `presets` are Vivado's, which projects are written for: VENDOR:BOARD:part0, tried in this
order, of which the newest version that is installed is taken. `parts`: part numbers that exports
have of this board alone. Each with its source: public documents and projects; no board file of a
tool was read. Not for: figures of a board (`axiometer.platform`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from axiometer.base import data

_TABLE = "\n[tool]\n"


@dataclass(frozen=True)
class Tool:
    """part: "" where none is known; names: of the board in exports, those of its presets."""

    part: str
    presets: tuple[str, ...]
    parts: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(preset.split(":")[1] for preset in self.presets)


@cache
def tools() -> Mapping[str, Tool]:
    """By the names of the shipped boards that have one."""
    found = {}
    for name in data.names("boards"):
        _, head, table = data.path_of("boards", name).read_text(encoding="utf-8").partition(_TABLE)
        if head:
            its = {key: of["value"] for key, of in tomllib.loads(table).items()}
            found[name] = Tool(
                its.get("part", ""), tuple(its.get("presets", ())), tuple(its.get("parts", ()))
            )
    return found
