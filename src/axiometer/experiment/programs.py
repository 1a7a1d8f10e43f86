"""The key `program`: how software starts a point's transfers and sees their end."""

from __future__ import annotations

from axiometer.base.errors import BadValueError, did_you_mean
from axiometer.experiment import keys_shared
from axiometer.experiment.values import Values
from axiometer.platform import Platform, limits

FREE = "free-running"
"""Of engines that run for a time, as the published ones of the Zynq UltraScale+."""
USUAL = {"bare-metal": "bare-metal-polling", "linux": "linux-driver-interrupt"}
"""The program of a point that names none, by its operating system."""
_OF_DMA = ("excluded", "included")


def parse(raw: object, platform: Platform, values: Values) -> str:
    """The name of a program. BadValueError if there is none of that name, or nothing to start."""
    if raw in _OF_DMA:
        raise BadValueError(
            f"program is {limits.shown(raw)}", f"write dma_program = {raw!r}: the key has that name"
        )
    if not isinstance(raw, str) or raw not in platform.programs:
        hint = did_you_mean(limits.shown(raw), platform.programs, "known programs")
        raise BadValueError(f"program is {limits.shown(raw)}", hint)
    if not _starts(values):
        raise BadValueError(
            f"program is {limits.shown(raw)}, but a {values['master']} moves the data",
            "leave it out: its own figures say how it starts",
        )
    return raw


def usual(platform: Platform, values: Values) -> str | None:
    """The program of a point that names none; None where none starts it."""
    if not platform.programs or not _starts(values):
        return None
    return FREE if keys_shared.is_free(platform, values) else USUAL[values["os"]]


def _starts(values: Values) -> bool:
    """Whether a program starts engines at the memory: of masters in tables, any may be one."""
    return values["mode"] == "masters" or values["master"] in keys_shared.ENGINES
