"""What tools need of a board and the model does not: the table `[tool]`, its file's last table.

`part` and `presets` are Vivado's, for projects: VENDOR:BOARD:part0, tried in this order, in the
newest installed version. `parts`: part numbers that are unique to this board in exports.
`crystal_hz`: the processor system's reference clock, and `uart`: the number of the UART at the
board's USB bridge, for programs without an operating system. Each has its source in public
documents and projects; no board file of a tool was read. Not for: figures of a board
(`axiometer.platform`).
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
    """part: "" if unknown; names: of the board in exports, from its presets. crystal_hz, uart: None
    if unknown."""

    part: str
    presets: tuple[str, ...]
    parts: tuple[str, ...]
    crystal_hz: int | None
    uart: int | None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(preset.split(":")[1] for preset in self.presets)


@cache
def tools() -> Mapping[str, Tool]:
    """The tables of all shipped boards that have one, by the board's name."""
    found = {}
    for name in data.names("boards"):
        _, head, table = data.path_of("boards", name).read_text(encoding="utf-8").partition(_TABLE)
        if head:
            its = {key: of["value"] for key, of in tomllib.loads(table).items()}
            found[name] = Tool(
                its.get("part", ""),
                tuple(its.get("presets", ())),
                tuple(its.get("parts", ())),
                its.get("crystal_hz"),
                its.get("uart"),
            )
    return found
