"""A user's own board: a board file of any writes of registers."""

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
    """`text` is the board's file, `platform` what it makes, `decoded` all that its registers say,
    `problems` what no DRAM of JEDEC's does."""

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
    """The board called `name` (made a name that files can have) with the registers `writes`.

    source: what origins call the writes; file: what errors name. chip: one of `board_file.chips()`;
    None: by the registers. reference_mhz: the crystal; None: the usual one that fits.
    AxiometerError where registers are missing or of another chip, describe no memory, or hold what
    the chip's limits refuse.
    """
    if chip is None:
        chip = chip_of(writes, file)
    elif (chip := data.aliases("chips").get(chip, chip)) not in board_file.chips():
        raise AxiometerError(
            f"no boards are made of the chip {chip!r}",
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
            f"the registers make a board that is not one: {error.message}",
            file=file,
            remedy=error.remedy or "are they those of a board whose memory works?",
        ) from None
    return OwnBoard(text, platform, found, problems)


def _opening(source: str, found: Decoded, problems: Sequence[str]) -> Iterator[str]:
    memory = f"{found.value('dram.size_MiB')} MiB of {found.value('dram.type')}"
    yield f"# Own board: {memory} on {found.value('dram.bus_bits')} bits of data."
    yield "#"
    yield from board_file.comment(
        f"written by axiometer import board from {source}. Figures of the chip that no register "
        "has, and what is like a measured board, are as told below and in the chip's file. "
        "Nothing here was compared with a measurement"
    )
    told = [note for note in found.notes if "reference clock" in note]
    told += [f"out of JEDEC's speed bins: {problem}" for problem in problems]
    told += [f"a register that is not known: {unknown}" for unknown in found.unknown]
    for note in told:
        yield from board_file.comment(note)
