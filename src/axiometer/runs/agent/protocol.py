"""Lines between the host and the agent: their form and their checksum (docs/hosts.md)."""

from __future__ import annotations

import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

LINE_MAX = 1000  # characters, without the end of the line
VERSION = 1

_LINE = re.compile(r"([0-9]{1,10}|-) (more|ok|error)((?: [ -~]*)?)")
_WORD = re.compile(r"[!-)+-<>-~]+")  # printable, without blank, '*' and '='


_NUMBER = re.compile(r"[0-9]{1,20}|0x[0-9A-Fa-f]{1,16}")
_SHOWN = 100  # characters of a damaged line in a message


class DamagedLine(ValueError):  # noqa: N818 (it is no error of the program)
    """A line that differs from the one that the agent sent."""


class StrangeLine(DamagedLine):
    """A line with a correct checksum that no agent of this version sends."""


@dataclass(frozen=True)
class Reply:
    """One line of an answer; `number` is None if the agent could not read the command's."""

    number: int | None
    kind: str  # more, ok, error
    values: dict[str, str] = field(default_factory=dict)


def checksum(text: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    return binascii.crc_hqx(text, 0xFFFF)


def encode(number: int, verb: str, part: str = "", values: Mapping[str, object] = {}) -> bytes:
    """The line of a command, with its end. ValueError for bad words."""
    if not 0 <= number < 2**32:
        raise ValueError(f"{number} is not a number of a line")
    words = [verb, part] if part else [verb]
    for word in [*words, *values]:
        if not _WORD.fullmatch(word):
            raise ValueError(f"{word!r} is not allowed in a line")
    for key, value in values.items():
        text = str(int(value)) if isinstance(value, bool) else str(value)
        if not _WORD.fullmatch(text):
            raise ValueError(f"{key}={text!r} is not allowed in a line")
        words.append(f"{key}={text}")
    body = f"{number} {' '.join(words)}".encode("ascii")
    line = body + b"*%04X" % checksum(body)
    if len(line) > LINE_MAX:
        raise ValueError(f"the line has {len(line)} characters; at most {LINE_MAX} are allowed")
    return line + b"\n"


def decode(line: bytes) -> Reply:
    """The reply in a line without its end. DamagedLine if the checksum is wrong, StrangeLine if it
    is right and the line has another form."""
    if len(line) > LINE_MAX:
        raise DamagedLine(f"a line of {len(line)} characters; at most {LINE_MAX} are allowed")
    body, star, crc = line.rpartition(b"*")
    try:
        whole = star and b"*" not in body and len(crc) == 4 and int(crc, 16) == checksum(body)
    except ValueError:
        whole = False
    if not whole:
        raise DamagedLine(f"damaged line {line[:_SHOWN]!r}")
    try:
        found = _LINE.fullmatch(body.decode("ascii"))
    except UnicodeDecodeError:
        found = None
    if found is None:
        raise StrangeLine(f"a line of another form: {line[:_SHOWN]!r}")
    number = None if found[1] == "-" else int(found[1])
    return Reply(number, found[2], _pairs(found[3][1:]))


def _pairs(text: str) -> dict[str, str]:
    """key=value pairs; the key `text` is the last and may have blanks."""
    values: dict[str, str] = {}
    rest = text
    while rest:
        key, equals, after = rest.partition("=")
        if not equals or not _WORD.fullmatch(key):
            raise StrangeLine(f"not key=value: {rest[:_SHOWN]!r}")
        if key in values:
            raise StrangeLine(f"{key} appears twice")
        if key == "text":
            values[key] = after
            break
        values[key], _, rest = after.partition(" ")
    return values


def number(text: str) -> int:
    """A number of at most 64 bits in the agent's form, decimal or 0x hexadecimal. StrangeLine for
    any other text, such as "nan", a sign or blanks."""
    if not _NUMBER.fullmatch(text):
        raise StrangeLine(f"not a number: {text[:_SHOWN]!r}")
    value = int(text, 16) if text.startswith("0x") else int(text)
    if value >= 2**64:
        raise StrangeLine(f"a number beyond 64 bits: {text[:_SHOWN]!r}")
    return value
