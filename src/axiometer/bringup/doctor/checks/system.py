"""Identifies the target's chip, from its device tree or from the given board."""

from __future__ import annotations

from axiometer.base import chip_files
from axiometer.bringup.doctor import chip as chips
from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes

COMPATIBLE = "/proc/device-tree/compatible"


def system(visit: Visit) -> Finding:
    """The chip, which determines all registers. A fault where the project is for another chip."""
    notes = Notes("system")
    if visit.target.simulated:
        return notes.ok("a simulation, without registers of a processor system; it cannot hang")
    wanted = _of_board(visit)
    tree = visit.text(COMPATIBLE)
    if tree is None:
        if wanted is None or not visit.target.recorded:
            # On another machine the chip's addresses have other uses, so nothing is read.
            return notes.not_checked(
                f"there is no {COMPATIBLE}: this is not a board, or its Linux has no device tree",
                "run axiometer doctor on the board, or axiometer doctor ssh:HOST"
                if wanted
                else "for a copy of a board, add --board or --project",
            )
        visit.chip = wanted
        return notes.ok(f"{wanted.name}, from the board's file: there is no {COMPATIBLE}")
    words = tree.split("\0")
    notes.saw(f"{COMPATIBLE}: {', '.join(words)}")
    known = [chip for chip in chips.chips() if set(chip.compatible) & set(words)]
    if not known:
        return notes.fault(
            "this chip is not supported",
            "run axiometer doctor on the board, or axiometer doctor ssh:HOST",
        )
    known.sort(key=lambda chip: chip_files.takes(chip.name, "doctor"))
    visit.chip = wanted if wanted in known else known[0]
    if wanted is not None and wanted is not visit.chip:
        return notes.fault(
            f"the target is a {visit.chip.name}, the project is for a {wanted.name}",
            "give the project that was built for this board",
        )
    return notes.ok(visit.chip.name)


def _of_board(visit: Visit) -> chips.Chip | None:
    from axiometer.platform import Platform

    board = visit.expected.board
    return None if board is None else chips.named(Platform.load(board).family)
