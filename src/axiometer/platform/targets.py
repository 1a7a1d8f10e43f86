"""Other memories than the DRAM that masters may have for a target: Zynq-7000's OCM.

A chip describes such a memory in `[memory.NAME]`: `ways`, the ports and memory ports from which it
is reached, and under their usual paths those figures that are others there than with the DRAM.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.platform.leaf import Leaf

TARGET = "memory.target"
"""The figure that names the memory in use."""
DRAM = "dram"


def names(leaves: Mapping[str, Leaf]) -> list[str]:
    """The memories that a platform of these figures has."""
    others = (path.split(".")[1] for path in leaves if path.endswith(".ways"))
    return [DRAM, *others]


def reached(platform: str, leaves: Mapping[str, Leaf], target: object) -> dict[str, Leaf]:
    """The figures of `platform` when its masters' target is the memory `target`. Ports from which
    it is not reached are left out. AxiometerError if the platform describes no such memory."""
    known = names(leaves)
    if target not in known:
        raise AxiometerError(
            f"platform {platform} describes no memory {target!r} as a target of masters",
            remedy=did_you_mean(str(target), known, "it has"),
        )
    if target == DRAM:
        return dict(leaves)
    prefix = f"memory.{target}."
    told = leaves[f"{prefix}ways"].value
    ways = told if isinstance(told, list) else [told]
    found = {path: leaf for path, leaf in leaves.items() if _stays(path, ways)}
    for path, leaf in leaves.items():
        own = path.removeprefix(prefix)
        if own != path and own != "ways":
            found[own] = leaf
    return found


def _stays(path: str, ways: Sequence[object]) -> bool:
    table, _, rest = path.partition(".")
    return table not in ("port", "memory_port", "neighbour") or rest.split(".")[0] in ways
