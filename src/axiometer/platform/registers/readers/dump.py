"""Registers of a running board: address and value in the output of tools.

    0xF8006000 0x00000081          or with = or : between them
    F8006000:   00000081           xsdb mrd
    f8006000: 00000081 0000107f    ....    U-Boot md: up to four words, then characters
    # devmem 0xF8006000 / 0x00000081       a command, and its answer in the next line

A line that begins with no address is skipped, unless it is the answer to a command; a line that
begins with an address must continue with words.
"""

from __future__ import annotations

import re

from axiometer.base.errors import AxiometerError
from axiometer.platform.registers.readers.numbers import register_address
from axiometer.platform.registers.results import Write

_HEX = "(?:0[xX])?[0-9a-fA-F]{8}"
_LINE = re.compile(rf"\s*({_HEX})\s*[:=,\s]\s*(.*)")
_WORDS = re.compile(r"((?:0[xX])?[0-9a-fA-F]{1,8})(?=\s|$)")
_COMMAND = re.compile(
    rf"\s*(?:\S*[#$>]\s*)?(?:sudo\s+)?(?:\S*/)?devmem2?\s+({_HEX})(?:\s+\w+)?\s*$"
)
_ANSWER = re.compile(r"\s*(?:Value at address[^:]*:\s*)?(0[xX][0-9a-fA-F]{1,8})\s*$")
_DEVMEM2 = re.compile(rf"\s*Value at address ({_HEX})[^:]*:\s*(0[xX][0-9a-fA-F]{{1,8}})\s*$")
_MOST_WORDS = 16  # of one line
_ALL = 0xFFFFFFFF


def understands(text: str) -> bool:
    """Whether any line begins with an address and a value, or is a command to read one."""
    return any(
        _LINE.match(line) or _COMMAND.match(line) or _DEVMEM2.match(line)
        for line in text.split("\n")
    )


def read(text: str, file: object) -> list[Write]:
    """Each word as a write of the whole register."""
    found: list[Write] = []
    asked: str | None = None
    for line, content in enumerate(text.split("\n"), 1):
        printed = _DEVMEM2.match(content)
        command = _COMMAND.match(content)
        answer = _ANSWER.match(content) if asked else None
        if printed:
            found.append(_one(printed[1], printed[2], file, line))
        elif answer and asked:
            found.append(_one(asked, answer[1], file, line))
        elif command:
            asked = command[1]
            continue
        elif begun := _LINE.match(content):
            found += _words(begun[1], begun[2], file, line)
        asked = None
    return found


def _one(address: str, value: str, file: object, line: int) -> Write:
    at = register_address(_with_0x(address), file, line)
    return Write(at, _ALL, int(value, 16), None, line)


def _words(start: str, rest: str, file: object, line: int) -> list[Write]:
    address = register_address(_with_0x(start), file, line)
    values: list[str] = []
    # U-Boot's characters follow the words after four blanks, and may look like words.
    for text in rest.split("    ")[0].split():
        word = _WORDS.fullmatch(text)
        if word is None or len(values) == _MOST_WORDS:
            break
        values.append(word[1])
    if not values:
        raise AxiometerError(
            f"no value after the address {address:#x}",
            file=file,
            line=line,
            remedy="give address and value, such as 0xF8006000 0x00000081, and the whole dump",
        )
    return [
        Write(address + 4 * i, _ALL, int(value, 16), None, line) for i, value in enumerate(values)
    ]


def _with_0x(text: str) -> str:
    return text if text[:2].lower() == "0x" else f"0x{text}"
