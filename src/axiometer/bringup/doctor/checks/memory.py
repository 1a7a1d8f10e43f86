"""Checks of DMA memory: the kernel's contiguous memory, and u-dma-buf."""

from __future__ import annotations

import re

from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes

CLASSES = ("/sys/class/u-dma-buf", "/sys/class/udmabuf")
BUFFER = "udmabuf0"
# ikwzm/udmabuf, issue 31 and pull request 28: modes that map a buffer as memory of a device.
_AS_DEVICE = ("1", "5")
_DEVICE = (
    "a 64-bit Arm sees a device, and memcpy or memset of unaligned addresses end with a bus error: "
    "copy whole words at aligned addresses, or write 2 to it"
)
_NONE_NEEDED = "the design needs no buffer of Linux"


def contiguous(visit: Visit) -> Finding:
    """The kernel's contiguous memory for the design's buffer, or reserved memory."""
    notes = Notes("contiguous-memory")
    wanted = visit.expected.buffer_mib
    if visit.target.simulated:
        return notes.not_checked("a simulation has no kernel")
    info = visit.text("/proc/meminfo")
    if info is None:
        return notes.not_checked("there is no /proc/meminfo")
    told = re.findall(r"^(CmaTotal|CmaFree):\s+(\d+) kB", info, re.M)
    found = {name: int(kib) for name, kib in told}
    notes.saw(f"/proc/meminfo: {', '.join(f'{k} {v} kB' for k, v in found.items()) or 'no CMA'}")
    if wanted == 0:
        return notes.ok(_NONE_NEEDED)
    if visit.expected.memory == "reserved":
        kept = [name for name in visit.names("/proc/device-tree/reserved-memory") if "axm" in name]
        notes.saw(f"/proc/device-tree/reserved-memory: {', '.join(kept) or 'nothing of ours'}")
        if not kept:
            return notes.fault(
                "the project's reserved memory is missing in the kernel's device tree",
                "apply linux/memory.dtso in U-Boot (fdt apply) before Linux starts",
            )
        return notes.ok("the project's memory is reserved")
    total = found.get("CmaTotal", 0) >> 10
    if total < (wanted or 1):
        return notes.fault(
            f"the kernel has {total} MiB of contiguous memory, the design's buffer needs "
            f"{wanted or 'some'}",
            f"add cma={2 * (wanted or 16)}M to the kernel's arguments, or build the project with "
            "--memory reserved",
        )
    return notes.ok(f"{total} MiB of contiguous memory")


def buffer(visit: Visit) -> Finding:
    """The agent's u-dma-buf device and its size."""
    notes = Notes("u-dma-buf")
    wanted = visit.expected.buffer_mib
    if visit.target.simulated:
        return notes.not_checked("a simulation has no kernel")
    if visit.expected.driver == "axm" or wanted == 0:
        return notes.ok(_NONE_NEEDED)
    for folder in CLASSES:
        size = visit.text(f"{folder}/{BUFFER}/size")
        if size is None:
            continue
        notes.saw(f"{folder}/{BUFFER}/size: {size}")
        if not size.isdecimal():
            return notes.fault("its size is not a number", "reload the module u-dma-buf")
        if wanted is not None and int(size) < wanted << 20:
            return notes.fault(
                f"{BUFFER} has {int(size) >> 10} KiB, the project needs {wanted << 10} KiB",
                "remove the overlay, which may be of another project, and apply this project's",
            )
        mode = visit.text(f"{folder}/{BUFFER}/sync_mode") or "unknown"
        notes.saw(f"{folder}/{BUFFER}/sync_mode: {mode}")
        also = f"; with sync_mode {mode} {_DEVICE}" if mode in _AS_DEVICE else ""
        return notes.ok(f"{BUFFER}: {int(size) >> 10} KiB{also}")
    notes.saw(f"no {BUFFER} in {' or '.join(CLASSES)}")
    return notes.fault(
        f"there is no DMA memory {BUFFER}",
        "load the module u-dma-buf (github.com/ikwzm/udmabuf), built for this kernel, then apply "
        "the project's overlay",
    )
