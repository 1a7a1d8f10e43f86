"""What tools need of a board and the model does not: the table `[tool]`, its file's last table.

`part` and `presets` are Vivado's, for projects: VENDOR:BOARD:part0, tried in this order, in the
newest installed version. `names`: of the board in exports, besides those of `presets`; `parts`:
patterns of part numbers that are unique to this board in exports.
`crystal_hz`: the processor system's reference clock, and `uart`: the number of the UART at the
board's USB bridge, for programs without an operating system. Each has its source in public
documents and projects; no board file of a tool was read. Not for: figures of a board
(`axiometer.platform`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from axiometer.base import data

_TABLE = "\n[tool]\n"


@dataclass(frozen=True)
class Tool:
    """part: "" if unknown; also: further names of the board in exports. crystal_hz, uart: None if
    unknown."""

    part: str
    presets: tuple[str, ...]
    parts: tuple[str, ...]
    also: tuple[str, ...]
    crystal_hz: int | None
    uart: int | None

    def is_called(self, name: str) -> bool:
        """Whether an export's `name` is that of the board; - and _ are alike."""
        known = (*(preset.split(":")[1] for preset in self.presets), *self.also)
        return name.lower().replace("_", "-") in (of.lower().replace("_", "-") for of in known)

    def has_part(self, part: str) -> bool:
        """Whether a part number of an export is on this board alone."""
        return any(fnmatchcase(part.upper(), pattern) for pattern in self.parts)


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
                tuple(its.get("names", ())),
                its.get("crystal_hz"),
                its.get("uart"),
            )
    return found
