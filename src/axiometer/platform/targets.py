"""Memories other than the DRAM that masters may use: Zynq-7000's OCM.

A chip describes such a memory in `[memory.NAME]`: `ways`, the ports and memory ports that reach it,
and under their usual paths the figures that differ from those with the DRAM.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.platform.leaf import Leaf

TARGET = "memory.target"
"""The figure that names the memory in use."""
DRAM = "dram"


def names(leaves: Mapping[str, Leaf]) -> list[str]:
    """The memories of a platform with these figures."""
    others = (path.split(".")[1] for path in leaves if path.endswith(".ways"))
    return [DRAM, *others]


def reached(platform: str, leaves: Mapping[str, Leaf], target: object) -> dict[str, Leaf]:
    """The figures of `platform` if its masters use the memory `target`, without ports that do not
    reach it. AxiometerError if the platform does not describe such a memory."""
    known = names(leaves)
    if target not in known:
        raise AxiometerError(
            f"platform {platform} has no memory {target!r} for masters",
            remedy=did_you_mean(str(target), known, "it has"),
        )
    if target == DRAM:
        return dict(leaves)
    prefix = f"memory.{target}."
    listed = leaves[f"{prefix}ways"].value
    ways = listed if isinstance(listed, list) else [listed]
    found = {path: leaf for path, leaf in leaves.items() if _stays(path, ways)}
    for path, leaf in leaves.items():
        own = path.removeprefix(prefix)
        if own != path and own != "ways":
            found[own] = leaf
    return found


def _stays(path: str, ways: Sequence[object]) -> bool:
    table, _, rest = path.partition(".")
    return table not in ("port", "memory_port", "neighbour") or rest.split(".")[0] in ways
