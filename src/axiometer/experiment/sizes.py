"""Sizes, widths and bursts: common to keys of a point and keys of its masters."""

from __future__ import annotations

from collections.abc import Sequence

from axiometer.base.errors import BadValueError
from axiometer.base.units import parse_bytes
from axiometer.platform import Platform, limits

MAX_BURST_BEATS = 16  # AXI3; burst_beats_max of a port overrides it
MOST_BYTES = limits.most_of_key("transfer_bytes")


def size_of(name: str, raw: object) -> int:
    """The bytes that a value of the key `name` means; BadValueError if it is not a size."""
    try:
        size = parse_bytes(raw)
    except ValueError as error:
        raise BadValueError(f"{name} is {limits.shown(raw)}", str(error)) from None
    if size < 1:
        raise BadValueError(f"{name} is {limits.shown(raw)}", "give at least 1 byte")
    if size > MOST_BYTES:
        raise BadValueError(f"{name} is {limits.shown(raw)}", f"give at most {MOST_BYTES} bytes")
    return size


def widest(platform: Platform, ports: list[str]) -> int:
    """The largest width in bits that all of `ports` support."""
    widths = (set(platform.wholes(f"port.{port}.widths")) for port in ports)
    return max(set.intersection(*widths), default=0)


def burst_limit(platform: Platform, ports: Sequence[str]) -> int:
    """Beats of the longest burst that all of `ports` accept."""
    return min(platform.whole(f"port.{p}.burst_beats_max", MAX_BURST_BEATS) for p in ports)


def usual_burst(platform: Platform, ports: list[str]) -> int:
    """The default beats of a burst at `ports`."""
    return min(MAX_BURST_BEATS, burst_limit(platform, ports))
