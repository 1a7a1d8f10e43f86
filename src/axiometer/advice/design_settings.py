"""Changes in a design's software: places of buffers, and registers (`knobs.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache, partial
from pathlib import Path
from typing import NotRequired, TypedDict

from axiometer.advice.design_changes import Change, made
from axiometer.designs.plan import planned

APART_ROWS = 3


def settings_changes(start: Change) -> Iterator[Change]:
    """All sensible changes of buffers and registers."""
    yield from _apart(start)
    yield from _knobs(start)


def _apart(start: Change) -> Iterator[Change]:
    """Buffers a few rows apart, so that streams in step use different banks."""
    if len(planned(start.design).loads) < 2:
        return
    size = APART_ROWS * start.platform.whole("dram.row_bytes")
    yield from made(
        start,
        "apart",
        f"start each buffer {size >> 10} KiB beyond a multiple of its size",
        "in software: the addresses of the buffers",
        lambda at: replace(at, apart_rows=APART_ROWS),
    )


def _knobs(start: Change) -> Iterator[Change]:
    """Registers of the controller and the ports."""
    used = {load.port for load in planned(start.design).loads}
    for knob in _table():
        for path, leaf in start.platform.leaves():
            parts = path.split(".")
            beside = parts[0] == "qos" and parts[1] not in used
            if beside or not fnmatchcase(path, knob["figure"]):
                continue
            now = leaf.value if isinstance(leaf.value, int | float) else 0
            values = knob.get("values") or [max(1, round(now * f)) for f in knob["factors"]]
            for value in dict.fromkeys(values):
                if value != leaf.value:
                    yield from made(
                        start,
                        path,
                        f"set {path} to {value}, not {leaf.value}",
                        # The source of a figure from registers names them.
                        knob.get("how") or f"now {leaf.words}",
                        partial(_set, path, value),
                    )


def _set(path: str, value: object, at: Change) -> Change:
    return replace(at, platform=at.platform.with_overrides({path: value}))


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
