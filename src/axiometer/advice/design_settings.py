"""Changes in a design's software: places of buffers, and registers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from axiometer.advice.design_changes import Change, made
from axiometer.answer.trials import knobs
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
    for knob in knobs.changes(start.platform):
        ((path, value),) = knob.keys.items()
        parts = path.split(".")
        if parts[0] != "qos" or parts[1] in used:
            yield from made(start, path, knob.words, knob.how, partial(_set, path, value))


def _set(path: str, value: object, at: Change) -> Change:
    return replace(at, platform=at.platform.with_overrides({path: value}))
