"""Where Python can be mutated: operators, comparisons and constants, found by `ast`.

Left out are annotations, decorators, what words a message (raise, f-strings), and joining texts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mutation.mutants import Mutant, mutant

SYMBOL = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
    ast.And: "and", ast.Or: "or",
}  # fmt: skip

OTHERS = {
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "//": ["/", "*"], "%": ["//"], "**": ["*"],
    "<<": [">>"], ">>": ["<<"], "&": ["|"],
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "is": ["is not"], "is not": ["is"], "in": ["not in"],
    "not in": ["in"], "and": ["or"], "or": ["and"],
}  # fmt: skip

NO_FIGURES = (ast.JoinedStr, ast.Raise, ast.Import, ast.ImportFrom)


def places(file: str, source: bytes) -> Iterator[Mutant]:
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    yield from _Finder(file, source, lines).of(ast.parse(source))


class _Finder:
    def __init__(self, file: str, source: bytes, lines: list[int]):
        self.file, self.source, self.lines = file, source, lines

    def start(self, node: ast.expr) -> int:
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr) -> int:
        return self.lines[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.AST) -> Iterator[Mutant]:
        if isinstance(node, NO_FIGURES):
            return
        if isinstance(node, ast.expr):
            for edits, now in self.edits(node):
                where = self.start(node), self.end(node)
                yield mutant(self.file, self.source, *where, edits, now)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "pattern"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self.of(child)

    def edits(self, node: ast.expr) -> Iterator[tuple[list[tuple[int, int, str]], str]]:
        if isinstance(node, ast.BinOp):
            if not _is_text(node.left) and not _is_text(node.right):
                yield from self.between([node.left, node.right], node.op)
        elif isinstance(node, ast.Compare):
            if len(node.ops) == 1:
                yield from self.between([node.left, *node.comparators], node.ops[0])
        elif isinstance(node, ast.BoolOp):
            yield from self.between(node.values, node.op)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
            stop = self.start(node) + (3 if isinstance(node.op, ast.Not) else 1)
            yield [(self.start(node), stop, " ")], "nothing"
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
            text = self.source[self.start(node) : self.end(node)].decode()
            others = [f"({text} + 1)", f"({text} - 1)"]
            if isinstance(node.value, bool):
                others = [str(not node.value)]
            elif text == "0":
                others = ["1"]
            for other in others:
                yield [(self.start(node), self.end(node), other)], other.strip("()")

    def between(self, operands: list[ast.expr], operator: ast.AST):
        """The operator between each two operands, replaced everywhere."""
        symbol = SYMBOL.get(type(operator))
        found = []
        for left, right in zip(operands, operands[1:], strict=False):
            gap = self.source[self.end(left) : self.start(right)].decode()
            code = re.sub(r"#[^\n]*", lambda m: " " * len(m[0].encode()), gap)
            at = code.find(symbol.split()[0]) if symbol else -1
            if at < 0:
                return
            stop = code.find(symbol.split()[-1], at) + len(symbol.split()[-1])
            found.append((self.end(left) + at, self.end(left) + stop))
        for other in OTHERS.get(symbol, []):
            yield [(first, last, other) for first, last in found], other


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
