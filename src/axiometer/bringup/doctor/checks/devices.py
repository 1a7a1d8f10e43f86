"""The design's driver in Linux: UIO or axm."""

from __future__ import annotations

from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes

UIO = "/sys/class/uio"
DRIVER = "axiometer"
"""Of the driver axm, and of its module (drivers/linux/Kbuild)."""
AXM = f"/sys/bus/platform/drivers/{DRIVER}"


def devices(visit: Visit) -> Finding:
    """A UIO device at the design's address, or a device that the driver axm is bound to."""
    notes = Notes("devices")
    if visit.target.simulated:
        return notes.not_checked("a simulation has no kernel")
    if visit.expected.driver == "axm":
        return _axm(visit, notes)
    base = visit.expected.base
    names = visit.names(UIO)
    for name in names:
        text = visit.text(f"{UIO}/{name}/maps/map0/addr") or ""
        notes.saw(f"{UIO}/{name}/maps/map0/addr: {text or 'none'}")
        try:
            at = int(text, 16)
        except ValueError:
            continue
        if base is None or at == base:
            return notes.ok(f"/dev/{name} has the registers at {at:#x}")
    if not names:
        notes.saw(f"{UIO}: nothing")
    return notes.fault(
        "no UIO device has the design's registers"
        + ("" if base is None else f" at {base:#x}"),
        "add uio_pdrv_genirq.of_id=generic-uio to the kernel's arguments, load uio_pdrv_genirq, "
        "and apply the project's overlay",
    )  # fmt: skip


def bound_to_axm(visit: Visit) -> list[str]:
    """The devices that the driver axm is bound to."""
    return [name for name in visit.names(AXM) if "." in name]


def _axm(visit: Visit, notes: Notes) -> Finding:
    bound = bound_to_axm(visit)
    notes.saw(f"{AXM}: {', '.join(bound) or 'nothing bound'}")
    if not bound:
        return notes.fault(
            "the driver axm has no device",
            f"load {DRIVER}.ko (drivers/linux/README.md) and apply the project's overlay; if the "
            "driver refused a device, dmesg has the reason",
        )
    return notes.ok(f"the driver axm drives {', '.join(bound)}")
