"""The platform of a design: its board, or its chip with the registers of its export.

In this order: the platform that the user names; the board that the design names; a board made of
the chip and the registers of the design's initialisation; the shipped board of the chip whose DRAM
is nearest to the design's parameters. The answer states the choice.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import data
from axiometer.base.board_tools import tools
from axiometer.base.errors import AxiometerError
from axiometer.designs import handoff, ps_facts
from axiometer.designs.model import Design, Memory
from axiometer.platform import Platform
from axiometer.platform.patterns import matches
from axiometer.platform.registers import Decoded, board_file, decode
from axiometer.platform.registers.tables import alike

SAME = 1e-4  # a smaller relative difference is rounding
_WAYS = (
    "add --board with a name of `axiometer list boards` or a platform's file; or give the export "
    "with its initialisation (.xsa, .hdf), whose registers set the memory"
)


@dataclass(frozen=True)
class Difference:
    """A figure that differs between the design's registers and the board's file."""

    path: str
    board: object
    origin: str
    design: object
    source: str


@dataclass(frozen=True)
class Placed:
    """A platform and the reason for it in a phrase. `differences`: between the registers of the
    design and the board; `compared`: the number of compared figures (0: no registers)."""

    platform: Platform
    why: str
    differences: tuple[Difference, ...] = ()
    compared: int = 0


def platform_of(
    design: Design, path: Path | None = None, name: str | None = None, beside: Path | None = None
) -> Placed:
    """The platform of `design`, read from `path` (None: registers are ignored). `name`: a platform
    or its file, which takes precedence. AxiometerError where there is none."""
    wanted = name or design.platform
    own = registers_of(design, path)
    if wanted:
        platform = _of_its_chip(design, Platform.load(wanted, beside))
        return Placed(platform, f"{platform.name}, as given", *_compared(own, platform))
    shipped = shipped_board(design)
    if shipped is not None:
        platform = _of_its_chip(design, Platform.load(shipped))
        named = design.board or design.part
        why = f"{platform.name}, the board that the design names ({named})"
        return Placed(platform, why, *_compared(own, platform))
    if own is not None:
        text = own_board(design, own)
        return Placed(
            Platform(text, design.file),
            f"the chip with the memory that the registers of {design.initialised} set",
        )
    if design.memory is not None:
        return _like(design, design.memory)
    raise AxiometerError(
        "the design's board is unknown: it names no supported board and has no initialisation",
        file=design.file,
        remedy=_WAYS,
    )


def _of_its_chip(design: Design, platform: Platform) -> Platform:
    """`platform`; AxiometerError where its chip is not that of the design."""
    system = ps_facts.system(design.chip)
    its = alike(design.chip)
    if platform.family in its or platform.family not in data.names("chips"):
        return platform
    raise AxiometerError(
        f"the design is for {system.title}, and the board {platform.name} is a {platform.family}",
        file=design.file,
        remedy=f"name a board of {' or '.join(its)} (axiometer list boards), or give a design for "
        f"{platform.name}",
    )


def shipped_board(design: Design) -> str | None:
    """The name of the shipped board that matches the design's board or part; None if none
    matches."""
    parts = design.board.split(":")
    named = parts[1] if len(parts) > 1 else parts[0]
    named = named.lower().replace("_", "-")
    for name, tool in tools().items():
        if tool.is_called(named) or tool.has_part(design.part):
            return name
    if named in data.names("platforms"):
        return named
    return data.aliases("platforms").get(named)


def registers_of(design: Design, path: Path | None) -> Decoded | None:
    """The figures of the initialisation in the export at `path`; None if it has none.
    AxiometerError where it is damaged or does not set the memory."""
    if path is None:
        return None
    own = handoff.registers_of(path)
    return decode(own.chip, own.writes, file=path / own.name) if own.writes else None


def own_board(design: Design, own: Decoded) -> str:
    """The text of a board file with the figures of the design's registers."""
    system = ps_facts.system(design.chip)
    name = re.sub(r"[^A-Za-z0-9_-]", "-", design.name)[:80] or "design"
    title = f"{name}, {system.title} with its own registers (not measured)"
    opening = [
        f"# The board of a design, from the registers of its {design.initialised}: not measured.",
        *(line for note in own.notes if "taken" in note for line in board_file.comment(note)),
    ]
    return board_file.text(name, title, own, opening, initialisation=design.initialised)


def _compared(own: Decoded | None, platform: Platform) -> tuple[tuple[Difference, ...], int]:
    if own is None:
        return (), 0
    elsewhere = board_file.chips()[own.chip]["of_the_design"]
    shared = {
        path: figure
        for path, figure in own.figures.items()
        if platform.has(path) and not any(matches(pattern, path) for pattern in elsewhere)
    }
    found = []
    for path, figure in shared.items():
        leaf = platform.leaf(path)
        value = board_file.value(path, figure)
        if not _same(value, leaf.value):
            found.append(Difference(path, leaf.value, leaf.origin, value, figure.source))
    return tuple(found), len(shared)


def _same(a: object, b: object) -> bool:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) <= SAME * max(abs(a), abs(b))
    return a == b


def _like(design: Design, memory: Memory) -> Placed:
    """The shipped board of the chip whose memory is nearest to `memory`; of equals, a board with
    the design's part."""

    def distance(board: tuple[str, Memory]) -> tuple[bool, float, int, bool, str]:
        name, its = board
        clock = abs(its.mhz / memory.mhz - 1)
        other_part = name not in tools() or tools()[name].part.lower() != design.part.lower()
        size = abs(its.size_MiB - memory.size_MiB)
        return (clock > SAME, round(clock, 3), size, other_part, name)

    known = [
        (name, its)
        for name, its in _memories(design.chip)
        if (its.type, its.bus_bits) == (memory.type, memory.bus_bits)
    ]
    if not known:
        raise AxiometerError(
            f"the design names no board, and no shipped board of {design.chip} has the memory of "
            f"its parameters: {memory.type}, {memory.bus_bits} bits",
            file=design.file,
            remedy=_WAYS,
        )
    name, nearest = min(known, key=distance)
    other = [
        f"its {what} {has:.6g} {unit}, not {asked:.6g}"
        for what, has, asked, unit in (
            ("DRAM has", nearest.mhz, memory.mhz, "MHz"),
            ("size is", nearest.size_MiB, memory.size_MiB, "MiB"),
        )
        if asked and not _same(has, asked)
    ]
    why = (
        f"{name}, the board of this chip whose DRAM is nearest to the design's parameters "
        f"({memory.type}, {memory.bus_bits} bits, {memory.mhz:.6g} MHz)"
    )
    return Placed(Platform.load(name), "; ".join([why, *other, "--board selects another"]))


def _memories(chip: str) -> Iterator[tuple[str, Memory]]:
    """The shipped boards of `chip` that state their memory, with this memory."""
    for name in data.names("platforms"):
        text = data.find_toml("platforms", name).read_text(encoding="utf-8")
        if f'"{chip}"' not in text:
            continue  # to read all of all boards takes a second
        board = tomllib.loads(text)
        dram, clocks = board.get("dram", {}), board.get("clocks", {})
        found = [
            dram.get("type"),
            dram.get("bus_bits"),
            clocks.get("ddr_mhz"),
            dram.get("size_MiB"),
        ]
        if board.get("chip") == chip and all(found):
            yield name, Memory(*(figure["value"] for figure in found))
