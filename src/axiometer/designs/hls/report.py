"""A synthesis report as facts: the core, its clock, its m_axi interfaces and their accesses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from axiometer.base.xml_parts import BadPartError
from axiometer.designs.hls.tables import Row, Tables
from axiometer.designs.model import Missed

PREFIX = "m_axi_"
READ, WRITE = "read", "write"
MAX_PORTS = 64
LONGEST_BURST = 256  # beats of AXI4
_WAYS = {"READ_ONLY": (READ,), "WRITE_ONLY": (WRITE,), "READ_WRITE": (READ, WRITE)}
_ARGUMENTS = {"in": (READ,), "out": (WRITE,), "inout": (READ, WRITE)}
_WIDEN = "Could not widen"


@dataclass(frozen=True)
class Way:
    """One direction of an interface. `most` is the longest burst in beats, `outstanding` the most
    bursts, as the interface is set. `inferred`: the length of each inferred burst in beats (None:
    known at run time)."""

    most: int
    outstanding: int
    inferred: tuple[int | None, ...] = ()

    @property
    def longest(self) -> int | None:
        """The longest of its bursts in beats; None if none is inferred."""
        return max((min(n or self.most, self.most) for n in self.inferred), default=None)


@dataclass(frozen=True)
class Adapter:
    """An m_axi interface: bits of its beats, its ways by direction, and what no burst was made
    of."""

    interface: str
    width_bits: int
    ways: dict[str, Way]
    missed: tuple[Missed, ...] = ()

    def is_known(self, way: str) -> bool:
        """Whether the report has accesses in this direction, as bursts or not."""
        misses = any(of.direction in ("", way) and not of.widens for of in self.missed)
        return misses or bool(self.ways[way].inferred)


@dataclass(frozen=True)
class Report:
    """A report of the core `top`; `period_ns`: its clock (None: not in this file)."""

    top: str
    version: str
    family: str
    part: str
    period_ns: float | None
    adapters: tuple[Adapter, ...]


def of_tables(tables: Tables) -> Report:
    """The report with these tables. BadPartError where it has no m_axi interface."""
    rows = [row for row in tables.rows.get("M_AXI", []) if row.get("Interface", "")[:6] == PREFIX]
    if not rows:
        raise BadPartError("it has no table of m_axi interfaces")
    if len(rows) > MAX_PORTS:
        raise BadPartError(f"it has more than {MAX_PORTS} m_axi interfaces")
    names = [row["Interface"] for row in rows]
    accesses = _accesses(tables, names)
    inferred = _inferred(tables, names)
    arguments = _directions_of_arguments(tables, names)
    found = []
    for row in rows:
        name = row["Interface"]
        lengths = [(way, length) for at, way, length in inferred if at == name]
        ways = _WAYS.get(row.get("Read/Write", "")) or _both_ways(
            [way for way, _ in lengths] + arguments.get(name, [])
        )
        found.append(
            Adapter(
                name,
                _width(row.get("Data Width (SW->HW)", "")),
                {
                    way: Way(
                        min(_number(row, f"Max {way.title()} Burst Length", 16), LONGEST_BURST),
                        _number(row, f"Num {way.title()} Outstanding", 16),
                        tuple(length for its, length in lengths if its == way),
                    )
                    for way in ways
                },
                tuple(dict.fromkeys(of for at, of in accesses if at == name)),
            )
        )
    facts = tables.facts
    return Report(
        facts.get("TopModelName", "core") or "core",
        facts.get("Version", ""),
        facts.get("ProductFamily", ""),
        facts.get("Part", ""),
        _period(facts.get("TargetClockPeriod", "")),
        tuple(found),
    )


def _inferred(tables: Tables, names: Sequence[str]) -> list[tuple[str, str, int | None]]:
    """Each inferred burst: interface, direction, length. The table of accesses has those of shared
    code for each interface, the summary once."""
    rows = [
        row for row in tables.titled("Variable Accesses") if row.get("Burst Status") == "Inferred"
    ]
    rows += tables.titled("Inferred Burst Summary")
    return [
        (name, row["Direction"], _length(row.get("Length", "")))
        for row in rows
        for name in _interfaces(row.get("HW Interface", ""), names)
        if row.get("Direction") in (READ, WRITE)
    ]


def _accesses(tables: Tables, names: Sequence[str]) -> list[tuple[str, Missed]]:
    """What the tool made no burst of, or did not widen, with its interface."""
    failed = [
        row for row in tables.titled("Variable Accesses") if "Fail" in row.get("Burst Status", "")
    ]
    arguments = _argument_ways(tables)
    found = []
    for row in [*failed, *tables.titled("Bursts and Widening Missed")]:
        reason = row.get("Problem", "")
        variable = row.get("Variable", "")
        way = row.get("Direction") or arguments.get(variable, "")
        place = row.get("Access Location") or row.get("Location", "")
        widens = reason.startswith(_WIDEN)
        missed = Missed(
            way if way in (READ, WRITE) else "",
            variable,
            place,
            reason,
            row.get("Resolution", ""),
            widens,
        )
        found += [(name, missed) for name in _interfaces(row.get("HW Interface", ""), names)]
    return found


def _argument_ways(tables: Tables) -> dict[str, str]:
    """The direction of each argument of the core that has one."""
    rows = tables.titled("Top Function Arguments")
    ways = {row.get("Argument", ""): _ARGUMENTS.get(row.get("Direction", ""), ()) for row in rows}
    return {name: way[0] for name, way in ways.items() if len(way) == 1}


def _directions_of_arguments(tables: Tables, names: Sequence[str]) -> dict[str, list[str]]:
    """The directions of the arguments behind each interface."""
    rows = tables.titled("Top Function Arguments")
    ways = {row.get("Argument", ""): row.get("Direction", "") for row in rows}
    found: dict[str, list[str]] = {}
    for row in tables.titled("SW-to-HW Mapping"):
        name = row.get("HW Interface", "")
        if name in names:
            found.setdefault(name, []).extend(
                _ARGUMENTS.get(ways.get(row.get("Argument", ""), ""), ())
            )
    return found


def _interfaces(text: str, names: Sequence[str]) -> list[str]:
    """The interfaces in a cell: "m_axi_a,b", which the XML writes without its comma."""
    bare = sorted((name.removeprefix(PREFIX) for name in names), key=len, reverse=True)
    rest = text.removeprefix(PREFIX)
    found: list[str] = []
    while name := next((name for name in bare if rest.startswith(name)), None):
        found.append(PREFIX + name)
        bare.remove(name)  # each once, or a long cell would cost much
        rest = rest[len(name) :].lstrip(", ").removeprefix(PREFIX)
    return found


def _both_ways(given: Sequence[str]) -> tuple[str, ...]:
    found = tuple(way for way in (READ, WRITE) if way in given)
    return found or (READ, WRITE)


def _width(text: str) -> int:
    """The bits of the hardware in "8 -> 128"."""
    match = re.search(r"(\d{1,4})\s*$", text)
    if match is None or not 8 <= int(match[1]) <= 1024:
        raise BadPartError(f"an m_axi interface has the width {text!r}")
    return int(match[1])


def _number(row: Row, key: str, usual: int) -> int:
    text = row.get(key, "")
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else usual
    return max(1, value)


def _length(text: str) -> int | None:
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _period(text: str) -> float | None:
    try:
        value = float(text[:40])
    except ValueError:
        return None
    return value if 0.1 <= value <= 1e6 else None
