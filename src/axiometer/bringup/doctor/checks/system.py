"""Which chip the target is: of its device tree, or of the board that is named."""

from __future__ import annotations

from axiometer.base import chip_files
from axiometer.bringup.doctor import chip as chips
from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes

COMPATIBLE = "/proc/device-tree/compatible"


def system(visit: Visit) -> Finding:
    """The chip, by which all registers are known. Says so where the project is for another."""
    notes = Notes("system")
    if visit.target.simulated:
        return notes.ok("a simulation: it has no registers of a processor system, and cannot hang")
    wanted = _of_board(visit)
    tree = visit.text(COMPATIBLE)
    if tree is None:
        if wanted is None or not visit.target.recorded:
            # The chip's addresses are something else on another machine: nothing is read there.
            return notes.not_checked(
                f"there is no {COMPATIBLE}: this is no board, or not one whose Linux tells",
                "run axiometer doctor on the board, or name it: axiometer doctor ssh:HOST"
                if wanted
                else "of a copy of a board, give --board or --project too",
            )
        visit.chip = wanted
        return notes.ok(f"{wanted.name}, as the board's file says: there is no {COMPATIBLE}")
    words = tree.split("\0")
    notes.saw(f"{COMPATIBLE}: {', '.join(words)}")
    known = [chip for chip in chips.chips() if set(chip.compatible) & set(words)]
    if not known:
        return notes.fault(
            "this is no chip whose registers are known",
            "run axiometer doctor on the board, or name it: axiometer doctor ssh:HOST",
        )
    known.sort(key=lambda chip: chip_files.takes(chip.name, "doctor"))
    visit.chip = wanted if wanted in known else known[0]
    if wanted is not None and wanted is not visit.chip:
        return notes.fault(
            f"the target is a {visit.chip.name}, the project is for a {wanted.name}",
            "name the project that was built for this board",
        )
    return notes.ok(visit.chip.name)


def _of_board(visit: Visit) -> chips.Chip | None:
    from axiometer.platform import Platform

    board = visit.expected.board
    return None if board is None else chips.named(Platform.load(board).family)
