"""The view of a register map for software: its C header, which Python reads, too
(`src/axiometer/runs/cosim/registers.py`).

It takes the elaborated map of a block, which may hold registers, arrays of registers, register
files and memories.
"""

from __future__ import annotations

from collections.abc import Iterator

from systemrdl.node import AddressableNode, AddrmapNode, MemNode, RegfileNode, RegNode


def leaves(node: AddressableNode, prefix: str = "") -> Iterator[tuple[str, RegNode | MemNode]]:
    """Registers and memories with their names below the map; an array comes once."""
    for child in node.children():
        if isinstance(child, (RegNode, MemNode)):
            yield prefix + child.inst_name, child
        elif isinstance(child, (RegfileNode, AddrmapNode)):
            if child.is_array:
                for number, one in enumerate(child.unrolled()):
                    yield from leaves(one, f"{prefix}{child.inst_name}{number}_")
            else:
                yield from leaves(child, f"{prefix}{child.inst_name}_")


def _offset(node: AddressableNode) -> int:
    """Address of a register, or of the first of an array, from the start of the block."""
    return node.raw_absolute_address


def _count(node: AddressableNode) -> tuple[int, int]:
    """Number of elements and bytes from one to the next; (1, size) if it is not an array."""
    if isinstance(node, MemNode):
        return node.get_property("mementries"), node.get_property("memwidth") // 8
    if not node.is_array:
        return 1, node.size
    if len(node.array_dimensions) != 1:
        raise ValueError(f"{node.get_path()}: only arrays of one dimension are supported")
    return node.array_dimensions[0], node.array_stride


def _text(value: str | None) -> str:
    """One line of a description."""
    return " ".join((value or "").split())


def _identity(top: AddrmapNode) -> list[tuple[str, int]]:
    """The constants in a block's first word: (BLOCK_TYPE, …), (MAP_VERSION, …)."""
    identity = top.get_child_by_name("ID")
    return [(field.inst_name, field.get_property("reset")) for field in identity.fields()]


def _enums(block: str, top: AddrmapNode) -> dict[str, list[tuple[str, int]]]:
    """Members of each enum that a field is encoded with, by the enum's name.

    Of the name `dma_status_e` only `status` is left: the header puts the block before it itself.
    """
    found: dict[str, object] = {}
    for _, node in leaves(top):
        for field in node.fields() if isinstance(node, RegNode) else ():
            encode = field.get_property("encode")
            if encode is not None and found.setdefault(encode.type_name, encode) is not encode:
                raise ValueError(f"{field.get_path()}: two enums are named {encode.type_name}")
    return {
        name.removeprefix(f"{block}_").removesuffix("_e"): [(m.name.upper(), m.value) for m in enum]
        for name, enum in found.items()
    }


def c_header(block: str, top: AddrmapNode) -> str:
    """A C11 header of constants only: registers are reached through the HAL, never by structs."""
    prefix = f"AXM_{block.upper()}"
    out = [
        f"/* {_text(top.get_property('name'))}: offsets in bytes, masks and shifts of fields. */",
        f"#ifndef {prefix}_REGS_H",
        f"#define {prefix}_REGS_H",
        "",
        "/* AXM_GET(word, AXM_X_REG__FIELD) is the number in a field of a word;",
        " * AXM_PUT(number, AXM_X_REG__FIELD) is a word with the number in the field. */",
        "#ifndef AXM_GET",
        "#define AXM_GET(word, field) (((word) & field##_MASK) >> field##_SHIFT)",
        "#define AXM_PUT(number, field) (((number) << field##_SHIFT) & field##_MASK)",
        "#endif",
        "",
    ]
    out += [f"#define {prefix}_{name} {value}u" for name, value in _identity(top)]
    for type_name, members in _enums(block, top).items():
        out += ["", f"/* enum {type_name.title().replace('_', '')} */"]
        out += [f"#define {prefix}_{type_name.upper()}_{name} {value}u" for name, value in members]
    for name, node in leaves(top):
        count, stride = _count(node)
        out += ["", f"#define {prefix}_{name} 0x{_offset(node):03X}u"]
        if count > 1 or isinstance(node, MemNode):
            out += [f"#define {prefix}_{name}_COUNT {count}u"]
            out += [f"#define {prefix}_{name}_STRIDE {stride}u"]
        for field in node.fields() if isinstance(node, RegNode) else ():
            mask = (1 << field.width) - 1 << field.low
            out += [f"#define {prefix}_{name}__{field.inst_name}_MASK 0x{mask:X}u"]
            out += [f"#define {prefix}_{name}__{field.inst_name}_SHIFT {field.low}u"]
    return "\n".join(out + ["", "#endif"])
