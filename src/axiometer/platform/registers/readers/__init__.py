"""Files with register writes: the choice of a reader, and `read_writes`.

A reader is a module with `understands(text)` and `read(text, file)`; to add one, add its file and
its line in `_READERS`. All are bounded, and report damage with file and line.
"""

from __future__ import annotations

from pathlib import Path

from axiometer.base import harmless, input_bounds
from axiometer.base.errors import AxiometerError
from axiometer.platform.registers.readers import dump, headers, init_file, quartus_handoff, table
from axiometer.platform.registers.results import Write

MAX_BYTES = 16 * 2**20
MAX_WRITES = 200_000
# In this order: the first that understands a text reads it.
_READERS = (quartus_handoff, table, headers, init_file, dump)
FORMS = (
    "a CSV table (address, mask, value), ps7_init or psu_init (.tcl or .c), pll_config.h and "
    "sdram_config.h of a preloader, hps.xml and emif.xml of Quartus, or the output of devmem, xsdb "
    "mrd or U-Boot md"
)


def read_writes(path: Path) -> list[Write]:
    """The register writes in the file at `path`, in order.

    AxiometerError if the file is too large, is not text, is damaged, or has no writes.
    """
    return writes_in(input_bounds.read(path, MAX_BYTES, "a file of registers"), path)


def writes_in(content: bytes, file: object) -> list[Write]:
    """Like `read_writes`, for a file's bytes; `file` is for errors."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise AxiometerError(
            "not UTF-8 text", file=file, line=line, remedy=f"give {FORMS}"
        ) from None
    return writes_of(text, file)


def writes_of(text: str, file: object) -> list[Write]:
    """The register writes in `text`; `file` is for errors."""
    odd = harmless.found_in(text.replace("\r", ""))
    if odd:
        raise AxiometerError(
            f"the text has the control character {odd}", file=file, remedy=f"give {FORMS}"
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for reader in _READERS:
        if reader.understands(text):
            writes: list[Write] = reader.read(text, file)
            if len(writes) > MAX_WRITES:
                raise AxiometerError(
                    f"more than {MAX_WRITES} writes", file=file, remedy="give an initialisation"
                )
            if writes:
                return writes
            break
    raise AxiometerError("the file has no register writes", file=file, remedy=f"give {FORMS}")
