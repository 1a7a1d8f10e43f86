"""Compiles overlays with dtc and reads what comes out: nodes, properties, references to labels.

The format is chapter 5 of the Devicetree Specification, version 17. An overlay names what it does
not have itself in `__fixups__`: for each label, PATH:PROPERTY:OFFSET.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from axiometer.base.errors import AxiometerError

MAGIC = 0xD00DFEED
_BEGIN, _END, _PROPERTY, _NOP, _LAST = 1, 2, 3, 4, 9
# An overlay's root has cells for what it adds to, which dtc takes for unnecessary. Linux' own build
# switches this warning off too (scripts/Makefile.lib).
_NOT = ("-W", "no-avoid_unnecessary_addr_size")
_HEADER = struct.Struct(">7I")


@dataclass
class Node:
    """A node: its properties as bytes, the nodes in it by their names."""

    path: str
    properties: dict[str, bytes] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)

    def words(self, name: str) -> list[int]:
        """A property as its 32-bit cells; none if it is not there. ValueError if it is no cells."""
        value = self.properties.get(name, b"")
        if len(value) % 4:
            raise ValueError(f"{self.path}: {name} is not of whole cells")
        return list(struct.unpack(f">{len(value) // 4}I", value))

    def texts(self, name: str) -> list[str]:
        """A property as its strings; none if it is not there."""
        value = self.properties.get(name, b"")
        return value.decode("utf-8", "replace").rstrip("\0").split("\0") if value else []


def compiled(source: Path) -> tuple[Node | None, list[str]]:
    """The tree of an overlay, and what dtc complains of. AxiometerError if there is no dtc."""
    dtc = shutil.which("dtc")
    if dtc is None:
        raise AxiometerError(
            "dtc, which compiles device trees, is not installed",
            remedy="sudo apt-get install device-tree-compiler",
        )
    done = subprocess.run(
        [dtc, *_NOT, "-@", "-I", "dts", "-O", "dtb", "-o", "-", str(source)],
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    told = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    if done.returncode:
        return None, told or ["dtc stops without a word"]
    return read(done.stdout), told


def read(blob: bytes) -> Node:
    """The root of a compiled tree. ValueError if it is none."""
    if len(blob) < _HEADER.size or _HEADER.unpack_from(blob)[0] != MAGIC:
        raise ValueError("it is no compiled device tree")
    _, _, at, strings, *_ = _HEADER.unpack_from(blob)
    stack = [Node("")]
    while True:
        (token,) = struct.unpack_from(">I", blob, at)
        at += 4
        if token == _BEGIN:
            name = _string(blob, at)
            at += _whole(len(name) + 1)
            node = Node(f"{stack[-1].path.rstrip('/')}/{name}")
            stack[-1].nodes[name] = node
            stack.append(node)
        elif token == _PROPERTY:
            size, name_at = struct.unpack_from(">2I", blob, at)
            at += 8
            stack[-1].properties[_string(blob, strings + name_at)] = blob[at : at + size]
            at += _whole(size)
        elif token == _END:
            stack.pop()
        elif token == _LAST:
            return stack[0].nodes[""]
        elif token != _NOP:
            raise ValueError(f"token {token} at byte {at - 4}")


Labels = dict[tuple[str, str, int], str]


def labels(root: Node) -> Labels:
    """What an overlay refers to: (path, property, byte) to the label."""
    found: Labels = {}
    fixups = root.nodes.get("__fixups__")
    if fixups is None:
        return found
    for label in fixups.properties:
        for place in fixups.texts(label):
            path, name, offset = place.rsplit(":", 2)
            found[path, name, int(offset)] = label
    return found


def is_a(node: Node, *compatible: str) -> bool:
    """Whether a node is compatible to one of these."""
    return bool(set(node.texts("compatible")) & set(compatible))


def numbers(node: Node, name: str, cells: int) -> list[int]:
    """A property as numbers of `cells` cells. ValueError if it is none such."""
    words = node.words(name)
    if len(words) % cells:
        raise ValueError(f"{node.path}: {len(words)} cells are no numbers of {cells} cells")
    return [
        sum(word << 32 * (cells - 1 - i) for i, word in enumerate(words[at : at + cells]))
        for at in range(0, len(words), cells)
    ]


def pairs(node: Node, name: str, cells: int) -> list[tuple[int, int]]:
    """A property as addresses and sizes. ValueError if it is none such."""
    found = numbers(node, name, cells)
    return list(zip(found[::2], found[1::2], strict=True))


def _string(blob: bytes, at: int) -> str:
    return blob[at : blob.index(b"\0", at)].decode("utf-8")


def _whole(size: int) -> int:
    return (size + 3) // 4 * 4
