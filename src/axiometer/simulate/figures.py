"""Figures of a platform that pass to the model under their own names.

The model lists the keys of its tables (`_model.describe`). A figure of a platform's table with the
name of a key passes to the model unchanged, so a new figure needs a line in the platform and a line
in the model, and nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

from axiometer import _model
from axiometer.platform import Platform
from axiometer.simulate.table import Document, Table

DIRECTIONS = ("read", "write")
T = TypeVar("T", bound=Table)


def both(key: str, values: Callable[[str], object]) -> Document:
    """`key` for each direction, `values` a function of the direction."""
    return {f"{key}_{direction}": values(direction) for direction in DIRECTIONS}


def passed(platform: Platform, path: str, table: type[T], own: Mapping[str, object]) -> T:
    """A table of the model: the computed values `own`, and all figures of the platform's table
    `path` ("path.hp01") that are keys of the model.

    AxiometerError if a figure is missing that the model needs.
    """
    found = dict(own)
    for key, pair, required in _keys(table.TABLE, platform.word("controller.policy")):
        name = f"{path}.{key}"
        if not pair:
            if key not in own and (required or platform.has(name)):
                found[key] = platform.value(name)
        elif key in own or f"{key}_read" in own:
            continue
        elif platform.has(name):  # one figure for both directions
            found[key] = platform.value(name)
        elif required or platform.has(f"{name}_read"):
            found |= {f"{key}_{way}": platform.value(f"{name}_{way}") for way in DIRECTIONS}
    return table.of(found)


@lru_cache
def _keys(table: str, policy: str) -> tuple[tuple[str, bool, bool], ...]:
    """Key, whether it exists for each direction, and whether the model needs it."""
    return tuple(
        (row["key"], row["pair"], row["required"])
        for row in _model.describe()
        if row["table"] == table and row["only"] in ("", policy)
    )
