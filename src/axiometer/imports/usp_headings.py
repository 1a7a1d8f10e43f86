"""Parses the headings of a speedtest workbook: quantity, statistic, port, repeat, unit.

The vocabulary is that of the measuring program, which prints `Write Speed ... MB/s`, `Read Speed`,
`Avg. Read Latency ... clock cycles` and `Max Read AXI inactivity`, and calls its counters runtime,
writeOps, readOps and latency. The meaning of a heading does not depend on its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Names of statistics over the repeats. "Avg." belongs to the name of the latency (a mean over
# bursts) and "Max" to that of the inactivity: see `statistic`.
_STATISTICS = (
    ("std", r"std|st\.? ?dev|deviation|sigma|σ"),
    ("min", r"min"),
    ("max", r"max"),
    ("mean", r"avg|average|mean"),
)
_SPEED = r"speed|throughput|bandwidth|rate\b|[kmg]i?b\s*/\s*s|[kmg]i?bps"
_FACTORS = {"gib": 2**30 / 1e6, "gb": 1e3, "mib": 2**20 / 1e6, "mb": 1.0, "kb": 1e-3}
_PORTS = re.compile(r"hp\s*([0-3](?:\s*[,+&/]?\s*[0-3])*)(?!\d)", re.IGNORECASE)
_RANGE = re.compile(r"hp\s*[0-3]\s*(?:-|–|\.\.|to)\s*(?:hp)?\s*[0-3]", re.IGNORECASE)
_REPEAT = re.compile(
    r"\b(?:run|repeat|repetition|iteration|trial|test|sample)\s*(?:no\.?|#)?\s*(\d+)\b"
)


@dataclass(frozen=True)
class Heading:
    """`quantity` is burst, ports, repeat, read, write, total, latency, inactivity, in_flight,
    read_ops, write_ops or runtime; `ports` are the named ports; `factor` converts to MB/s or bytes
    (None: the unit is missing)."""

    text: str
    quantity: str | None
    statistic: str | None
    ports: tuple[str, ...]
    repeat: int | None
    factor: float | None


def ports(text: str) -> tuple[str, ...]:
    """The HP ports that `text` names, in order: "HP0,1", "HP0+HP1", "HP01"; ValueError where it
    is ambiguous ("HP0-3")."""
    if _RANGE.search(text):
        raise ValueError(f"{text!r} can be two ports or a range")
    digits = {d for found in _PORTS.findall(text) for d in re.findall(r"\d", found)}
    return tuple(f"HP{digit}" for digit in sorted(digits))


def without_ports(text: str) -> str:
    """`text` without its names of ports."""
    return re.sub(r"[\s,+&/]+(?=[\s,+&/])|^[\s,+&/]+|[\s,+&/]+$", "", _PORTS.sub("", text))


def repeat(text: str) -> int | None:
    """The number of the repeat in `text` ("Run 3"); None without one."""
    found = _REPEAT.search(text.lower())
    return int(found[1]) if found else None


def understand(text: str) -> Heading:
    """The meaning of a whole heading (a column's own and those above it, joined)."""
    words, named = text.lower(), quantity(text)
    statistic = _statistic(words, named)
    return Heading(text, named, statistic, ports(text), repeat(text), _factor(words, named))


def quantity(text: str) -> str | None:
    """The quantity that a heading names (see `Heading`); None without one."""
    words = text.lower()
    if re.search(r"in[ -]?flight|outstanding", words):
        return "in_flight"
    if "latency" in words:
        return "latency"
    if "inactiv" in words:
        return "inactivity"
    way = next((w for w in ("read", "write") if w in words), None)
    if re.search(r"\bops\b|readops|writeops|operations|requests", words):
        return f"{way}_ops" if way else None
    if re.search(_SPEED, words):
        if way and not ("read" in words and "write" in words):
            return way
        return "total" if re.search(r"total|sum|combined|read.*write|write.*read", words) else None
    if "runtime" in words:
        return "runtime"
    if "burst" in words:
        return "burst"
    if re.search(r"\bports?\b|configuration|combination", words):
        return "ports"
    if re.fullmatch(
        r"\s*(run|repeat|repetition|iteration|trial|test|sample)s?\s*(no\.?|#)?\s*", words
    ):
        return "repeat"
    # A column under "Throughput" may name only the direction.
    return way


def _statistic(words: str, quantity: str | None) -> str | None:
    if quantity == "latency":
        words = re.sub(r"avg\.?|average|mean", "", words, count=1)
    if quantity == "inactivity":
        words = re.sub(r"max(imum)?\.?", "", words, count=1)
    return next((name for name, known in _STATISTICS if re.search(known, words)), None)


def _factor(words: str, quantity: str | None) -> float | None:
    if quantity in ("read", "write", "total"):
        unit = re.search(r"\b([kmg]i?b)\s*(?:/\s*s|ps)", words)
        return _FACTORS.get(unit[1]) if unit else None
    if quantity == "burst":
        if re.search(r"beat|word|128[ -]?bit", words):
            return 16.0
        return 1.0 if re.search(r"byte|\(b\)|\[b\]|\bb\b", words) else None
    return None
