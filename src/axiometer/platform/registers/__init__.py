"""Figures of a platform from a board's registers, after the writes of an initialisation.

`decode(chip, writes)` applies writes in order over the documented reset values and returns figures
of platform files (`dram.timing.tRC`, `clocks.ddr_mhz`, ...), and some that no model uses yet, each
with register, field and value as its source. `read_writes(path)` reads writes from a CSV table, a
`ps7_init` or `psu_init` file, headers of a Cyclone V preloader, or the output of `devmem`, xsdb
`mrd` or U-Boot `md`.

Facts about registers are data in the chip's folder: `registers/`, a file a module, and
`figures.toml` for figures of several fields. `rules/` has the operations for its expressions. Not
for: boards (which file belongs to which board), designs in the fabric, the model's use of figures.
"""

from axiometer.platform.registers.decoder import (
    check_chip,
    chip_of,
    decode,
    decode_some,
    usable_chips,
)
from axiometer.platform.registers.readers import read_writes
from axiometer.platform.registers.results import Decoded, Figure, Unknown, Write

__all__ = [
    "Decoded",
    "Figure",
    "Unknown",
    "Write",
    "check_chip",
    "chip_of",
    "decode",
    "decode_some",
    "read_writes",
    "usable_chips",
]
