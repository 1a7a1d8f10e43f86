"""The generated register maps, as Python modules."""

from __future__ import annotations

import importlib.util
from functools import cache
from types import ModuleType

from axiometer.base import data


@cache
def registers(block: str) -> ModuleType:
    """The map of `block` (dma, traffic, ...), as `regs/generate.py` wrote it."""
    file = data.directory("regs") / "generated" / f"{block}.py"
    spec = importlib.util.spec_from_file_location(f"axiometer_regs_{block}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
