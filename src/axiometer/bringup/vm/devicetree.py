"""Changes a flattened device tree (Devicetree Specification, chapter 5)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MAGIC, HEADER = 0xD00DFEED, struct.Struct(">10I")
BEGIN, END, PROPERTY, NOTHING, LAST = 1, 2, 3, 4, 9


def cells(*values: int) -> bytes:
    return struct.pack(f">{len(values)}I", *values)


def _padded(value: bytes) -> bytes:
    return value + bytes(-len(value) % 4)


def text(*values: str) -> bytes:
    return b"".join(value.encode() + b"\0" for value in values)


@dataclass(frozen=True)
class Node:
    name: str
    properties: Mapping[str, bytes]
    children: Sequence[Node] = field(default=())

    def flat(self, strings: bytearray) -> bytes:
        """Its tokens; the names of its properties are appended to `strings`."""
        out = cells(BEGIN) + _padded(text(self.name))
        for key, value in self.properties.items():
            out += cells(PROPERTY, len(value), len(strings)) + _padded(value)
            strings += text(key)
        return out + b"".join(child.flat(strings) for child in self.children) + cells(END)


def with_nodes(tree: bytes, added: Sequence[Node]) -> bytes:
    """`tree` with the nodes `added` as the last children of the root.

    ValueError if it is not a device tree of version 17.
    """
    if len(tree) < HEADER.size:
        raise ValueError("too short for a device tree")
    (magic, total, at_nodes, at_strings, at_reserved, version, oldest, cpu, strings_size,
     nodes_size) = HEADER.unpack_from(tree)  # fmt: skip
    if magic != MAGIC or version != 17 or total > len(tree):
        raise ValueError("not a device tree of version 17")
    reserved = tree[at_reserved:at_nodes]
    strings = bytearray(tree[at_strings : at_strings + strings_size])
    nodes = tree[at_nodes : at_nodes + nodes_size]
    end = cells(END, LAST)
    if not nodes.endswith(end) or at_reserved >= at_nodes:
        raise ValueError("the parts of the device tree have an unusual order")
    flat = b"".join(node.flat(strings) for node in added)
    nodes = nodes.removesuffix(end) + flat + end
    at_reserved = HEADER.size
    at_nodes = at_reserved + len(reserved)
    at_strings = at_nodes + len(nodes)
    header = HEADER.pack(
        MAGIC, at_strings + len(strings), at_nodes, at_strings, at_reserved, version, oldest, cpu,
        len(strings), len(nodes),
    )  # fmt: skip
    return header + reserved + nodes + strings


def root_without(tree: bytes, name: str) -> bytes:
    """`tree` without the property `name` of its root, which every node would inherit. ValueError if
    it is not a device tree."""
    if len(tree) < HEADER.size or HEADER.unpack_from(tree)[0] != MAGIC:
        raise ValueError("not a device tree")
    _, _, at, at_strings, *_ = HEADER.unpack_from(tree)
    changed = bytearray(tree)
    at += 8  # the root's begin token and its empty name
    while True:
        (token,) = struct.unpack_from(">I", tree, at)
        if token == NOTHING:
            at += 4
            continue
        if token != PROPERTY:
            return bytes(changed)
        length, offset = struct.unpack_from(">2I", tree, at + 4)
        size = 12 + len(_padded(bytes(length)))
        if tree[at_strings + offset :].startswith(text(name)):
            changed[at : at + size] = cells(*[NOTHING] * (size // 4))
        at += size
