"""The key `program`: how software starts a point's transfers and detects their end."""

from __future__ import annotations

from axiometer.base.errors import BadValueError, did_you_mean
from axiometer.experiment import keys_shared
from axiometer.experiment.values import Values
from axiometer.platform import Platform, limits

FREE = "free-running"
"""The program of engines that run for a time, such as the published ones of the UltraScale+."""
USUAL = {"bare-metal": "bare-metal-polling", "linux": "linux-driver-interrupt"}
"""The default program, by operating system."""
_OF_DMA = ("excluded", "included")


def parse(raw: object, platform: Platform, values: Values) -> str:
    """The name of a program. BadValueError for an unknown name, or if no software starts the
    master."""
    if raw in _OF_DMA:
        raise BadValueError(
            f"program is {limits.shown(raw)}",
            f"write dma_program = {raw!r}",
        )
    if not isinstance(raw, str) or raw not in platform.programs:
        hint = did_you_mean(limits.shown(raw), platform.programs, "known programs")
        raise BadValueError(f"program is {limits.shown(raw)}", hint)
    if not _starts(values):
        raise BadValueError(
            f"program is {limits.shown(raw)}, but master {values['master']} does not use one",
            "remove it: the master's figures include its start",
        )
    return raw


def usual(platform: Platform, values: Values) -> str | None:
    """The default program; None if no program starts the master."""
    if not platform.programs or not _starts(values):
        return None
    return FREE if keys_shared.is_free(platform, values) else USUAL[values["os"]]


def _starts(values: Values) -> bool:
    """Whether a program starts engines at the memory; any master in tables may be one."""
    return values["mode"] == "masters" or values["master"] in keys_shared.ENGINES
