"""Compares the widths of the ports, set by the boot loader, with the project's."""

from __future__ import annotations

from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes
from axiometer.bringup.doctor.target import BusError, NotThere


def widths(visit: Visit) -> Finding:
    """A port of another width truncates beats or fills half of them: data are wrong, nothing hangs.
    With a wrong width of a processor's master, three of four registers are misplaced."""
    notes, wrong = Notes("widths"), []
    if not visit.expected.widths:
        return notes.not_checked("the widths of the design's ports are unknown",
                                 "add --project DIR")  # fmt: skip
    for port, bits in visit.expected.widths.items():
        for width in visit.known.widths.get(port, ()):
            try:
                word = visit.target.read32(width.address)
            except (NotThere, BusError) as error:
                return notes.not_checked(error.why, getattr(error, "remedy", ""))
            notes.saw(f"{width.name} at {width.address:#010x} = {word:#010x}")
            has = width.widths.get(width.field.take(word))
            if has != bits:
                wrong.append(f"{width.name} is set to {has or 'an unknown number of'} bits, "
                             f"{port} of the design has {bits}")  # fmt: skip
    if not notes.looked_at:
        return notes.not_checked("these ports have no known width registers")
    if wrong:
        return notes.fault(
            "; ".join(wrong),
            "run boot/afi.sh set of this project on the board, or boot with a first stage boot "
            "loader of its system.xsa",
        )
    return notes.ok("the ports have the widths of the design")
