"""Reads the header of a module in `rtl/tops/`: its parameters and ports with numeric widths.

It supports the subset that the tops use: `parameter TYPE NAME = EXPRESSION`, one per line,
`input|output logic [EXPRESSION:0] NAME`, and bundles of ports from rtl/lib/axm_ports.svh. Tests
compare it with Verilator.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import data

BUNDLES = "lib/axm_ports.svh"
"""Header files of the RTL, below `rtl/`."""

_PARAMETER = re.compile(r"^\s*parameter\s+bit\s+(?:\[31:0\]\s+)?(\w+)\s*=\s*(.*?),?\s*(?://.*)?$")
_PORT = re.compile(r"\b(input|output)\s+logic\s*(?:\[(.*?):0\])?\s*(\w+)")
_MACRO = re.compile(r"^`define (\w+)\((.*?)\)((?:.*\\\n)*.*)", re.M)
_CALL = re.compile(r"`(AXM_\w+)\(((?:[^()]|\([^()]*\))*)\)")
_OPERATORS: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip


@dataclass(frozen=True)
class Port:
    """A port of a module: `width` in bits."""

    name: str
    output: bool
    width: int


@dataclass(frozen=True)
class Module:
    """An elaborated module: `parameters` with their values, `ports` in order."""

    name: str
    parameters: Mapping[str, int]
    ports: tuple[Port, ...]


def evaluate(expression: str, values: Mapping[str, int]) -> int:
    """The value of a Verilog expression of numbers, parameters, + - * / ?: and comparisons.
    ValueError for other expressions."""
    choice = re.fullmatch(r"(.*?)\?(.*?):(.*)", expression)
    if choice:
        way = choice[2] if evaluate(choice[1], values) else choice[3]
        return evaluate(way, values)
    return int(_of(ast.parse(expression.strip(), mode="eval").body, values))


def _of(node: ast.expr, values: Mapping[str, int]) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name) and node.id in values:
        return values[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_of(node.left, values), _of(node.right, values))
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPERATORS:
        left, right = _of(node.left, values), _of(node.comparators[0], values)
        return int(_OPERATORS[type(node.ops[0])](left, right))
    raise ValueError(f"not read: {ast.unparse(node)}")


def parameters_of(path: Path) -> dict[str, str]:
    """The parameters of the module in a file, with their defaults as text, including parameters
    that follow from others."""
    return {found[1]: found[2] for line in _header(path) if (found := _PARAMETER.match(line))}


def read(path: Path, given: Mapping[str, int]) -> Module:
    """The module of a file, elaborated with the parameters `given`. ValueError for an unknown
    parameter or unsupported syntax."""
    written = parameters_of(path)
    unknown = set(given) - set(written)
    if unknown:
        raise ValueError(f"{path.stem} has no parameter {', '.join(sorted(unknown))}")
    values: dict[str, int] = {}
    for name, expression in written.items():
        values[name] = given[name] if name in given else evaluate(expression, values)
    ports = []
    headers = (data.directory("rtl") / BUNDLES).read_text(encoding="utf-8")
    for found in _PORT.finditer(expanded("\n".join(_header(path)), headers)):
        width = 1 if found[2] is None else evaluate(found[2], values) + 1
        ports.append(Port(found[3], found[1] == "output", width))
    return Module(path.stem, values, tuple(ports))


def expanded(text: str, headers: str) -> str:
    """`text` with the macros of `headers` (the text of BUNDLES) expanded."""
    macros = {name: (names, body) for name, names, body in _MACRO.findall(headers)}

    def put(call: re.Match[str]) -> str:
        if call[1] not in macros:
            return call[0]
        names, body = macros[call[1]]
        given: list[str] = [word.strip() for word in call[2].split(",")]
        values: dict[str, str] = dict(zip(names.split(", "), given, strict=True))
        body = re.sub(rf"\b({'|'.join(values)})\b", lambda name: values[name[0]], body)
        return _CALL.sub(put, body.replace("``", "").replace("\\\n", "\n"))

    return _CALL.sub(put, text)


def _header(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    start = re.search(rf"^module {path.stem}\b", text, re.M)
    if start is None:
        raise ValueError(f"{path} has no module {path.stem}")
    return text[start.start() : text.index(");", start.start())].splitlines()
