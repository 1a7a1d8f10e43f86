"""Numbers in register files, and the error for other texts."""

from __future__ import annotations

import re

from axiometer.base import harmless
from axiometer.base.errors import AxiometerError

_NUMBER = re.compile(r"\(?\s*(0[xX][0-9a-fA-F]{1,8}|[0-9]{1,10})(?:[uU]?[lL]{0,2})\s*\)?")
_LARGEST = 2**32 - 1


def number(text: str) -> int | None:
    """The 32-bit number in `text` (0x..., decimal, with U or UL, in brackets), or None."""
    found = _NUMBER.fullmatch(text.strip())
    value = None if found is None else int(found[1], 0 if found[1][:2].lower() == "0x" else 10)
    return value if value is not None and value <= _LARGEST else None


def needed(text: str, what: str, file: object, line: int) -> int:
    """Like `number`, but AxiometerError for other texts."""
    value = number(text)
    if value is None:
        raise AxiometerError(
            f"{what} is {harmless.quoted(text)}",
            file=file,
            line=line,
            remedy="give a number of at most 32 bits, such as 0xF8006000, and the whole file",
        )
    return value


def register_address(text: str, file: object, line: int) -> int:
    """An address of a 32-bit register, or AxiometerError."""
    address = needed(text, "an address", file, line)
    if address % 4:
        raise AxiometerError(
            f"the address {address:#x} is not that of a 32-bit register",
            file=file,
            line=line,
            remedy="addresses are multiples of 4",
        )
    return address
