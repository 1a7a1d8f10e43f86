"""Groups rows of a table of measurements into set-ups.

A row is of the same *set-up* as a point if it is on its board and has all its conditions (clock,
direction, order of addresses, mapping, program, ...) except those in `FREE`: bursts, ports and
size. Only such rows anchor the point.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from axiometer.experiment.sizes import MAX_BURST_BEATS
from axiometer.platform import Platform
from axiometer.published import asked, tables
from axiometer.published.asked import Asked
from axiometer.published.tables import Line, Table

FREE = ("ports", "burst_bytes", "burst_beats", "pattern", "transfer_bytes")
_STRIDE = "stride:"
TOTAL = "total_MBps"


@dataclass(frozen=True)
class Setup:
    """Rows of a table that differ only in `FREE` conditions."""

    lines: tuple[Line, ...]

    def has(self, point: Asked, platform: Platform) -> bool:
        """Whether a point of the rows' board is of this set-up."""
        first = self.lines[0].conditions
        fixed = {name: its for name, its in first.items() if name not in FREE}
        return (
            _order(first) == _order(point)
            and not asked.printed(fixed, point)
            and asked.differences(first, point, platform, FREE) == ()
        )


def _order(of: Mapping[str, object]) -> object:
    """The order of addresses; for strides the bytes between two bursts, because bursts differ in
    size."""
    pattern, burst = of.get("pattern", "sequential"), of.get("burst_bytes")
    if isinstance(pattern, str) and pattern.startswith(_STRIDE) and isinstance(burst, int):
        return int(pattern.removeprefix(_STRIDE)) - burst
    return pattern


@cache
def setups(table: Table) -> tuple[Setup, ...]:
    """The set-ups of a table."""
    found: dict[str, list[Line]] = {}
    for line in tables.every(table):
        fixed = [(n, v) for n, v in line.conditions.items() if n not in FREE]
        found.setdefault(str((_order(line.conditions), fixed)), []).append(line)
    return tuple(Setup(tuple(lines)) for lines in found.values())


def burst_bytes(line: Line, width_bits: int = 0) -> int:
    """The burst of a row in bytes; `width_bits`: the masters' width where the row lacks it."""
    given = line.conditions.get("burst_bytes")
    if isinstance(given, int):
        return given
    beats = line.conditions.get("burst_beats")
    return (beats if isinstance(beats, int) else MAX_BURST_BEATS) * width_bits // 8
