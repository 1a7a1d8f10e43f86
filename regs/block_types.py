"""The views of the block types: `enum axm_block_type` of common.rdl in every language.

Each block's map takes its TYPE from that enumeration, so its members are reached from any map.
"""

from __future__ import annotations

from systemrdl.node import AddrmapNode

# Numbers of the table of blocks have so many bits (regs/id.rdl).
BITS = 16


def types_of(top: AddrmapNode) -> list[tuple[str, int, str]]:
    """(name, number, what it is) of all block types, out of the elaborated map of any block."""
    parameters = {p.name: p for p in top.get_child_by_name("ID").inst.parameters}
    members = [(m.name, m.value, m.rdl_desc) for m in parameters["TYPE"].param_type]
    if any(number >= 1 << BITS for _, number, _ in members):
        raise ValueError(f"common.rdl: a block type has more than {BITS} bits")
    return members


def files(types: list[tuple[str, int, str]]) -> dict[str, str]:
    """The generated files: name and content without the notice."""
    return {
        "block_types_pkg.sv": _package(types),
        "block_types.h": _header(types),
        "block_types.py": _module(types),
    }


def _package(types: list[tuple[str, int, str]]) -> str:
    lines = [f"  localparam logic [{BITS - 1}:0] {n} = {BITS}'d{k};  // {d}" for n, k, d in types]
    return "\n".join(["package block_types_pkg;", *lines, "endpackage"])


def _header(types: list[tuple[str, int, str]]) -> str:
    lines = [f"  AXM_BLOCK_{name} = {number}, /* {what} */" for name, number, what in types]
    width = max(line.index("/*") for line in lines)
    lines = ["/*".join((a.ljust(width), b)) for a, b in (line.split("/*") for line in lines)]
    guard = "AXM_BLOCK_TYPES_H"
    return "\n".join(
        [f"#ifndef {guard}", f"#define {guard}", "", "enum axm_block_type {", *lines, "};", "",
         "#endif"]
    )  # fmt: skip


def _module(types: list[tuple[str, int, str]]) -> str:
    lines = [f"{name} = {number}  # {what}" for name, number, what in types]
    return "\n".join(
        ['"""Block types, as the table of blocks of a design has them."""', "", *lines]
    )
