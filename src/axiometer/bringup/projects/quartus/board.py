"""Part, clock, pins and parameters of the HPS from the reference design of a board."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).with_name("boards")


@dataclass(frozen=True)
class Pin:
    """A pin of the design; `width` in bits; `standard`: "" where a script of the tool sets it."""

    name: str
    direction: str
    width: int
    standard: str


@dataclass(frozen=True)
class Clock:
    """The pin of the fabric's oscillator."""

    pin: str
    location: str
    standard: str


@dataclass(frozen=True)
class Board:
    """`hps`: the board's parameters of the HPS; `joined`: the system's ports with their pins."""

    device: str
    clock: Clock
    pins: tuple[Pin, ...]
    joined: tuple[tuple[str, str], ...]
    hps: Mapping[str, str]


@cache
def boards() -> Mapping[str, Board]:
    """The boards whose projects can be written, by name."""
    return {path.stem: _read(path) for path in sorted(_FOLDER.glob("*.toml"))}


def _read(path: Path) -> Board:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return Board(
        table["device"],
        Clock(**table["clock"]),
        tuple(Pin(*row) for row in table["pins"]),
        tuple((port, pin) for port, pin in table["joined"]),
        table["hps"],
    )
