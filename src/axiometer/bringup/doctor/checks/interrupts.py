"""Whether the design's interrupt reaches the processor, by what Linux counts."""

from __future__ import annotations

from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes

COUNTS = "/proc/interrupts"
NAMES = ("axiometer",)  # of the UIO device (its node) and of the driver axm


def before(visit: Visit) -> None:
    """Notes the count before the loop-back."""
    visit.interrupts = count(visit)


def count(visit: Visit) -> int | None:
    """Interrupts of the design on all processors; None if Linux has none of that name."""
    total = None
    for line in (visit.text(COUNTS) or "").splitlines():
        words = line.split()
        if len(words) > 2 and any(name in words[-1] for name in NAMES):
            total = (total or 0) + sum(int(w) for w in words[1:-1] if w.isdecimal() and len(w) < 12)
    return total


def interrupts(visit: Visit) -> Finding:
    """The count must have risen by the loop-back: a run ends by the interrupt."""
    notes = Notes("interrupts")
    if visit.target.simulated:
        return notes.not_checked("a simulation has no kernel that counts them")
    first, now = visit.interrupts, count(visit)
    notes.saw(f"{COUNTS}: {first} before the loop-back, {now} after it")
    if now is None:
        return notes.fault(
            "Linux has no interrupt of the design",
            "apply the project's overlay; /dev/mem instead of a UIO device has none",
        )
    if first is not None and now <= first:
        return notes.fault(
            "the loop-back ended without an interrupt",
            "is irq connected in the block design, and the number in the device tree that of its "
            "pin (docs/build.md)?",
        )
    return notes.ok("it arrives")
