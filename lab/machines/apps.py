"""Programs of host/apps/ in a guest's Linux: with our driver, or with registers by UIO.

With UIO the DMA memory is a huge page, which needs a design that is coherent with the caches.
"""

from __future__ import annotations

from axiometer.base.errors import AxiometerError
from axiometer.base.standard_streams import tell
from machines import bare, kernels, machine, programs, rings, vendor
from machines.guest import Guest
from machines.simulated import OnChip


def run(
    kernel_name: str, app: str, way: str, behind: str | OnChip, count: int, limit_s: float,
    heard: machine.Heard = tell, hear: machine.Heard = machine.show,
) -> int:  # fmt: skip
    """Send `count` packets (with packet_times: of each size) through the design or, with UIO, the
    model of an engine; print the program's output and return its exit status.

    way: linux (our driver) or uio. behind: the engine's name, or the chip behind our design. heard:
    as machine.Server. hear: as machine.run.
    """
    engine = behind if isinstance(behind, str) else vendor.OWN
    if way == "linux" and engine != vendor.OWN:
        raise AxiometerError(
            "this project's driver supports only its own engine", remedy="use --on uio"
        )
    if app != "packets" and (app, way) != (rings.TIMES, "linux"):
        raise AxiometerError(
            f"the program {app} is not for this", remedy="packets, or packet_times on linux"
        )
    kernel = kernels.find(kernel_name)
    interrupt, bus = ("msix", "pci") if way == "linux" else ("intx", "platform")
    server = machine.Server(behind, interrupt, heard)
    counted = bare.INSTRUCTION_LOG2_NS if app == rings.TIMES else 0
    nodes = programs.UIO_NODE
    settings = machine.Settings(kernel, bus, limit_s, nodes=nodes, instruction_log2_ns=counted)
    if app == rings.TIMES:
        guest = rings.guest(kernel, bus, count, False)
    else:
        files = {"bin/axm-packets": programs.app(kernel, app)}
        if way == "linux":
            module = programs.driver(kernel).module
            guest = Guest((module,), files, script=f"axm-packets -n {count} /dev/axm0c0\n")
        else:
            place = f"base={machine.WINDOW:#x} size={machine.WINDOW_BYTES:#x} memory=hugepage"
            call = f"axm-packets -n {count} /dev/uio0 {engine.partition(',')[0]} {place}\n"
            files |= programs.uio(kernel)
            script = f"{programs.LOAD_UIO}{call}"
            guest = Guest((), files, machine.ENABLE, script, "hugepages=4")
    return machine.run(settings, server, guest, hear)
