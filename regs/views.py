"""The views of a register map for software and for people: C header, Python module, documentation.

All take the elaborated map of a block, which may hold registers, arrays of registers, register
files and memories.
"""

from __future__ import annotations

from collections.abc import Iterator

from systemrdl.node import AddressableNode, AddrmapNode, FieldNode, MemNode, RegfileNode, RegNode
from systemrdl.rdltypes import AccessType, OnReadType, OnWriteType

ACCESS = {
    AccessType.r: "read",
    AccessType.w: "write",
    AccessType.rw: "read/write",
    AccessType.rw1: "read/write once",
    AccessType.w1: "write once",
    AccessType.na: "none",
}
ON_WRITE = {
    OnWriteType.woclr: "write 1 clears",
    OnWriteType.woset: "write 1 sets",
    OnWriteType.wot: "write 1 toggles",
    OnWriteType.wzc: "write 0 clears",
    OnWriteType.wzs: "write 0 sets",
    OnWriteType.wzt: "write 0 toggles",
    OnWriteType.wclr: "write clears",
    OnWriteType.wset: "write sets",
}
ON_READ = {OnReadType.rclr: "read clears", OnReadType.rset: "read sets"}


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

    Of the name `dma_status_e` only `status` is left: the views put the block before it themselves.
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
        out.append("")
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


def python_module(block: str, top: AddrmapNode) -> str:
    """A Python module: a class a register with offset, and shift and mask of each field."""
    out = [f'"""Registers: {_text(top.get_property("name"))}."""', ""]
    enums = _enums(block, top)
    if enums:
        out += ["from enum import IntEnum", ""]
    out += [f"{name} = {value}" for name, value in _identity(top)]
    for type_name, members in enums.items():
        out += ["", "", f"class {type_name.title().replace('_', '')}(IntEnum):"]
        out += [f"    {name} = {value}" for name, value in members]
    for name, node in leaves(top):
        count, stride = _count(node)
        out += ["", "", f"class {name}:", f"    OFFSET = 0x{_offset(node):03X}"]
        if count > 1 or isinstance(node, MemNode):
            out += [f"    COUNT = {count}", f"    STRIDE = {stride}"]
        for field in node.fields() if isinstance(node, RegNode) else ():
            mask = (1 << field.width) - 1 << field.low
            out += [f"    {field.inst_name}_SHIFT = {field.low}"]
            out += [f"    {field.inst_name}_MASK = 0x{mask:X}"]
    return "\n".join(out)


def _cell(value: str) -> str:
    """Text that may stand in a table."""
    return value.replace("|", "\\|") or "-"


def _access(field: FieldNode) -> str:
    parts = [ACCESS[field.get_property("sw")]]
    on_write, on_read = field.get_property("onwrite"), field.get_property("onread")
    if on_write in ON_WRITE:
        parts.append(ON_WRITE[on_write])
    if on_read in ON_READ:
        parts.append(ON_READ[on_read])
    if field.get_property("singlepulse"):
        parts.append("acts once")
    return ", ".join(parts)


def _reset(field: FieldNode) -> str:
    value = field.get_property("reset")
    if isinstance(value, int):
        return f"0x{value:X}" if value > 9 else str(value)
    return ""


def _description(field: FieldNode) -> str:
    text = _text(field.get_property("desc"))
    encode = field.get_property("encode")
    if encode is not None:
        values = ", ".join(f"{m.value} {_text(m.rdl_desc) or m.name}" for m in encode)
        text = f"{text} Values: {values}.".strip()
    return text


def markdown(block: str, top: AddrmapNode) -> str:
    """A page: a table of registers, then each register with its fields."""
    title = _text(top.get_property("name")) or block
    out = [f"# Registers of `{block}`: {title}", "", _text(top.get_property("desc")), ""]
    out += ["| offset | register | purpose |", "|---|---|---|"]
    entries = list(leaves(top))
    for name, node in entries:
        out.append(f"| {_place(node)} | `{name}` | {_cell(_text(node.get_property('name')))} |")
    for name, node in entries:
        out += ["", f"## `{name}` at {_place(node)}", ""]
        text = _text(node.get_property("desc"))
        if text:
            out += [text, ""]
        if isinstance(node, MemNode):
            count, stride = _count(node)
            access = ACCESS[node.get_property("sw")]
            out.append(f"Memory: {count} words of {stride * 8} bits, {access}.")
            continue
        shared = node.get_property("units", default="")
        out += [
            "| bits | field | access | reset | units | description |",
            "|---|---|---|---|---|---|",
        ]
        for field in reversed(list(node.fields())):
            bits = f"{field.high}:{field.low}" if field.width > 1 else f"{field.low}"
            units = field.get_property("units", default="") or shared
            out.append(
                f"| {bits} | `{field.inst_name}` | {_access(field)} | {_cell(_reset(field))} | "
                f"{_cell(units)} | {_cell(_description(field))} |"
            )
    return "\n".join(out)


def _place(node: AddressableNode) -> str:
    count, stride = _count(node)
    place = f"0x{_offset(node):03X}"
    if count > 1:
        place += f" + {stride} × (0 to {count - 1})"
    return place
