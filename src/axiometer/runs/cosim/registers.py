"""The generated register maps, as Python modules."""

from __future__ import annotations

import importlib.util
from functools import cache
from types import ModuleType
from typing import Protocol

from axiometer.base import data


class Register(Protocol):
    """A register of a map; its fields are attributes."""

    OFFSET: int


@cache
def registers(block: str) -> ModuleType:
    """The map of `block` (dma, traffic, ...), written by `regs/generate.py`."""
    file = data.directory("regs") / "generated" / f"{block}.py"
    spec = importlib.util.spec_from_file_location(f"axiometer_regs_{block}", file)
    assert spec is not None and spec.loader is not None  # known for a .py file
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def offset(register: Register) -> int:
    """Bytes from the block's base."""
    return register.OFFSET
