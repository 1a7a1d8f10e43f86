"""The kinds of points that each bench measured; bands of its board may differ from a new one's."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiometer.published.bands.features import CLOCK, MEMORY, SETTINGS, Features, clock

FILE = Path(__file__).with_name("benches.csv")
FEW = 5
_NEAR_CLOCK = 0.1
_NAMES = tuple(name for name in SETTINGS if name != "rate")


@dataclass(frozen=True)
class Measured:
    """Rows of a source on a board with the same features, and their fabric clocks in MHz."""

    source: str
    board: str
    features: Mapping[str, str]
    rows: int
    slowest: float
    fastest: float

    def differs(self, board: str, point: Features) -> tuple[str, ...]:
        """The differences of a point on a board, in words."""
        found = [SETTINGS[name] for name in _NAMES if self.features[name] != point[name]]
        if self.board != board:
            found.append("memory" if self.features[MEMORY] != point[MEMORY] else "board")
        near = self.slowest * (1 - _NEAR_CLOCK) <= clock(point) <= self.fastest * (1 + _NEAR_CLOCK)
        if not near:
            found.append(CLOCK)
        return tuple(found)


def nearest(
    known: Iterable[Measured], board: str, point: Features
) -> tuple[Measured, tuple[str, ...]] | None:
    """The measurements on boards of the chip that are most like a point, and their differences;
    None for a chip without measurements."""
    found = [(m, m.differs(board, point)) for m in known if m.features["chip"] == point["chip"]]
    return min(found, key=lambda each: len(each[1]), default=None)


def of(rows: Iterable[tuple[str, str, Features]]) -> list[Measured]:
    """Groups rows of (source, board, features); groups of fewer than `FEW` are left out."""
    found: dict[tuple[str, ...], list[float]] = {}
    for source, board, point in rows:
        key = (source, board, *(str(point[name]) for name in (*_NAMES, MEMORY)))
        found.setdefault(key, []).append(clock(point))
    return [
        Measured(s, b, dict(zip((*_NAMES, MEMORY), key, strict=True)), len(c), min(c), max(c))
        for (s, b, *key), c in sorted(found.items())
        if len(c) >= FEW
    ]


@cache
def shipped() -> Sequence[Measured]:
    """The groups that ship with Axiometer."""
    return read(FILE)


def read(path: Path) -> list[Measured]:
    """The groups in a file of `write`."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Measured(
                row["source"],
                row["board"],
                {name: row[name] for name in (*_NAMES, MEMORY)},
                int(row["rows"]),
                float(row["slowest"]),
                float(row["fastest"]),
            )
            for row in csv.DictReader(file)
        ]


def write(path: Path, found: Iterable[Measured]) -> None:
    """Write the groups to a file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["source", "board", *_NAMES, MEMORY, "rows", "slowest", "fastest"])
        for m in found:
            out.writerow(
                [
                    m.source,
                    m.board,
                    *m.features.values(),
                    m.rows,
                    f"{m.slowest:g}",
                    f"{m.fastest:g}",
                ]
            )
