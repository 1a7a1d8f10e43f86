"""Parsers for keys of masters that work in jobs: whole bursts, and counts."""

from __future__ import annotations

from collections.abc import Callable

from axiometer.base.errors import BadValueError
from axiometer.experiment.sizes import size_of
from axiometer.experiment.values import Master
from axiometer.platform import Platform, limits

MOST_JOB_BYTES = 2**20
MOST_AT_ONCE = int(limits.of_model("streams[].job_ahead").bounds[1])
"""Jobs that a master can hold."""


def whole_bursts(name: str) -> Callable[[object, Platform, Master], int]:
    """A parser for bytes in whole bursts; a ring's packet below a burst becomes the burst."""

    def parse(raw: object, platform: Platform, own: Master) -> int:
        size, burst = size_of(name, raw), own["burst_bytes"]
        if own["kind"] == "ring" and size < burst:
            burst = own["burst_bytes"] = size
        if size % burst or size > MOST_JOB_BYTES:
            raise BadValueError(
                f"{name} is {limits.shown(raw)}",
                f"give whole bursts of {burst} bytes, at most {MOST_JOB_BYTES}",
            )
        return size

    return parse


def whole(name: str, least: int, most: int, unit: str) -> Callable[[object, Platform, Master], int]:
    def parse(raw: object, platform: Platform, own: Master) -> int:
        if not isinstance(raw, int) or isinstance(raw, bool) or not least <= raw <= most:
            raise BadValueError(f"{name} is {limits.shown(raw)}", f"give {least} to {most} {unit}")
        return raw

    return parse
