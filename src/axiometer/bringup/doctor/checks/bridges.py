"""Linux' bridges to the FPGA (Cyclone V): the chip's registers and /sys/class/fpga_bridge."""

from __future__ import annotations

from axiometer.bringup.doctor.checks.rules import rules
from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import FAULT, Finding, Notes

FOLDER = "/sys/class/fpga_bridge"


def bridges(visit: Visit) -> Finding:
    """Registers must match the chip's file, and no bridge of Linux may be closed."""
    found = rules("bridges")(visit)
    notes, closed = Notes("bridges"), []
    for name in visit.names(FOLDER):
        state = visit.text(f"{FOLDER}/{name}/state")
        called = visit.text(f"{FOLDER}/{name}/name") or name
        notes.saw(f"{FOLDER}/{name}/state: {state} ({called})")
        if state == "disabled":
            closed.append(called)
    looked_at = (*found.looked_at, *notes.looked_at)
    if closed and found.verdict != FAULT:
        return Finding(
            "bridges",
            looked_at,
            FAULT,
            f"Linux has closed {', '.join(closed)}: an access there stops the processor",
            "apply the overlay whose region lists these as fpga-bridges: Linux opens them after "
            "the bitstream; or run bridge enable in U-Boot before Linux",
        )
    return Finding("bridges", looked_at, found.verdict, found.told, found.remedy)
