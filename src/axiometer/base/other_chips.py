"""Recognises unsupported chips by names of chips, parts or boards, or by an export.

The names are in `other_chips.toml`. Not for: supported chips (`chips/`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Literal, TypedDict

_LONGEST = 100  # characters of a name of a chip or a board


class _Chip(TypedDict, total=False):
    """A table of the file: a title and name patterns."""

    title: str
    names: list[str]
    parts: list[str]
    cores: list[str]


def named(name: str) -> str | None:
    """The title of the unsupported chip with `name` (of a chip, part or board); None if unknown."""
    return _first(name, "names")


def of_export(parts: Iterable[str], cores: Iterable[str]) -> str | None:
    """The title of the unsupported chip of an export with these parts or families, or these cores;
    None if unknown."""
    for part in parts:
        if found := _first(part, "parts") or _first(part, "names"):
            return found
    its = set(cores)
    return next((chip["title"] for chip in _table() if its & set(chip.get("cores", ()))), None)


def _first(name: str, key: Literal["names", "parts"]) -> str | None:
    bare = re.sub(r"[-_. ]", "", name[:_LONGEST]).lower()
    for chip in _table():
        if any(fnmatchcase(bare, pattern) for pattern in chip.get(key, ())):
            return chip["title"]
    return None


@cache
def _table() -> list[_Chip]:
    path = Path(__file__).with_suffix(".toml")
    chips: list[_Chip] = tomllib.loads(path.read_text(encoding="utf-8"))["chip"]
    return chips
