"""Expressions of `figures.toml`, a small part of Python's syntax.

A name with dots is a part, a field (MODULE.REGISTER.FIELD) or another figure. Numbers are whole, or
exact fractions: `/` never rounds. An operation on nothing (`None`) gives nothing. Beside operators,
lists, tables, `x[i]` and `a if b else c` there are

    written(REGISTER)         whether any bit of it was written
    known(figure)             the figure, or nothing
    given(name)               whether the caller gave this value that no register has
    code(FIELD)               the name that the field's `selects` has for its value, or nothing
    chosen(prefix, FIELD)     the part PREFIX.NAME of that name; nothing, and a note, without one
    only({name: expression})  the name whose expression is not 0; nothing unless exactly one is
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

from axiometer.platform.registers.results import Value, number, whole
from axiometer.platform.registers.rules import geometry, mode
from axiometer.platform.registers.rules.reference import reference_mhz

if TYPE_CHECKING:
    from axiometer.platform.registers.derived_figures import Sheet


def _exact(first: Value, second: Value) -> Value:
    return Fraction(number(first)) / number(second)


# A non-number raises the operator's own error.
_OPERATORS: Mapping[type[ast.AST], Callable[[Value, Value], Value]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow,
    ast.Div: _exact, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip
_COMPARED: Mapping[type[ast.AST], Callable[[Value | None, Value | None], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.Gt: lambda a, b: number(a) > number(b), ast.Lt: lambda a, b: number(a) < number(b),
}  # fmt: skip
_SIGNED: Mapping[type[ast.AST], Callable[[Value | None], Value]] = {
    ast.USub: lambda a: -number(a), ast.Not: operator.not_,
}  # fmt: skip


def evaluate(
    node: ast.expr, sheet: Sheet, names: Mapping[str, Value | None] | None = None
) -> Value | None:
    """The value of an expression with the sheet's values; `names`: of this expression alone."""

    def of(inner: ast.expr) -> Value | None:
        return evaluate(inner, sheet, names)

    match node:
        case ast.Constant(value=bool() | int() | str() | None as constant):
            return constant
        case ast.Name(id=name) if names and name in names:
            return names[name]
        case ast.Name() | ast.Attribute():
            return sheet.named(dotted(node))
        case ast.BinOp(left=left, op=op, right=right):
            if (first := of(left)) is None or (second := of(right)) is None:
                return None
            return _OPERATORS[type(op)](first, second)
        case ast.UnaryOp(op=op, operand=operand):
            return _SIGNED[type(op)](of(operand))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _COMPARED[type(op)](of(left), of(right))
        case ast.BoolOp(op=op, values=values):
            found = of(values[0])
            for inner in values[1:]:
                if bool(found) is isinstance(op, ast.Or):
                    break
                found = of(inner)
            return found
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return of(body) if of(test) else of(orelse)
        case ast.List(elts=items):
            return [whole(of(item)) for item in items]
        case ast.Subscript(value=ast.List(elts=items), slice=index):
            return of(items[whole(of(index))])
        case ast.Subscript(value=several, slice=index):
            return _list(of(several))[whole(of(index))]
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, arguments, sheet, of)
    raise ValueError(f"not an expression of figures: {ast.unparse(node)}")


def _call(
    name: str,
    arguments: list[ast.expr],
    sheet: Sheet,
    of: Callable[[ast.expr], Value | None],
) -> Value | None:
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
            code = sheet.code(dotted(field))
            if code is None:
                selected_by = dotted(field).rpartition(".")[0]
                sheet.note(f"{selected_by} selects an unknown source")
                return None
            return sheet.named(f"{dotted(prefix)}.{code}")
        case "only", [ast.Dict(keys=keys, values=values)]:
            read = [(key, of(value)) for key, value in zip(keys, values, strict=True)]
            found = [str(k.value) for k, value in read if value and isinstance(k, ast.Constant)]
            return found[0] if len(found) == 1 else None
        case "bits", [kind]:
            return sheet.bits(dotted(kind))
        case "reference", [multiple]:
            return reference_mhz(sheet, lambda: number(of(multiple)))
        case "length", [several]:
            return len(_list(of(several)))
        case "first_and_last", [several]:
            return geometry.first_and_last(_list(of(several)))
        case "mapping", [column, bank, row]:
            return geometry.mapping(_list(of(column)), _list(of(bank)), _list(of(row)))
        case "mapping_of_groups", [bank, row]:
            return geometry.mapping_of_groups(_list(of(bank)), _list(of(row)))
        case "read_latency", [kind, register]:
            return mode.read_latency(str(of(kind)), whole(of(register)))
        case "write_latency", [kind, register]:
            return mode.write_latency(str(of(kind)), whole(of(register)))
    raise ValueError(f"not an operation of figures: {name}")


def _list(value: Value | None) -> list[int]:
    if not isinstance(value, list):
        raise TypeError(f"not a list: {value!r}")
    return value


def dotted(node: ast.expr) -> str:
    """`a.b.c` as text."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{dotted(value)}.{name}"
    raise ValueError(f"not a name: {ast.unparse(node)}")


def names_in(node: ast.AST) -> Iterator[str]:
    """Every name with dots in the expression."""
    if isinstance(node, ast.Attribute):
        yield dotted(node)
    else:
        for inner in ast.iter_child_nodes(node):
            yield from names_in(inner)
