"""Linux' device tree of a project, `write(plan, choice, directory)`:

    linux/bitstream.dtso  the FPGA region: applying it programs the bitstream; widths, clock
    linux/axm.dtso        the devices; apply it afterwards, when the ports have their widths
    linux/memory.dtso     memory reserved for buffers; only U-Boot can apply it, before Linux
    linux/system.bif      for bootgen: makes the bitstream for Linux' FPGA manager
    linux/linux.json      driver and memory, for `axiometer doctor` and other tools

No file was ever applied on a board; `lab/project_proof/trees.py` compiles them with dtc and
compares them with the plan.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import atomic_file
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.bringup.projects.devicetree import mainline, overlay
from axiometer.bringup.projects.plan import Plan

DRIVERS = ("axm", "uio", "mainline")
MEMORIES = ("cma", "reserved")
USUAL_MIB = 16
FOLDER = "linux"


@dataclass(frozen=True)
class Choice:
    """The design's settings in Linux. `driver`: axm (drivers/linux), uio, or mainline (the kernel's
    driver for vendors' engines). With uio, `mib` MiB of memory for buffers (0: the top has no
    masters), from the kernel's contiguous memory ("cma") or reserved memory ("reserved")."""

    driver: str
    memory: str
    mib: int


def choose(
    plan: Plan, driver: str | None = None, memory: str | None = None, mib: int | None = None
) -> Choice:
    """The requested settings, or the defaults: axm where the design has DMA engines with rings,
    else uio; 16 MiB of the kernel's contiguous memory. AxiometerError for impossible settings."""
    rings = plan.top == "dma" and plan.module.parameters["RINGS"] == 1
    for option, value, known in (("--driver", driver, DRIVERS), ("--memory", memory, MEMORIES)):
        if value is not None and value not in known:
            raise AxiometerError(
                f"{option} is {value!r}", remedy=did_you_mean(value, known, "choices")
            )
    driver = driver or ("axm" if rings else "uio")
    if driver == "axm" and not rings:
        raise AxiometerError(
            "the driver axm drives DMA engines with rings, and this design has none",
            remedy="use --top dma --set RINGS=1, or --driver uio",
        )
    if driver == "mainline" and not mainline.drives(plan):
        raise AxiometerError(
            "the kernel's driver is for AMD's AXI DMA and AXI CDMA, and this design has neither",
            remedy="use --top vendor-dma, vendor-sg or vendor-cdma, or --driver uio",
        )
    if driver != "uio" or not plan.links:
        if memory is not None or mib is not None:
            raise AxiometerError(
                f"the driver {driver} allocates its own memory"
                if plan.links
                else "the top has no masters",
                remedy="remove --memory and --memory-mib",
            )
        return Choice(driver, "cma", 0)
    mib = USUAL_MIB if mib is None else mib
    most = overlay.reach(plan).size >> 20
    if not 1 <= mib <= most // 2:
        raise AxiometerError(
            f"--memory-mib is {mib}",
            remedy=f"give 1 to {most // 2}, half of the memory that all ports reach",
        )
    return Choice(driver, memory or "cma", mib)


def write(plan: Plan, choice: Choice, directory: Path) -> list[Path]:
    """Write the files into `linux/` of a project's directory and return the written files.
    AxiometerError where they cannot be written."""
    texts = {"linux.json": json.dumps(summary(plan, choice), indent=1) + "\n"}
    if "bridges" in plan.system["tree"]:
        texts["axm.dtso"] = overlay.fabric(plan, choice)
    else:
        texts["bitstream.dtso"] = overlay.bitstream(plan)
        texts["axm.dtso"] = overlay.devices(plan, choice)
        texts["system.bif"] = overlay.bif(plan)
    if choice.memory == "reserved":
        texts["memory.dtso"] = overlay.memory(plan, choice)
    return atomic_file.write_texts(directory / FOLDER, texts)


def summary(plan: Plan, choice: Choice) -> dict[str, object]:
    """The design's settings in Linux, for other tools. `buffer_mib`: 0 without a buffer."""
    return {
        "note": plan.never_run,
        "driver": choice.driver,
        "memory": choice.memory,
        "buffer_mib": choice.mib,
    }


def shown(choice: Choice) -> str:
    """A line on the design's settings in Linux, printed when a project is written."""
    if not choice.mib:
        return f"Linux: {FOLDER}/axm.dtso, driver {choice.driver}"
    memory = "reserved" if choice.memory == "reserved" else "of the kernel's contiguous memory"
    return f"Linux: {FOLDER}/axm.dtso, driver {choice.driver}, {choice.mib} MiB {memory}"
