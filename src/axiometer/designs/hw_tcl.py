"""Reads the interfaces of a component of Platform Designer from its _hw.tcl, without running it.

Commands in plain words count, wherever they stand; widths are numbers or expressions of
parameters. What procedures compute otherwise stays unknown.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from operator import add, floordiv, mul, sub

from axiometer.designs.qsys_parts import MAX_WIDTH, Described

MAX_BYTES = 2 * 2**20
_WORD = re.compile(r'"([^"]*)"|\{([^{}]*)\}|((?:\[[^\]]*\]|[^\s"{}\[\]])+)')
_VALUE = re.compile(r"\[\s*get_parameter_value\s+(\w+)\s*\]|\[\s*expr\s+([^\[\]]*)\]|\$\{?(\w+)\}?")
_NAME = re.compile(r"[A-Za-z_]\w*")
_WIDTHS = (["WIDTH_EXPR"], ["WIDTH_VALUE"], ["WIDTH"])
_MOST_LETTERS = 200  # of an expression


def read(content: bytes, parameters: Mapping[str, str]) -> dict[str, Described]:
    """The interfaces of a component with these `parameters`, by name."""
    lines = content[:MAX_BYTES].decode("utf-8", "replace").replace("\\\n", " ").splitlines()
    values: dict[str, str] = {}
    found: dict[str, Described] = {}
    ports: dict[str, tuple[Described, str]] = {}
    for line in lines:
        command, *words = [a or b or c for a, b, c in _WORD.findall(line[:1000])] or [""]
        if command == "add_parameter" and len(words) > 2:
            values[words[0].lower()] = words[2]
        elif command == "set_parameter_property" and words[1:2] == ["DEFAULT_VALUE"]:
            values[words[0].lower()] = words[-1]
        elif command == "add_interface" and len(words) > 1:
            found.setdefault(words[0], Described(words[1], words[-1] in ("start", "master")))
        elif command == "set_interface_property" and len(words) > 2 and words[0] in found:
            if words[1].lower() in ("associatedclock", "associated_clock"):
                found[words[0]].clock = words[2]
            elif words[1] == "bridgesToMaster":
                found[words[0]].bridges = words[2]
        elif command == "add_interface_port" and len(words) > 4 and words[0] in found:
            ports[words[1]] = found[words[0]], words[2]
            _set(ports[words[1]], words[4], values, parameters)
        elif (
            command == "set_port_property" and words and words[0] in ports and words[1:2] in _WIDTHS
        ):
            _set(ports[words[0]], words[-1], values, parameters)
    return found


def _set(
    port: tuple[Described, str], width: str, defaults: dict[str, str], given: Mapping[str, str]
) -> None:
    """Give a port its width; 0, unknown, where two commands disagree."""
    described, role = port
    lowered = {name.lower(): value for name, value in given.items()}
    bits = _computed(width, defaults | lowered)
    described.roles[role] = bits if described.roles.get(role, bits) == bits else 0


def _computed(text: str, values: Mapping[str, str]) -> int:
    """A width in bits by an expression of parameters; 0 where it is unknown."""
    for _ in range(2):  # a value within an expr
        text = _VALUE.sub(lambda of: f"({of[1] or of[2] or of[3]})", text)
    text = _NAME.sub(lambda of: values.get(of[0].lower(), of[0]), text)
    try:
        tree = ast.parse(text[:_MOST_LETTERS], mode="eval").body
        bits = _number(tree)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError):
        return 0
    return bits if 0 < bits <= MAX_WIDTH else 0


def _number(tree: ast.expr) -> int:
    if isinstance(tree, ast.Constant) and isinstance(tree.value, int):
        return tree.value
    if isinstance(tree, ast.BinOp) and type(tree.op) in _SIGNS:
        return _SIGNS[type(tree.op)](_number(tree.left), _number(tree.right))
    raise ValueError("not a number")


_SIGNS: Mapping[type, Callable[[int, int], int]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: floordiv,
}
