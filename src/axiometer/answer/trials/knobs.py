"""Registers of the controller and the ports as changes (`knobs.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict

from axiometer.answer.trials.trial import Change
from axiometer.platform import Platform


def changes(platform: Platform, cause: str = "", among: str = "*") -> Iterator[Change]:
    """Other values of the figures whose paths match `among`; figures that were set stay."""
    for knob in _table():
        for path, leaf in platform.leaves():
            fits = fnmatchcase(path, knob["figure"]) and fnmatchcase(path, among)
            if not fits or path in platform.overrides:
                continue
            now = leaf.value if isinstance(leaf.value, int | float) else 0
            values = knob.get("values") or [max(1, round(now * f)) for f in knob["factors"]]
            for value in dict.fromkeys(values):
                if value != leaf.value:
                    # The source of a figure from registers names them.
                    how = knob.get("how") or f"now {leaf.words}"
                    words = f"set {path} to {value}, not {leaf.value}"
                    yield Change({path: value}, cause, words, how)


class Knob(TypedDict):
    """figure: pattern of paths of the platform; values to try, or factors of the present value;
    how: what sets it, if its source does not say."""

    figure: str
    values: NotRequired[list[object]]
    factors: NotRequired[list[float]]
    how: NotRequired[str]


@cache
def _table() -> list[Knob]:
    path = Path(__file__).with_name("knobs.toml")
    found: list[Knob] = tomllib.loads(path.read_text(encoding="utf-8"))["knob"]
    return found
