"""Checks with Linux' counts that the design's interrupt reaches the processor."""

from __future__ import annotations

from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes

COUNTS = "/proc/interrupts"
NAMES = ("axiometer",)  # of the UIO device (its node) and of the driver axm


def before(visit: Visit) -> None:
    """Saves the count before the loop-back."""
    visit.interrupts = count(visit)


def count(visit: Visit) -> int | None:
    """The design's interrupts on all processors; None if Linux has no interrupt of that name."""
    total = None
    for line in (visit.text(COUNTS) or "").splitlines():
        words = line.split()
        if len(words) > 2 and any(name in words[-1] for name in NAMES):
            total = (total or 0) + sum(int(w) for w in words[1:-1] if w.isdecimal() and len(w) < 12)
    return total


def interrupts(visit: Visit) -> Finding:
    """The loop-back must increase the count, because an interrupt ends a run."""
    notes = Notes("interrupts")
    if visit.target.simulated:
        return notes.not_checked("a simulation has no kernel")
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
            "connect irq in the block design, and give the device tree the number of its pin "
            "(docs/build.md)",
        )
    return notes.ok("the interrupt arrives")
