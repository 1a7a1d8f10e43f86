"""Programs of host/apps/ in a guest's Linux: with our driver, or with registers by UIO.

With UIO the DMA memory is a huge page, which needs a design that is coherent with the caches.
"""

from __future__ import annotations

from collections.abc import Callable

from axiometer.base.errors import AxiometerError
from machines import bare, fabric, kernels, machine, programs, rings, vendor
from machines.guest import Guest
from machines.simulated import OnChip


def run(
    kernel_name: str,
    app: str,
    way: str,
    behind: str | OnChip,
    count: int,
    limit_s: float,
    heard: Callable[[str], object],
    say: Callable[[str], None],
    hear: Callable[[str], object] = machine.show,
) -> int:
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
    if app not in ("packets", rings.TIMES) or (app == rings.TIMES and way != "linux"):
        raise AxiometerError(
            f"the program {app} is not for this", remedy="packets, or packet_times on linux"
        )
    kernel = kernels.find(kernel_name, say)
    words, chip = [], None
    if isinstance(behind, OnChip):
        chip, served = behind, fabric.server(behind.design(), say, chip=True)
    elif engine == vendor.OWN:
        served = fabric.server(machine.design(), say)
    else:
        vendor.find(engine)
        served, words = fabric.engine_server(say), [f"--engine={engine}"]
    interrupt, bus = ("msix", "pci") if way == "linux" else ("intx", "platform")
    server = machine.Server(served, (interrupt, "20", *words), chip=chip, heard=heard)
    counted = bare.INSTRUCTION_LOG2_NS if app == rings.TIMES else 0
    settings = machine.Settings(
        kernel, bus, limit_s, nodes=programs.UIO_NODE, instruction_log2_ns=counted
    )
    if app == rings.TIMES:
        return machine.run(
            settings, server, rings.guest(kernel, bus, rings.SIZES, count, False), hear
        )
    files = {"bin/axm-packets": programs.app(kernel, app, say)}
    if way == "linux":
        module = programs.driver(kernel, say).module
        script = f"axm-packets -n {count} /dev/axm0c0\n"
        return machine.run(settings, server, Guest((module,), files, script=script), hear)
    place = f"base={machine.WINDOW:#x} size={machine.WINDOW_BYTES:#x} memory=hugepage"
    kind = engine.partition(",")[0]
    script = f"{programs.LOAD_UIO}axm-packets -n {count} /dev/uio0 {kind} {place}\n"
    files |= programs.uio(kernel, say)
    guest = Guest((), files, machine.ENABLE, script, "hugepages=4")
    return machine.run(settings, server, guest, hear)
