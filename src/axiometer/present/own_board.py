"""The summary of a board made from registers: its memory, and the registers not understood."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from axiometer.base.units import significant
from axiometer.platform.registers import Decoded
from axiometer.platform.registers.own_board import OwnBoard
from axiometer.present.grid import Column, table
from axiometer.present.text import Style

_TIMING = "dram.timing."


def lines(made: OwnBoard, written: Path | None, style: Style) -> list[str]:
    """The summary of a board; `written` is its file, if it was written."""
    found = made.decoded
    out = [
        style.paint(f"{made.platform.name}: {found.chip}, {_memory(found)}", "bold"),
        "",
        *_timing(found, style),
        "",
        f"{len(found.figures)} figures from registers.",
    ]
    out += [f"Out of JEDEC's speed bins: {problem}." for problem in made.problems]
    if found.unknown:
        out += ["", "Registers that are not known:", *(f"  {u}" for u in found.unknown)]
    if found.notes:
        out += ["", "Notes:", *(f"  {note}" for note in found.notes)]
    how = f"Use it with --board {written}." if written else "Write it with --out FILE.toml."
    return [*out, "", how]


def document(made: OwnBoard) -> dict[str, object]:
    """The JSON document of a board: every figure of its registers, with its source."""
    found = made.decoded
    return {
        "name": made.platform.name,
        "chip": found.chip,
        "figures": {
            path: {"value": _plain(f.value), "unit": f.unit, "source": f.source, "reset": f.reset}
            for path, f in found.figures.items()
        },
        "unknown": [{"where": _where(u.where), "writes": u.count} for u in found.unknown],
        "notes": found.notes,
        "problems": made.problems,
    }


def _memory(found: Decoded) -> str:
    size, kind, bits, clock = (
        found.value(path)
        for path in ("dram.size_MiB", "dram.type", "dram.bus_bits", "clocks.ddr_mhz")
    )
    return f"{size} MiB of {kind} on {bits} bits at {_number(clock):.6g} MHz"


def _timing(found: Decoded, style: Style) -> list[str]:
    columns = [Column("timing", False), Column("clocks"), Column("ns")]
    return table(columns, list(_rows(found)), style)


def _rows(found: Decoded) -> Iterator[list[str]]:
    ns = 1000 / _number(found.value("clocks.ddr_mhz"))
    for path, figure in found.figures.items():
        if path.startswith(_TIMING):
            yield [
                path.removeprefix(_TIMING),
                str(figure.value),
                f"{significant(_number(figure.value) * ns, 4)}",
            ]


def _where(where: int | str) -> str:
    return where if isinstance(where, str) else f"0x{where:08X}"


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float | Fraction) else math.nan


def _plain(value: object) -> object:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return float(value) if isinstance(value, Fraction) else value
