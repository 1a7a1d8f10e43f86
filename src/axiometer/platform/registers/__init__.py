"""What a board's registers say: writes of an initialisation become figures of a platform.

`decode(chip, writes)` applies writes in their order over the documented reset values and gives the
figures that today's platform files have (`dram.timing.tRC`, `clocks.ddr_mhz`, ...), and some that
no model uses yet, each with register, field and value as its source. `read_writes(path)` reads
writes from a CSV table, a `ps7_init` or `psu_init` file, headers of a Cyclone V preloader, or the
text that `devmem`, xsdb `mrd` or U-Boot `md` print.

Facts about registers are data, in the chip's folder: `registers/`, a file a module, and
`figures.toml` for what takes several fields. Code is what expressions may name (`rules/`). Not for:
boards (which file is which board's), designs in the fabric, what the model makes of a figure.
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
