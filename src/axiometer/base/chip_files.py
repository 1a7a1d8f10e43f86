"""Reads the folder of a chip, `chips/<chip>/`, which has a file for each ability of the chip.

`[[like]]` in a chip's structure.toml may list `files` that the chip shares with another chip. Its
own file of that name then has only the differences: tables are merged key by key, other values
replace those of the other chip. "registers" also means the folder of that name.
Not for: structure.toml itself, which `axiometer.platform` merges figure by figure.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.base import data

Table = dict[str, Any]


def having(file: str) -> list[str]:
    """The names of the chips that have `file` ("doctor"), their own or a shared one, sorted."""
    return [chip for chip in data.names("chips") if read(chip, file) is not None]


@cache
def read(chip: str, file: str) -> Table | None:
    """`file` of the chip ("doctor", "registers/slcr"), merged over the shared file; None if there
    is none. Do not change the result."""
    path = data.directory("chips") / chip / f"{file}.toml"
    own = _toml(path) if path.is_file() else None
    other = _taken_from(chip, file)
    taken = read(other, file) if other else None
    return own if taken is None else _over(taken, own or {})


def first(chip: str, file: str) -> str:
    """The chip from which this chip's `file` originates, apart from differences."""
    other = _taken_from(chip, file)
    return first(other, file) if other else chip


def takes(chip: str, file: str) -> bool:
    """Whether the chip shares `file` of another chip. Where such chips cannot be distinguished, use
    the one that does not."""
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
    """`over` merged over `under`."""
    laid = dict(under)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(laid.get(key), dict)
        laid[key] = _over(laid[key], value) if both else value
    return laid
