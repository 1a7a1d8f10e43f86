"""Numbers with units, as people write them: sizes, times, clocks and rates.

Sizes: K, M and G are powers of 1024 as in dd, like KiB, MiB and GiB; kB, MB and GB are powers of
1000. Clocks and rates: K, M and G are powers of 1000. A number without a unit is in the unit of its
key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

_BYTES = {
    "B": Fraction(1),
    **dict.fromkeys(("K", "KiB"), Fraction(2**10)),
    **dict.fromkeys(("M", "MiB"), Fraction(2**20)),
    **dict.fromkeys(("G", "GiB"), Fraction(2**30)),
    **dict.fromkeys(("kB", "KB"), Fraction(10**3)),
    "MB": Fraction(10**6),
    "GB": Fraction(10**9),
}
_SECONDS = {
    "s": Fraction(1),
    "ms": Fraction(1, 10**3),
    **dict.fromkeys(("us", "µs"), Fraction(1, 10**6)),
    "ns": Fraction(1, 10**9),
}
_HERTZ = {
    "Hz": Fraction(1),
    **dict.fromkeys(("k", "kHz"), Fraction(10**3)),
    **dict.fromkeys(("M", "MHz"), Fraction(10**6)),
    **dict.fromkeys(("G", "GHz"), Fraction(10**9)),
}
_BYTES_A_SECOND = {
    "B/s": Fraction(1),
    **dict.fromkeys(("K", "kB/s", "KB/s"), Fraction(10**3)),
    **dict.fromkeys(("M", "MB/s"), Fraction(10**6)),
    **dict.fromkeys(("G", "GB/s"), Fraction(10**9)),
    "MiB/s": Fraction(2**20),
    "GiB/s": Fraction(2**30),
    "Mbit/s": Fraction(10**6, 8),
    "Gbit/s": Fraction(10**9, 8),
}
_KINDS: tuple[tuple[Mapping[str, Fraction], str], ...] = (
    (_BYTES, "B, K, M or G (1K is 1024), kB, MB or GB (1kB is 1000)"),
    (_SECONDS, "ns, us, ms or s"),
    (_HERTZ, "Hz, kHz, MHz or GHz"),
    (_BYTES_A_SECOND, "kB/s, MB/s, GB/s, MiB/s, GiB/s, Mbit/s or Gbit/s"),
)
"""The units of a kind, and how a message lists them."""
_ALIASES = {"bytes": "B"}
# More digits than these say nothing of a size or a time, and Python takes long for very many.
_NUMBER = r"[0-9]{1,24}(?:\.[0-9]{1,24})?(?:[eE][+-]?[0-9]{1,2})?"
_NUMBER_WITH_UNIT = re.compile(rf"\s*({_NUMBER})\s*([A-Za-zµ]*(?:/s)?)\s*")
_WHOLE = re.compile(r"[0-9]{1,18}")
_NO_SIZE = "a size is a number of bytes or text such as '32MiB'"


def whole(text: str) -> int | None:
    """The whole number in `text`, which has only digits from 0 to 9; None for other texts."""
    return int(text) if _WHOLE.fullmatch(text) else None


def quantity(text: str, unit: str) -> Fraction | None:
    """The number of `unit` in `text`: 150 for "150MHz", "0.15 GHz" or "150" in MHz. None if `text`
    is no number with a unit. ValueError names the right units if its unit is of another kind.

    The case of letters counts in rates only: Mb/s would be bits.
    """
    match = _NUMBER_WITH_UNIT.fullmatch(text)
    if match is None:
        return None
    number, given = Fraction(match[1]), match[2]
    if given in ("", unit):
        return number
    known, _ = _like(unit)
    scale = known.get(given)
    if scale is None and "/" not in given:
        scale = {name.casefold(): size for name, size in known.items()}.get(given.casefold())
    if scale is None:
        raise ValueError(_right(unit))
    return number * scale / known[_ALIASES.get(unit, unit)]


def needed(text: str, unit: str) -> Fraction:
    """As `quantity`, with a ValueError in the place of None."""
    found = quantity(text, unit)
    if found is None:
        raise ValueError(_right(unit))
    return found


def plain(number: Fraction) -> int | float:
    """`number` as an int where it is whole."""
    return int(number) if number.denominator == 1 else float(number)


def parse_bytes(value: object) -> int:
    """Bytes from an int or from text such as "32MiB", "4 K", "512". ValueError if neither."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    size = quantity(value, "bytes") if isinstance(value, str) else None
    if size is None:
        raise ValueError(_NO_SIZE)
    if size.denominator != 1:
        raise ValueError("a size must be a whole number of bytes")
    return int(size)


def parse_seconds(value: object) -> float:
    """Seconds from text such as "5s", "10ms", "2.5 us". ValueError without a known unit."""
    match = _NUMBER_WITH_UNIT.fullmatch(value) if isinstance(value, str) else None
    if match is None or match.group(2) not in _SECONDS:
        raise ValueError("a duration is text with a unit: '5s', '10ms', '20us'")
    return float(Fraction(match.group(1)) * _SECONDS[match.group(2)])


def _right(unit: str) -> str:
    listed = _like(unit)[1]
    return f"give a number of {unit}" + (f", or a number with {listed}" if listed else "")


def _like(unit: str) -> tuple[Mapping[str, Fraction], str]:
    """The kind of `unit`, as in `_KINDS`; empty for other units, such as beats."""
    name = _ALIASES.get(unit, unit)
    return next((kind for kind in _KINDS if name in kind[0]), ({}, ""))


def format_bytes(size: int) -> str:
    """The shortest exact text: 33554432 -> "32MiB", 1000 -> "1000B"."""
    for unit in ("GiB", "MiB", "KiB"):
        if size and size % _BYTES[unit] == 0:
            return f"{int(size / _BYTES[unit])}{unit}"
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


def significant(value: float, digits: int) -> str:
    """`value` with so many significant digits, written out: 120, not 1.2e+02."""
    return format(Decimal(f"{value:.{digits}g}"), "f")


def short_rate(value: float) -> str:
    """A rate for a sentence, with its significant digits."""
    return f"{value:.0f}" if value >= 100 else significant(value, 3)
