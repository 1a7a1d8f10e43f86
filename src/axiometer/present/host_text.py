"""The figures of the real program on a host, beside the rates of a run: columns and legend.

The time of the fabric and the memory and the processor's instructions are never added up: no
processor's time is simulated here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from axiometer.base.record import HostSide, Record
from axiometer.present.grid import Column
from axiometer.present.text import number

NAMES = {"linux": "Linux", "bare": "no operating system", "freertos": "FreeRTOS"}


def of(records: Sequence[Record]) -> HostSide | None:
    """The host side of a point; all its repeats have the same."""
    return records[0].get("host") if records else None


def columns(sides: Iterable[HostSide | None]) -> list[Column]:
    """The columns; none where no point has a host."""
    if all(side is None for side in sides):
        return []
    return [Column("fabric+memory µs"), Column("instructions"), Column("accesses")]


def cells(side: HostSide | None) -> list[str]:
    """The cells of a row under these columns."""
    if side is None:
        return ["", "", ""]
    seconds = side["fabric_memory_s"]
    return [
        "" if seconds is None else number(seconds * 1e6, 3),
        number(side["instructions"], 0),
        str(side["accesses"]),
    ]


def legend(sides: Sequence[HostSide | None]) -> list[str]:
    """The meaning of the columns."""
    found = [side for side in sides if side is not None]
    if not found:
        return []
    names = ", ".join(dict.fromkeys(NAMES.get(side["name"], side["name"]) for side in found))
    lines = [
        f"Of a packet, there and back, with the real program on an emulated machine ({names}):",
        "  fabric+memory: simulated; for how long these work, and nothing of the processor's time",
        "  instructions: counted by the emulator; accesses: of the design's registers, beside them",
        "  Neither is part of a rate: how long the instructions take is not simulated.",
    ]
    if any(side["fabric_memory_s"] is None for side in found):
        lines.append("  No time where the port is not of the memory's model.")
    if any(side["name"] == "linux" for side in found):
        lines.append("  Linux: the kernel's accesses are among its instructions.")
    return lines


def flat(side: HostSide | None) -> dict[str, object]:
    """Cells of a row of CSV or Parquet; none without a host."""
    return {} if side is None else {f"host_{name}": value for name, value in side.items()}
