"""Scripts that bring a board to a project, `scripts.write(plan, choice, directory)`:

    boot/afi.sh       Linux: set the ports' widths, put back what was there
    boot/overlay.sh   Linux: load and unload the overlay, with the widths
    boot/boot.cmd     U-Boot: bitstream, widths, kept memory, Linux
    boot/xsdb.tcl     XSCT, xsdb: from reset over JTAG to a program without operating system
    boot/openocd.cfg  OpenOCD, the same (Zynq-7000)

None of them was ever run on a board; `validate/projects/boot/` runs them without one.
"""

from __future__ import annotations

from dataclasses import dataclass

from axiometer.base import chip_files
from axiometer.bringup.doctor import chip
from axiometer.bringup.projects.plan import Plan

FOLDER = "boot"
WORD = 0xFFFFFFFF


@dataclass(frozen=True)
class Width:
    """A register with the width of a port: its `mask` bits become those of `value`; `source`: the
    document."""

    name: str
    address: int
    mask: int
    value: int
    source: str

    @property
    def keep(self) -> int:
        """The bits that stay."""
        return WORD & ~self.mask


def of_chip(plan: Plan) -> chip_files.Table:
    """What the `boot.toml` of the plan's chip says."""
    return chip_files.read(plan.chip, "boot") or {}


def widths(plan: Plan) -> list[Width]:
    """The registers of the widths of the plan's ports, from the table that the doctor reads."""
    known = chip.named(plan.chip)
    return [
        Width(w.name, w.address, w.field.mask, value << w.field.low, w.source)
        for link in plan.links
        for w in (known.widths.get(link.name, ()) if known else ())
        for value, bits in w.widths.items()
        if bits == link.width
    ]
