"""Engines of vendors' catalogues by name, from `vendor_engines.toml`.

An engine has a port of the fabric's masters to itself or shares one, and makes streams of bursts
there (`simulate/vendor.py`). The name `axi_dma` is older than the table: at the ports of a
described processor's side, such a master with words of 32 bits is that of published rows, unless
further keys are given (`engine_of`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TypedDict, cast

from axiometer.base.errors import BadValueError, did_you_mean
from axiometer.experiment import port_kinds
from axiometer.platform import Platform, limits

FILE = Path(__file__).with_name("vendor_engines.toml")
_FRAME = re.compile(r"(?:(\d+)x(\d+)@|(\d+p))(\d+(?:\.\d+)?)")
MAX_BURST_BEATS = 16  # AXI3, as `keys.MAX_BURST_BEATS`
MOST_SIDE = 16384
"""Pixels of a line, or lines of a frame."""
MOST_HZ = 1000


Figure = bool | float | list[int] | None


class Entry(TypedDict, total=False):
    """A figure of an engine, and its source."""

    value: Figure
    source: str
    guess: str


@cache
def table() -> Mapping[str, Mapping[str, object]]:
    """The file: engines by kind, and `frames`."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


KINDS = tuple(name for name in table() if name != "frames")
FRAMES = cast("Mapping[str, tuple[int, int]]", table()["frames"])
"""Columns and rows of named frames."""
PORTS = ("hp", "coherent", "gp-slave", "acp")
"""Kinds of ports into which masters of the fabric write."""
PUBLISHED_AT = ("gp-slave", "acp", "hp")
"""Kinds of ports at which published rows have an `axi_dma` of 32 bits."""


def figure(kind: str, name: str, scatter_gather: bool = False, usual: Figure = None) -> Figure:
    """The value of a figure of an engine, with descriptors or without; `usual` if the table has
    none. In clocks, bits, beats or bursts, as the file says."""
    return _entry(kind, name, scatter_gather).get("value", usual)


def number(kind: str, name: str, scatter_gather: bool = False, usual: Figure = None) -> int:
    """The value of a figure that is a whole number."""
    return cast("int", figure(kind, name, scatter_gather, usual))


def why(kind: str, name: str, scatter_gather: bool = False) -> str:
    """The source of an engine's figure, in words; "" if it has none."""
    entry = _entry(kind, name, scatter_gather)
    return str(entry.get("source", entry.get("guess", "")))


def _entry(kind: str, name: str, scatter_gather: bool) -> Entry:
    engine = cast("Mapping[str, Entry]", table()[kind])
    own = engine.get("scatter_gather", {}) if scatter_gather else {}
    return cast("Mapping[str, Entry]", own).get(name, engine.get(name, Entry()))


def directions(kind: str) -> list[str]:
    """The directions in which an engine moves data, the default first."""
    return list(cast("list[str]", table()[kind]["directions"]))


def ports(platform: Platform) -> list[str]:
    """The ports at which engines can be."""
    return [
        port
        for port in platform.ports
        if port_kinds.kind(platform, port) in PORTS and platform.has(f"{platform.way(port)}.path")
    ]


def check_burst(kind: str, name: str, raw: object, beats: object) -> None:
    """BadValueError if an engine does not support bursts of `beats` beats; `raw` is the value as
    written."""
    most = number(kind, "most_beats")
    good = isinstance(beats, int) and not isinstance(beats, bool) and 1 <= beats <= most
    if not good or not isinstance(beats, int) or beats & (beats - 1):
        raise BadValueError(
            f"{name} is {limits.shown(raw)}",
            f"give bursts of a power of two of beats, up to {most}: {kind} supports no others",
        )


def at_port(platform: Platform, port: str, size: int, width_bits: int) -> int:
    """Bytes of a burst at a port, for an engine's burst of `size` bytes: the whole, or the longest
    that the port accepts, of which the interconnect makes several."""
    beats = platform.whole(f"port.{port}.burst_beats_max", MAX_BURST_BEATS)
    most = min(size, beats * width_bits // 8)
    taken = platform.wholes(f"port.{port}.burst_bytes", None) or [most]
    return max(bytes_ for bytes_ in taken if bytes_ <= most)


def width(kind: str, raw: object, platform: Platform, port: str) -> int:
    """The data width at the port of an engine of `raw` bits; the interconnect narrows one wider
    than the port. BadValueError if the engine or the port does not support the width."""
    own = cast("list[int]", figure(kind, "widths"))
    at = platform.wholes(f"port.{port}.widths")
    if isinstance(raw, bool) or not isinstance(raw, int | float) or raw not in own:
        raise BadValueError(
            f"{kind} cannot be {limits.shown(raw)} bits wide",
            f"widths of {kind}: {', '.join(map(str, own))}",
        )
    if raw < max(at) and raw not in at:
        raise BadValueError(
            f"port {port} cannot be {raw} bits wide", f"widths of {port}: {', '.join(map(str, at))}"
        )
    return min(int(raw), max(at))


def frame(raw: object) -> tuple[int, int, Fraction]:
    """Pixels of a line, lines, and frames a second in "1080p60" or "1920x1080@60". BadValueError
    for any other text."""
    match = _FRAME.fullmatch(raw.strip()) if isinstance(raw, str) else None
    if match is None or (match[3] and match[3] not in FRAMES):
        known = [f"{name}60" for name in FRAMES]
        raise BadValueError(
            f"frame is {limits.shown(raw)}",
            f"{did_you_mean(limits.shown(raw), known, 'known frames')}; or give WIDTHxHEIGHT@RATE: "
            "1920x1080@60",
        )
    columns, rows = FRAMES[match[3]] if match[3] else (int(match[1]), int(match[2]))
    rate = Fraction(match[4])
    if not (1 <= columns <= MOST_SIDE and 1 <= rows <= MOST_SIDE and 0 < rate <= MOST_HZ):
        raise BadValueError(
            f"frame is {limits.shown(raw)}",
            f"give at most {MOST_SIDE} pixels and lines, and {MOST_HZ} frames a second",
        )
    return columns, rows, rate


def demand_mbs(raw: object, pixel_bytes: int) -> Fraction:
    """MB/s of the visible pixels of such frames, in each direction."""
    columns, rows, rate = frame(raw)
    return columns * rows * pixel_bytes * rate / 10**6


def published(platform: Platform, port: str) -> bool:
    """Whether a platform describes the `axi_dma` of 32 bits of published rows at a port."""
    of = port_kinds.kind(platform, port)
    return of in PUBLISHED_AT and platform.has(f"processor.port.{of}.clock")
