"""Linux' bridges to the FPGA (Cyclone V): the chip's registers and /sys/class/fpga_bridge."""

from __future__ import annotations

from axiometer.bringup.doctor.checks.rules import rules
from axiometer.bringup.doctor.chip import at
from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import FAULT, OK, Finding, Notes

FOLDER = "/sys/class/fpga_bridge"


def bridges(visit: Visit) -> Finding:
    """Registers must match the chip's file and the design's ports, and no bridge of Linux may be
    closed."""
    found = rules("bridges")(visit)
    if found.verdict == OK:
        found = _ports(visit, found)
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


def _ports(visit: Visit, found: Finding) -> Finding:
    """`found`, or a fault where a port of the design to the memory is in reset. Any bit of another
    port is none of its business."""
    if visit.expected.port_reset is None:
        told = f"{found.told}; whether the design's ports are out of reset is known with --project"
        return Finding(found.check, found.looked_at, OK, told)
    key, bits = visit.expected.port_reset
    word = visit.target.read32(at(visit.known.table.registers[key]))
    if word & bits == bits:
        return found
    return Finding(
        found.check,
        found.looked_at,
        FAULT,
        f"{key} is {word:#x}, but the design's ports to the memory need {bits:#x}: those in reset "
        "read and write nothing",
        "boot by boot.scr of this project, which sets these bits while no port is in use",
    )
