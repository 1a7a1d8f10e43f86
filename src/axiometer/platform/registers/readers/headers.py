"""Headers of a Cyclone V or Arria V preloader: `sdram_config.h` and `pll_config.h`, which define a
macro for each field. Older ones begin with CONFIG_HPS_, newer with CFG_HPS_."""

from __future__ import annotations

import re

from axiometer.platform.registers.readers.numbers import needed
from axiometer.platform.registers.results import Write

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?:CONFIG|CFG)_HPS_(\w+)[ \t]+(\S[^\n]*)$", re.M)
_COMMENT = re.compile(r"/\*.*?\*/|//.*", re.S)
_ALL = 0xFFFFFFFF


def understands(text: str) -> bool:
    """Whether the text defines macros of the HPS."""
    return _DEFINE.search(text) is not None


def read(text: str, file: object) -> list[Write]:
    """Each macro as a write, with the newer name."""
    found = []
    for define in _DEFINE.finditer(text):
        line = text.count("\n", 0, define.start()) + 1
        value = needed(_COMMENT.sub("", define[2]), define[1], file, line)
        found.append(Write(None, _ALL, value, f"CFG_HPS_{define[1]}", line))
    return found
