"""Where C++ can be mutated: operators, comparisons and constants, found by tree-sitter.

Left out is what must be constant when it is compiled (template arguments, sizes of arrays, labels,
constexpr variables, static_assert) and what only words a message (throw).
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter
import tree_sitter_cpp

from mutation.mutants import Mutant, mutant

BINARY = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["/", "+"], "/": ["*"], "%": ["/"],
    "&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"], ">>": ["<<"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "%=": ["/="],
    "&=": ["|="], "|=": ["&="], "^=": ["&="], "<<=": [">>="], ">>=": ["<<="],
    "++": ["--"], "--": ["++"],
}  # fmt: skip

CONSTANT = {
    "template_argument_list", "template_parameter_list", "static_assert_declaration",
    "preproc_include", "preproc_def", "preproc_function_def", "enumerator", "array_declarator",
    "bitfield_clause", "attribute", "attribute_declaration", "requires_clause", "noexcept",
    "alias_declaration", "type_descriptor", "concept_definition", "operator_name", "decltype",
    "throw_statement", "sizeof_expression", "new_declarator", "ERROR",
}  # fmt: skip

_parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))


def places(file: str, source: bytes) -> Iterator[Mutant]:
    yield from _of(file, source, _parser.parse(source).root_node)


def _of(file: str, source: bytes, node: tree_sitter.Node) -> Iterator[Mutant]:
    if node.type in CONSTANT or _must_be_constant(node):
        return
    for edits, now in _edits(node):
        yield mutant(file, source, node.start_byte, node.end_byte, edits, now)
    label = node.child_by_field_name("value") if node.type == "case_statement" else None
    constexpr_if = node.type == "if_statement" and any(c.type == "constexpr" for c in node.children)
    for child in node.children:
        if child == label or (constexpr_if and child.type == "condition_clause"):
            continue
        yield from _of(file, source, child)


def _must_be_constant(node: tree_sitter.Node) -> bool:
    if node.type not in ("declaration", "field_declaration"):
        return False
    words = {child.text for child in node.children}
    return bool(words & {b"constexpr", b"constinit", b"virtual"})


def _edits(node: tree_sitter.Node) -> Iterator[tuple[list[tuple[int, int, str]], str]]:
    """What can be edited in the node itself, and what stands there then."""
    if node.type in ("binary_expression", "assignment_expression", "update_expression"):
        operator = node.child_by_field_name("operator")
        if b"<<" in operator.text and _prints(node):
            return
        for other in BINARY.get(operator.text.decode(), []):
            yield [(operator.start_byte, operator.end_byte, other)], other
    elif node.type == "unary_expression":
        operator = node.child_by_field_name("operator")
        if operator.text in (b"!", b"-", b"~"):
            # Without `!` it is still a truth value, or both forms would not be of one type.
            other = "!!" if operator.text == b"!" else " "
            yield [(operator.start_byte, operator.end_byte, other)], "nothing"
    elif node.type in ("true", "false"):
        other = "false" if node.type == "true" else "true"
        yield [(node.start_byte, node.end_byte, other)], other
    elif node.type == "number_literal":
        text = node.text.decode()
        others = ["1"] if text == "0" else [f"({text} + 1)", f"({text} - 1)"]
        for other in others:
            yield [(node.start_byte, node.end_byte, other)], other.strip("()")


def _prints(node: tree_sitter.Node) -> bool:
    """Whether `<<` writes to a stream: a text stands in the chain."""
    return any(child.type == "string_literal" or _prints(child) for child in node.children)
