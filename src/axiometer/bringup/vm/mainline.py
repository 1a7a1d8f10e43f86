"""Builds mainline's drivers as modules for a kernel without them, from its source."""

from __future__ import annotations

import dataclasses
import hashlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import driver_source, kernels, packages
from axiometer.runs.cosim import build

SOURCE = "linux-source-6.12"
# In drivers/ there.
DMA = ("dma/dmaengine.h", "dma/xilinx/xilinx_dma.c", "dma/altera-msgdma.c", "dma/dmatest.c")
UIO = ("uio/uio_pdrv_genirq.c",)
CLIENT = "drivers/linux/dmaengine/dmaengine_loop.c"  # of the engines, ours
PLACE = "/mainline"  # of the build's folder, in the kernel's root


def modules(
    kernel: kernels.Kernel, drivers: Sequence[str], own: Sequence[str], say: Callable[[str], None]
) -> dict[str, Path]:
    """The modules of `drivers` and of our files `own`, by name; built if necessary.

    AxiometerError if the source has not been fetched or has another version.
    """
    if not kernel.release.startswith(SOURCE.removeprefix("linux-source-") + "."):
        raise AxiometerError(
            f"there is no source of mainline's drivers for Linux {kernel.release}",
            remedy="use --kernel 6.12",
        )
    if not packages.root("workshop").there:
        raise AxiometerError(
            "mainline's drivers are built from Linux's source, which is missing",
            remedy="fetch it with axiometer vm --fetch --engine axi-cdma, some 3 GB on the disk",
        )
    source = kernels.source(SOURCE, say) / "drivers"
    files = [source / name for name in drivers] + [driver_source.tree() / name for name in own]
    mark = hashlib.sha256(b"".join(path.read_bytes() for path in files))
    mark.update(f"{kernel.release} {kernel.image}".encode())
    folder = build.cache() / "vm" / "mainline" / f"{kernel.name}-{mark.hexdigest()[:16]}"
    sources = [path for path in files if path.suffix == ".c"]
    found = {path.stem: folder / "modules" / f"{path.stem}.ko" for path in sources}
    if not all(path.is_file() for path in found.values()):
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "modules").mkdir(parents=True)
        for path in files:  # drivers of a vendor look for headers above their folder
            at = folder / ("modules" if path.suffix == ".c" else "") / path.name
            shutil.copyfile(path, at)
            if path.suffix == ".h":
                shutil.copyfile(path, folder / "modules" / path.name)
        objects = " ".join(f"{path.stem}.o" for path in sources)
        (folder / "modules" / "Kbuild").write_text(f"obj-m := {objects}\n", encoding="utf-8")
        say(f"building mainline's drivers for Linux {kernel.release}")
        here = dataclasses.replace(kernel, places={**kernel.places, PLACE: folder})
        here.make(kernel.headers, f"M={PLACE}/modules", "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules")
    return found
