"""Mainline's drivers of the engines as modules for a kernel that has none, from its source."""

from __future__ import annotations

import dataclasses
import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import driver_source, kernels, packages
from axiometer.runs.cosim import build

SOURCE = "linux-source-6.12"
# In drivers/dma/ there; then a client of ours.
DRIVERS = ("dmaengine.h", "xilinx/xilinx_dma.c", "altera-msgdma.c", "dmatest.c")
CLIENT = "drivers/linux/dmaengine/dmaengine_loop.c"
PLACE = "/mainline"  # of the build's folder, in the kernel's root


def modules(kernel: kernels.Kernel, say: Callable[[str], None]) -> dict[str, Path]:
    """The modules by name, built if they are not there.

    AxiometerError if the source has not been fetched, or is of another version.
    """
    if not kernel.release.startswith(SOURCE.removeprefix("linux-source-") + "."):
        raise AxiometerError(
            f"there is no source of mainline's drivers for Linux {kernel.release}",
            remedy="take --kernel 6.12",
        )
    if not packages.root("workshop").there:
        raise AxiometerError(
            "mainline's drivers are built from Linux's source, which is not there",
            remedy="axiometer vm --fetch --engine axi-cdma fetches it, some 3 GB on the disk",
        )
    dma = kernels.source(SOURCE, say) / "drivers" / "dma"
    files = [dma / name for name in DRIVERS] + [driver_source.tree() / CLIENT]
    mark = hashlib.sha256(b"".join(path.read_bytes() for path in files))
    mark.update(f"{kernel.release} {kernel.image}".encode())
    folder = build.cache() / "vm" / "mainline" / f"{kernel.name}-{mark.hexdigest()[:16]}"
    sources = [path for path in files if path.suffix == ".c"]
    found = {path.stem: folder / "dma" / f"{path.stem}.ko" for path in sources}
    if not all(path.is_file() for path in found.values()):
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "dma").mkdir(parents=True)
        for path in files:  # drivers of a vendor look for headers above their folder
            at = folder / ("dma" if path.suffix == ".c" else "") / path.name
            shutil.copyfile(path, at)
            if path.suffix == ".h":
                shutil.copyfile(path, folder / "dma" / path.name)
        objects = " ".join(f"{path.stem}.o" for path in sources)
        (folder / "dma" / "Kbuild").write_text(f"obj-m := {objects}\n", encoding="utf-8")
        say(f"building mainline's drivers of DMA engines for Linux {kernel.release}")
        here = dataclasses.replace(kernel, places={**kernel.places, PLACE: folder})
        here.make(kernel.headers, f"M={PLACE}/dma", "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules")
    return found
