"""A user's own board: a board file from register writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from axiometer.base import data, harmless
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.platform import Platform
from axiometer.platform.registers import board_file, speed_bins
from axiometer.platform.registers.decoder import check_chip, chip_of, decode
from axiometer.platform.registers.results import Decoded, Value, Write

_NAME = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True)
class OwnBoard:
    """`text` is the board's file, `platform` its platform, `decoded` all decoded figures,
    `problems` values that no DRAM of JEDEC has."""

    text: str
    platform: Platform
    decoded: Decoded
    problems: list[str]


def board(
    name: str,
    writes: Sequence[Write],
    source: str,
    file: object,
    chip: str | None = None,
    reference_mhz: Value | None = None,
) -> OwnBoard:
    """The board called `name` (changed to a valid file name) with the registers `writes`.

    source: the name of the writes in origins; file: for errors. chip: one of `board_file.chips()`;
    None: from the registers. reference_mhz: the crystal; None: the usual one that fits.
    AxiometerError if registers are missing or belong to another chip, describe no memory, or have
    values outside the chip's limits.
    """
    if chip is None:
        chip = chip_of(writes, file)
    elif (chip := data.aliases("chips").get(chip, chip)) not in board_file.chips():
        raise AxiometerError(
            f"Axiometer makes no boards with the chip {chip!r}",
            remedy=did_you_mean(chip, board_file.chips(), "chips"),
        )
    check_chip(chip, writes, file)
    given = {} if reference_mhz is None else {"reference_mhz": reference_mhz}
    found = decode(chip, writes, given, file)
    problems = speed_bins.problems(found)
    source = harmless.text(source, 100).encode("ascii", "replace").decode()
    text = board_file.text(
        _NAME.sub("-", name).strip("-")[:80] or "board",
        f"Own board, registers of {source} (not measured)",
        found,
        list(_opening(source, found, problems)),
        initialisation=source,
    )
    try:
        platform = Platform(text, file)
    except AxiometerError as error:
        raise AxiometerError(
            f"the registers do not make a valid board: {error.message}",
            file=file,
            remedy=error.remedy or "give registers of a board whose memory works",
        ) from None
    return OwnBoard(text, platform, found, problems)


def _opening(source: str, found: Decoded, problems: Sequence[str]) -> Iterator[str]:
    memory = f"{found.value('dram.size_MiB')} MiB of {found.value('dram.type')}"
    yield f"# Own board: {memory} on {found.value('dram.bus_bits')} bits of data."
    yield "#"
    yield from board_file.comment(
        f"written by axiometer import board from {source}. Figures that no register has, and those "
        "taken from a measured board, have their origins below and in the chip's file. "
        "No figure was compared with a measurement"
    )
    notes = [note for note in found.notes if "reference clock" in note]
    notes += [f"out of JEDEC's speed bins: {problem}" for problem in problems]
    notes += [f"an unknown register: {unknown}" for unknown in found.unknown]
    for note in notes:
        yield from board_file.comment(note)
