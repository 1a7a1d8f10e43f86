"""Expressions of `figures.toml`, in the syntax of Python's, of which they are a small part.

A name with dots is a part, a field (MODULE.REGISTER.FIELD) or another figure. Numbers are whole, or
exact fractions: `/` never rounds. What takes nothing (`None`) is nothing. Beside operators, lists,
tables, `x[i]` and `a if b else c` there are

    written(REGISTER)         whether any bit of it was written
    known(figure)             the figure, or nothing
    given(name)               whether the caller gave what no register has
    code(FIELD)               the name that the field's `selects` has for its value, or nothing
    chosen(prefix, FIELD)     the part PREFIX.NAME of that name; nothing, and a note, without one
    only({name: expression})  the name whose expression is not 0; nothing unless it is one
    bits(KIND)                address bits of the fields with `address = "KIND"`, from the first on
    length(list)
    first_and_last, mapping, mapping_of_groups, read_latency, write_latency: geometry.py, mode.py
    reference(expression)     the crystal's rate, by the DRAM's clock over it: reference.py
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from axiometer.platform.registers.rules import geometry, mode
from axiometer.platform.registers.rules.reference import reference_mhz

if TYPE_CHECKING:
    from axiometer.platform.registers.sheet import Sheet

_OPERATORS: Mapping[type[ast.AST], Callable] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow,
    ast.Div: lambda a, b: Fraction(a) / b, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Gt: operator.gt, ast.Lt: operator.lt,
    ast.USub: operator.neg, ast.Not: operator.not_,
}  # fmt: skip
_PLAIN = {
    "length": len,
    "first_and_last": geometry.first_and_last,
    "mapping": geometry.mapping,
    "mapping_of_groups": geometry.mapping_of_groups,
    "read_latency": mode.read_latency,
    "write_latency": mode.write_latency,
}


def evaluate(node: ast.expr, sheet: Sheet, names: Mapping[str, object] | None = None):
    """The value of an expression, with what the sheet has; `names`: of this expression alone."""

    def of(inner: ast.expr):
        return evaluate(inner, sheet, names)

    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if names and name in names:
            return names[name]
        case ast.Name() | ast.Attribute():
            return sheet.named(dotted(node))
        case ast.BinOp(left=left, op=op, right=right):
            first = of(left)
            second = None if first is None else of(right)
            return None if second is None else _OPERATORS[type(op)](first, second)
        case ast.UnaryOp(op=op, operand=operand):
            return _OPERATORS[type(op)](of(operand))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _OPERATORS[type(op)](of(left), of(right))
        case ast.BoolOp(op=op, values=values):
            wanted = isinstance(op, ast.Or)
            for value in (of(inner) for inner in values):
                if bool(value) is wanted:
                    break
            return value
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return of(body) if of(test) else of(orelse)
        case ast.List(elts=items):
            return [of(item) for item in items]
        case ast.Subscript(value=value, slice=index):
            return of(value)[of(index)]
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, arguments, sheet, of)
    raise ValueError(f"no expression of figures: {ast.unparse(node)}")


def _call(name: str, arguments: list[ast.expr], sheet: Sheet, of: Callable):
    match name, arguments:
        case "written", [register]:
            return sheet.written(dotted(register))
        case "known", [path]:
            return sheet.figure_or_none(dotted(path))
        case "given", [what]:
            return dotted(what) in sheet.given
        case "code", [field]:
            return sheet.code(dotted(field))
        case "chosen", [prefix, field]:
            found = sheet.code(dotted(field))
            if found is None:
                register = dotted(field).rpartition(".")[0]
                sheet.note(f"{register} selects a source that the decoder does not know")
                return None
            return sheet.named(f"{dotted(prefix)}.{found}")
        case "only", [ast.Dict(keys=keys, values=values)]:
            read = [(key, of(value)) for key, value in zip(keys, values, strict=True)]
            found = [key.value for key, value in read if value]
            return found[0] if len(found) == 1 else None
        case "bits", [kind]:
            return sheet.bits(dotted(kind))
        case "reference", [multiple]:
            return reference_mhz(sheet, lambda: of(multiple))
        case _ if name in _PLAIN:
            return _PLAIN[name](*map(of, arguments))
    raise ValueError(f"no operation of figures: {name}")


def dotted(node: ast.expr) -> str:
    """`a.b.c` as it is written."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{dotted(value)}.{name}"
    raise ValueError(f"no name: {ast.unparse(node)}")


def names_in(node: ast.expr) -> Iterator[str]:
    """Every name with dots in the expression."""
    if isinstance(node, ast.Attribute):
        yield dotted(node)
    else:
        for inner in ast.iter_child_nodes(node):
            yield from names_in(inner)
