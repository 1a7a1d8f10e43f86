"""What the folder of a chip holds: `chips/<chip>/`, a file an ability, absent where there is none.

A chip's structure.toml may say in `[[like]]` which `files` it takes from another chip's folder. Its
own file of that name then says only what differs: a table is laid over a table, key by key; any
other value takes the place of the other chip's. "registers" means the folder of that name too.
Not for: structure.toml itself, which `axiometer.platform` lays over others figure by figure.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.base import data

Table = dict[str, Any]


def having(file: str) -> list[str]:
    """The chips that have `file` ("doctor"), their own or another chip's, by name."""
    return [chip for chip in data.names("chips") if read(chip, file) is not None]


@cache
def read(chip: str, file: str) -> Table | None:
    """`file` of the chip ("doctor", "registers/slcr"), laid over what it takes from another; None
    if it has none. Nobody changes it."""
    path = data.directory("chips") / chip / f"{file}.toml"
    own = _toml(path) if path.is_file() else None
    other = _taken_from(chip, file)
    taken = read(other, file) if other else None
    return own if taken is None else _over(taken, own or {})


def first(chip: str, file: str) -> str:
    """The chip whose `file` this chip has, but for what differs."""
    other = _taken_from(chip, file)
    return first(other, file) if other else chip


def takes(chip: str, file: str) -> bool:
    """Whether the chip takes `file` from another. Where nothing tells such chips apart, the one
    that takes it from none is meant."""
    return _taken_from(chip, file) is not None


def _taken_from(chip: str, file: str) -> str | None:
    ability = file.partition("/")[0]
    likes = _structure(chip).get("like", [])
    return next((like["chip"] for like in likes if ability in like.get("files", ())), None)


@cache
def _structure(chip: str) -> Table:
    path = data.path_of("chips", chip)
    return _toml(path) if path.is_file() else {}


def _toml(path: Path) -> Table:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _over(under: Table, over: Table) -> Table:
    """`over` laid over `under`."""
    laid = dict(under)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(laid.get(key), dict)
        laid[key] = _over(laid[key], value) if both else value
    return laid
