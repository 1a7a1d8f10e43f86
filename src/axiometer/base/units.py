"""Sizes and durations as people write them. MB is 1e6 bytes, MiB is 2^20 bytes."""

from __future__ import annotations

import re
from fractions import Fraction

_BYTES = {
    "B": 1,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "kB": 10**3,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
}
_SECONDS = {
    "s": Fraction(1),
    "ms": Fraction(1, 10**3),
    "us": Fraction(1, 10**6),
    "µs": Fraction(1, 10**6),
    "ns": Fraction(1, 10**9),
}
# More digits than these say nothing of a size or a time, and Python takes long for very many.
_NUMBER_WITH_UNIT = re.compile(r"\s*([0-9]{1,24}(?:\.[0-9]{1,24})?)\s*([A-Za-zµ]*)\s*")
_WHOLE = re.compile(r"[0-9]{1,18}")


def whole(text: str) -> int | None:
    """The whole number that `text` is in digits from 0 to 9; None if it is something else."""
    return int(text) if _WHOLE.fullmatch(text) else None


def parse_bytes(value: object) -> int:
    """Bytes from an int or from text such as "32MiB", "4 KiB", "512". ValueError if neither."""
    if isinstance(value, bool):
        raise ValueError("a size is a number of bytes or text such as '32MiB'")
    if isinstance(value, int):
        return value
    match = _NUMBER_WITH_UNIT.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError("a size is a number of bytes or text such as '32MiB'")
    number, unit = match.groups()
    if unit and unit not in _BYTES:
        raise ValueError(f"unknown unit of size {unit!r}; units are {', '.join(_BYTES)}")
    size = Fraction(number) * _BYTES[unit or "B"]
    if size.denominator != 1:
        raise ValueError("a size must be a whole number of bytes")
    return int(size)


def parse_seconds(value: object) -> float:
    """Seconds from text such as "5s", "10ms", "2.5 us". ValueError without a known unit."""
    match = _NUMBER_WITH_UNIT.fullmatch(value) if isinstance(value, str) else None
    if match is None or match.group(2) not in _SECONDS:
        raise ValueError("a duration is text with a unit: '5s', '10ms', '20us'")
    return float(Fraction(match.group(1)) * _SECONDS[match.group(2)])


def format_bytes(size: int) -> str:
    """The shortest exact text: 33554432 -> "32MiB", 1000 -> "1000B"."""
    for unit in ("GiB", "MiB", "KiB"):
        if size and size % _BYTES[unit] == 0:
            return f"{size // _BYTES[unit]}{unit}"
    return f"{size}B"


def format_seconds(seconds: float) -> str:
    """Time for people: "0.4 s", "12 s", "3 min 05 s", "2 h 10 min"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def short_rate(value: float) -> str:
    """A rate in a sentence, with as many digits as mean something there."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
