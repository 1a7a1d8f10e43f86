"""The packet programs in a virtual machine's Linux: with our driver, or with registers by UIO.

With UIO the DMA memory is a huge page, which needs a design that is coherent with the caches.
"""

from __future__ import annotations

import dataclasses
import hashlib
import lzma
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import (
    bare,
    driver_source,
    guest_programs,
    kernels,
    machine,
    mainline,
    packages,
    trials_vendor,
)
from axiometer.bringup.vm.devicetree import Node, text
from axiometer.bringup.vm.guest import Guest
from axiometer.bringup.vm.simulated import OnChip
from axiometer.runs.cosim import build

APP, TIMES = "packets", "packet_times"  # of host/apps/
APPS = (APP, TIMES)
SIZES = tuple(2**n for n in range(6, 16))  # of packet_times.c: bytes of its packets
WAYS = ("driver", "uio")
PLACE = "/apps"  # of the sources, in the kernel's root
RING_LOG2 = 2  # of the driver, for packet_times.c: as many slots as its channels have elsewhere
COMPATIBLE = "generic-uio"
LOAD_UIO = f"insmod /uio.ko\ninsmod /uio_pdrv_genirq.ko of_id={COMPATIBLE}\n"
# Files of hal/ for the target Linux.
TARGET = (
    *("arena", "bus_error", "hugepage", "kept_memory", "linux"),
    *("linux_channel", "linux_environment", "linux_platform", "posix_line", "udmabuf"),
)


def program(kernel: kernels.Kernel, app: str, say: Callable[[str], None]) -> Path:
    """A static program of APPS for the guest, built if necessary."""
    own = [f"apps/{app}.c", f"apps/{app}_linux.c"]
    return compiled(kernel, "axm-" + app.replace("_", "-"), own, say)


def compiled(
    kernel: kernels.Kernel, name: str, own: Sequence[str], say: Callable[[str], None]
) -> Path:
    """A static program for the guest from the library, the target Linux, and `own` files of host/;
    built if necessary."""
    rooms = {"host": data.directory("host"), "regs": data.directory("regs")}
    rooms[driver_source.DRIVER] = driver_source.tree() / driver_source.DRIVER  # its axm_ioctl.h
    parts = sorted(path for room in rooms.values() for path in room.rglob("*.[ch]"))
    mark = hashlib.sha256(kernel.architecture["compiler"].encode())
    for path in parts:
        mark.update(path.read_bytes())
    folder = build.cache() / "vm" / "apps" / f"{name}-{mark.hexdigest()[:16]}"
    target = folder / name
    if not target.is_file():
        say(f"building {name}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        places = {f"{PLACE}/{name}": room for name, room in rooms.items()}
        here = dataclasses.replace(kernel, places=places | {f"{PLACE}/out": folder})
        listed = (rooms["host"] / "sources.txt").read_text(encoding="utf-8").splitlines()
        files = [line for line in listed if line.startswith("src/")]
        files += [f"hal/{name}.c" for name in TARGET]
        files += own
        includes = [line for line in listed if line.startswith("-I")]
        words = [f"-I{PLACE}/host/{line.removeprefix('-I')}" for line in includes]
        words += [f"-I{PLACE}/host/apps", *(f"{PLACE}/host/{name}" for name in files)]
        here.compile("-std=c11", *guest_programs.STRICT, *words, "-o", f"{PLACE}/out/{name}")
    return target


def run(
    kernel_name: str,
    app: str,
    way: str,
    behind: str | OnChip,
    count: int,
    latency: int,
    limit_s: float,
    heard: Callable[[str], object],
    say: Callable[[str], None],
) -> int:
    """Send `count` packets (with packet_times.c: of each size) through the design or, with UIO, the
    model of an engine (lab/engines/); print the program's output and return its exit status.

    behind: the engine's name, or the chip behind our design. heard: as machine.Server.
    """
    engine = behind if isinstance(behind, str) else trials_vendor.OWN
    if way == "driver" and engine != trials_vendor.OWN:
        raise AxiometerError(
            "this project's driver supports only its own engine", remedy="use --linux uio"
        )
    if app == TIMES and way != "driver":
        raise AxiometerError(f"{app} needs the driver", remedy="use --linux driver")
    served, words = _served(behind, latency, say)
    kernel = kernels.find(kernel_name, say)
    interrupt, bus = ("msix", "pci") if way == "driver" else ("intx", "platform")
    chip = behind if isinstance(behind, OnChip) else None
    server = machine.Server(served, (interrupt, *words), chip=chip, heard=heard)
    counted = bare.INSTRUCTION_LOG2_NS if app == TIMES else 0
    settings = machine.Settings(kernel, bus, limit_s, nodes=nodes, instruction_log2_ns=counted)
    if app == TIMES:
        return machine.run(settings, server, times(kernel, bus, SIZES, count, False, say))
    kind = engine.partition(",")[0]
    return machine.run(settings, server, guest(kernel, way, kind, count, say))


def _served(
    behind: str | OnChip, latency: int, say: Callable[[str], None]
) -> tuple[Path, list[str]]:
    """The server of a device, and its arguments after the kind of its interrupt."""
    if isinstance(behind, OnChip):
        return build.server(behind.design(), say, chip=True), [str(latency)]
    if behind == trials_vendor.OWN:
        return build.server(machine.design(), say), [str(latency)]
    trials_vendor.find(behind)
    return build.engine_server(say), [str(latency), f"--engine={behind}"]


def guest(
    kernel: kernels.Kernel, way: str, engine: str, count: int, say: Callable[[str], None]
) -> Guest:
    """Runs the program with `count` packets. way: of WAYS. engine: a name of axm/engines/pair.h."""
    table = packages.listed()["kernels"][kernel.name]
    architecture, files = table["architecture"], {"bin/axm-packets": program(kernel, APP, say)}
    if way == "driver":
        module = guest_programs.built(kernel, say).module
        script = f"axm-packets -n {count} /dev/axm0c0\n"
        return Guest(architecture, (module,), files, script=script)
    files |= uio_modules(kernel, say)
    words = f"base={machine.WINDOW:#x} size={machine.WINDOW_BYTES:#x} memory=hugepage"
    script = f"""{LOAD_UIO}axm-packets -n {count} /dev/uio0 {engine} {words}
"""
    return Guest(
        architecture, files=files, before=machine.ENABLE, script=script, words="hugepages=4"
    )


def times(
    kernel: kernels.Kernel,
    bus: str,
    sizes: Sequence[int],
    packets: int,
    copies: bool,
    say: Callable[[str], None],
) -> Guest:
    """Runs packet_times.c with the driver, a program for each size. bus: of machine.BUSES, on which
    the driver must find the design. copies: by write and read."""
    table = packages.listed()["kernels"][kernel.name]
    files = {"bin/axm-packet-times": program(kernel, TIMES, say)}
    how = f"{'-c ' if copies else ''}-n {packets} /dev/axm0c0"
    name = "pci" if bus == "pci" else "platform"
    script = f"""[ -n "$(ls -d /sys/bus/{name}/drivers/axiometer/*/axm)" ] || exit 1
rmmod axiometer && insmod /axiometer.ko ring_log2={RING_LOG2} || exit 1
for bytes in {" ".join(map(str, sizes))}; do
  axm-packet-times {how} $bytes || exit 1
done
"""
    module = guest_programs.built(kernel, say).module
    before = "" if bus == "pci" else machine.ENABLE
    return Guest(table["architecture"], (module,), files, before=before, script=script)


def agent_sources() -> list[Path]:
    """The files of the agent on Linux."""
    return sorted((data.directory("host") / "agent").glob("*.c"))


def uio_modules(kernel: kernels.Kernel, say: Callable[[str], None]) -> dict[str, Path]:
    """The modules that LOAD_UIO loads, by path."""
    built = mainline.modules(kernel, mainline.UIO, [], say)
    return {
        "uio.ko": _debian(kernel, "uio"),
        "uio_pdrv_genirq.ko": built["uio_pdrv_genirq"],
    }


def nodes(coherent: bool) -> Sequence[Node]:
    """Nodes of the device tree for UIO. AxiometerError unless coherent: a huge page has no cache
    maintenance."""
    if not coherent:
        raise AxiometerError(
            "a huge page as DMA memory needs a coherent design", remedy="use --bus platform"
        )
    properties = {"compatible": text(COMPATIBLE)} | machine.place(coherent)
    return [Node(f"axiometer@{machine.WINDOW:x}", properties)]


def _debian(kernel: kernels.Kernel, name: str) -> Path:
    """A module of Debian's kernel, unpacked."""
    folder = packages.linux(kernel.name)
    found = list(folder.path.rglob(f"{name}.ko.xz")) if folder is not None else []
    if not found:
        raise AxiometerError(
            f"Linux {kernel.name} lacks the module {name}", remedy="use --kernel 6.12"
        )
    target = build.cache() / "vm" / "apps" / kernel.release / f"{name}.ko"
    if not target.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(lzma.decompress(found[0].read_bytes()))
    return target
