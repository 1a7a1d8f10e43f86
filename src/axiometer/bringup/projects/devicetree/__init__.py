"""Linux' device tree of a project, `write(plan, choice, directory)`:

    linux/bitstream.dtso  the FPGA region: applying it programs the bitstream; widths, clock
    linux/axm.dtso        the devices, to be applied after it, when the ports have their widths
    linux/memory.dtso     memory that is kept for buffers; only U-Boot can apply it, before Linux
    linux/system.bif      for bootgen: the bitstream as Linux' FPGA manager takes it
    linux/linux.json      driver and memory, for `axiometer doctor` and other tools

None of them was ever applied on a board; `validate/projects/devicetree/` compiles them with dtc and
compares them with the block design.
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
    """How Linux has the design: `driver` is axm (drivers/linux), uio, or mainline (the kernel's for
    vendors' engines); with uio, `mib` MiB of memory for buffers (0: the top has no masters), of the
    kernel's own contiguous memory ("cma") or kept for it ("reserved")."""

    driver: str
    memory: str
    mib: int


def choose(
    plan: Plan, driver: str | None = None, memory: str | None = None, mib: int | None = None
) -> Choice:
    """What is asked for, or what is usual: axm where the design has what that driver drives (DMA
    engines with rings), else uio; 16 MiB of the kernel's own. AxiometerError for what cannot be."""
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
            remedy="give --top dma --set RINGS=1, or --driver uio",
        )
    if driver == "mainline" and not mainline.drives(plan):
        raise AxiometerError(
            "the kernel's driver is for AMD's AXI DMA and AXI CDMA, and this design has neither",
            remedy="give --top vendor-dma, vendor-sg or vendor-cdma, or --driver uio",
        )
    if driver != "uio" or not plan.links:
        if memory is not None or mib is not None:
            raise AxiometerError(
                f"the driver {driver} takes its own memory"
                if plan.links
                else "the top has no masters",
                remedy="leave --memory and --memory-mib out",
            )
        return Choice(driver, "cma", 0)
    mib = USUAL_MIB if mib is None else mib
    most = overlay.reach(plan).size >> 20
    if not 1 <= mib <= most // 2:
        raise AxiometerError(
            f"--memory-mib is {mib}", remedy=f"give 1 to {most // 2}, half of what all ports reach"
        )
    return Choice(driver, memory or "cma", mib)


def write(plan: Plan, choice: Choice, directory: Path) -> list[Path]:
    """Write the files into `linux/` of a project's directory; those that were written.
    AxiometerError where they cannot be."""
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
    """How Linux has the design, for other tools. `buffer_mib`: 0 where it needs no buffer."""
    return {
        "note": plan.never_run,
        "driver": choice.driver,
        "memory": choice.memory,
        "buffer_mib": choice.mib,
    }


def shown(choice: Choice) -> str:
    """A line for who writes a project: what Linux has it with."""
    if not choice.mib:
        return f"Linux: {FOLDER}/axm.dtso, driver {choice.driver}"
    memory = "kept for it" if choice.memory == "reserved" else "of the kernel's contiguous memory"
    return f"Linux: {FOLDER}/axm.dtso, driver {choice.driver}, {choice.mib} MiB {memory}"
