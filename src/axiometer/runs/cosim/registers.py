"""The generated register maps, as Python modules: read from their C headers."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Protocol

from axiometer.base import data

_NUMBER = re.compile(r"^#define AXM_(\w+) (0x[0-9A-F]+|[0-9]+)u$", re.MULTILINE)
_ENUM = re.compile(r"^/\* enum (\w+) \*/$", re.MULTILINE)


class Register(Protocol):
    """A register of a map; its fields are attributes."""

    OFFSET: int


def registers(block: str) -> ModuleType:
    """The map of `block` (dma, traffic, ...), written by `regs/generate.py`."""
    return of_header(data.directory("regs") / "generated" / f"{block}.h")


@cache
def of_header(header: Path) -> ModuleType:
    """The map in a header: BLOCK_TYPE and MAP_VERSION, a class a register with OFFSET (of an array
    COUNT and STRIDE) and FIELD_SHIFT and FIELD_MASK of each field, and its enums."""
    found = ModuleType(f"axiometer_regs_{header.stem}")
    for group in header.read_text(encoding="utf-8").split("\n\n"):
        numbers = {
            name.removeprefix(f"{header.stem.upper()}_"): int(value, 0)
            for name, value in _NUMBER.findall(group)
        }
        if enum := _ENUM.search(group):
            head = len(re.sub(r"(?<!^)(?=[A-Z])", "_", enum[1])) + 1
            members = {name[head:]: value for name, value in numbers.items()}
            setattr(found, enum[1], IntEnum(enum[1], members))
        elif "BLOCK_TYPE" in numbers:
            vars(found).update(numbers)
        elif numbers:
            register, offset = next(iter(numbers.items()))
            of = {name.removeprefix(register).lstrip("_"): n for name, n in numbers.items()}
            del of[""]
            setattr(found, register, type(register, (), {"OFFSET": offset, **of}))
    return found


def offset(register: Register) -> int:
    """Bytes from the block's base."""
    return register.OFFSET
