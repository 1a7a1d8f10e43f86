"""Shared parts of the tests of register decoders: small samples made here, and the published files.

The published files are not distributed with Axiometer: those tests are left out where they are not.
"""

from __future__ import annotations

from pathlib import Path

import kit
from axiometer.platform.registers import Decoded, decode, read_writes

CHIPS = {"zynq-7000": 26, "zynq-ultrascale-plus": 24, "cyclone-v": 16}
BOARDS = {
    "zybo": ("zynq-7000", "zynq-zybo"),
    "zedboard": ("zynq-7000", "zynq-zed"),
    "zcu102": ("zynq-ultrascale-plus", "zynqmp-zcu102-rev1.1"),
    "ultra96": ("zynq-ultrascale-plus", "zynqmp-zcu100-revC"),
    "de1-soc": ("cyclone-v", "de1-soc"),
}

# A memory of our own on each chip: addresses and values of no board.
ZYNQ = """\
address,mask,value
0xF8000104,0x0007F000,0x00020000
0xF8000124,0xFFF00003,0x0C200003
0xF8006000,0x0001FFFF,0x00000081
0xF8006004,0x0007FFFF,0x00001081
0xF8006014,0x001FFFFF,0x0004285B
0xF8006018,0xF7FFFFFF,0x44E458D3
0xF800601C,0xFFFFFFFF,0x720238E5
0xF8006020,0x7FDFFFFC,0x270872D0
0xF800603C,0x000FFFFF,0x00000777
0xF8006040,0xFFFFFFFF,0xFFF00000
0xF8006044,0x0FFFFFFF,0x0FF66666
"""


def of_board(chip: str, name: str) -> Decoded:
    """A board's published registers, decoded."""
    return decode(chip, read_writes(kit.reference("registers", chip, f"{name}.csv")))


def all_boards() -> list[tuple[str, Path]]:
    """(chip, file) of every published board."""
    return [
        (chip, path)
        for chip in CHIPS
        for path in sorted(kit.reference("registers", chip).glob("*.csv"))
    ]
