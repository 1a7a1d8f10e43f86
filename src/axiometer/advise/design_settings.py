"""Changes of a design that its software makes: where buffers are, and registers (`knobs.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.advise.design_changes import Change, made
from axiometer.designs.plan import planned

APART_ROWS = 3


def settings_changes(start: Change) -> Iterator[Change]:
    """Every change of buffers and registers that there is a reason to try."""
    yield from _apart(start)
    yield from _knobs(start)


def _apart(start: Change) -> Iterator[Change]:
    """The buffers by a few rows apart, so that streams in step are in different banks."""
    if len(planned(start.design).loads) < 2:
        return
    size = APART_ROWS * start.platform.whole("dram.row_bytes")
    yield from made(
        start,
        "apart",
        f"begin each buffer {size >> 10} KiB further than a multiple of its size",
        "in software: where the buffers are",
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
            values = knob.get("values") or [_scaled(leaf.value, f) for f in knob["factors"]]
            for value in dict.fromkeys(values):
                if value != leaf.value:
                    yield from made(
                        start,
                        path,
                        f"set {path} to {value}, not {leaf.value}",
                        # Where a figure is from registers, its source names them.
                        knob.get("how") or f"now {leaf.words}",
                        lambda at, p=path, v=value: replace(
                            at, platform=at.platform.with_overrides({p: v})
                        ),
                    )


def _scaled(value: Any, factor: float) -> Any:
    return max(1, round(value * factor))


@cache
def _table() -> list[dict[str, Any]]:
    path = Path(__file__).with_name("knobs.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))["knob"]
