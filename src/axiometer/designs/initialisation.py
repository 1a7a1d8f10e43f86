"""Registers that a design's initialisation writes: `ps7_init` and `psu_init`, as .tcl or .c.

Read are masked writes with numbers, in order; polls, delays and names are passed over. Where a file
has the writes of several silicon versions, those of the newest count. What the files are
called, and what a register means, stands in `ps/`.
"""

from __future__ import annotations

import re

MAX_WRITES = 100_000
_HEX = r"(0[xX][0-9a-fA-F]{1,8})"
_TCL = re.compile(rf"^\s*(?:psu_)?mask_write\s+{_HEX}\s+{_HEX}\s+{_HEX}", re.MULTILINE)
_C = re.compile(rf"EMIT_MASKWRITE\(\s*{_HEX}\s*,\s*{_HEX}U?\s*,\s*{_HEX}U?\s*\)")
# psu_init.c names registers; a comment beside each write has the numbers.
_COMMENT = re.compile(rf"\(OFFSET, MASK, VALUE\)\s*\({_HEX}\s*,\s*{_HEX}U?\s*,\s*{_HEX}U?\s*\)")
_VERSION = re.compile(r"^(?:proc|unsigned long)\s+\w+_(\d_\d)\b", re.MULTILINE)


def registers(text: str) -> dict[int, int]:
    """Value of each register that `text` writes, from 0 where a masked write leaves bits."""
    found: dict[int, int] = {}
    for pattern in (_TCL, _C, _COMMENT):
        for count, match in enumerate(pattern.finditer(_newest(text))):
            if count == MAX_WRITES:
                break
            address, mask, value = (int(part, 16) for part in match.groups())
            found[address] = (found.get(address, 0) & ~mask) | (value & mask)
        if found:
            break
    return found


def field(value: int, bits: tuple[int, int] | list[int]) -> int:
    """Bits `high` to `low` (both included) of a register's value."""
    high, low = bits
    return (value >> low) & ((1 << (high - low + 1)) - 1)


def _newest(text: str) -> str:
    """The parts of `text` that are for the newest silicon, or for any."""
    marks = list(_VERSION.finditer(text))
    newest = max((mark[1] for mark in marks), default=None)
    if newest is None:
        return text
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    parts = [text[m.start() : end] for m, end in zip(marks, ends, strict=True) if m[1] == newest]
    return text[: marks[0].start()] + "".join(parts)
