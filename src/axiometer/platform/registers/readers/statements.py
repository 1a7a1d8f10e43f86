"""Statements of `ps7_init` and `psu_init` that write a register, in Tcl and in C."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from axiometer.base.errors import AxiometerError
from axiometer.platform.registers.readers.numbers import needed, number, register_address
from axiometer.platform.registers.results import Write, unknown_value

_ALL = 0xFFFFFFFF
_MASKED = ("mask_write", "psu_mask_write", "PSU_Mask_Write", "EMIT_MASKWRITE")
_WHOLE = ("mwr", "Xil_Out32", "EMIT_WRITE")
_SHIFTED = ("prog_reg",)
ARGUMENTS = {**dict.fromkeys(_MASKED, 3), **dict.fromkeys(_WHOLE, 2), **dict.fromkeys(_SHIFTED, 4)}
_CALL = (
    re.compile(  # a C call to its bracket, on as many lines as it has; else the rest of the line
        rf"(?<![\w$])({'|'.join(ARGUMENTS)})\b[ \t]*(\([^();{{}}]{{0,400}}\)|[^\n]{{0,400}})"
    )
)
_C_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_TCL = re.compile(r"^[ \t]*(?:proc|set)[ \t]+\w+[ \t]*\{", re.M)
_OFFSET = re.compile(r"\(OFFSET,\s*MASK,\s*VALUE\)\s*\((0[xX][0-9A-Fa-f]{8})")
_MARK = re.compile(r"@(0[xX][0-9A-Fa-f]{8})@")
_MARK_BEFORE = 4000  # characters before a statement that may have its mark
_VARIABLE = re.compile(r"(?<!\w)[A-Za-z_$\[]")  # a word that begins unlike a number
_MACRO = re.compile(r"[A-Z][A-Z0-9_]*")


def present(text: str) -> bool:
    """Whether the text has a statement that writes a register."""
    return _CALL.search(text) is not None


def without_comments(text: str) -> str:
    """The text without comments, with the same lines. The offset in a C comment before a write
    whose argument is a macro stays as @0X...@."""
    if _TCL.search(text):
        return re.sub(r"^[ \t]*#[^\n]*", "", text, flags=re.M)

    def kept(comment: re.Match[str]) -> str:
        offset = _OFFSET.search(comment[0])
        return (f"@{offset[1]}@" if offset else " ") + "\n" * comment[0].count("\n")

    return _C_COMMENT.sub(kept, text)


@dataclass(frozen=True)
class Place:
    """The place of a piece of text, for errors, and the macros that its file defines."""

    file: object
    line: int
    defines: dict[str, str]


def writes(text: str, place: Place) -> Iterator[tuple[int, Write]]:
    """Position and write of each statement in `text`, which begins at `place`. A write of a
    variable has no bits; a write to a variable address is left out. A comment names the address of
    the next statement only, and is not a statement."""
    line, counted, ended = place.line, 0, 0
    for call in _CALL.finditer(text):
        line, counted = line + text.count("\n", counted, call.start()), call.start()
        before = text[max(ended, call.start() - _MARK_BEFORE) : call.start()]
        ended = call.end(1)
        write = _write(call[1], _given(call[2]), before, Place(place.file, line, place.defines))
        if write is not None:
            yield call.start(), write


def _given(rest: str) -> list[str]:
    """The arguments of a C call or a Tcl command."""
    if rest.lstrip().startswith("("):
        inside = rest.lstrip()[1:].partition(";")[0].rstrip().rstrip(",").removesuffix(")")
        return [text.strip() for text in inside.split(",")]
    return [text for text in re.split(r"[;}\]]", rest)[0].split() if text != "-force"]


def _write(name: str, given: list[str], before: str, place: Place) -> Write | None:
    if given and not re.match(r"\w+$", given[0]):
        return None  # a variable, or an expression
    variable = any(_VARIABLE.search(text) for text in given[1:])
    if len(given) != ARGUMENTS[name] and not variable:
        raise AxiometerError(
            f"{name} has {len(given)} arguments, not {ARGUMENTS[name]}",
            file=place.file,
            line=place.line,
            remedy="export the whole file again",
        )
    address = _address(given[0], before, place.defines)
    if address is None:
        return None
    at = register_address(address, place.file, place.line)
    if variable:
        return unknown_value(at, place.line)
    numbers = [needed(text, "an argument", place.file, place.line) for text in given[1:]]
    if name in _WHOLE:
        return Write(at, _ALL, numbers[0], None, place.line)
    value = numbers[1] if name in _MASKED else numbers[2] << numbers[1] % 32 & _ALL
    return Write(at, numbers[0], value, None, place.line)


def _address(text: str, before: str, defines: dict[str, str]) -> str | None:
    """The address as a number's text: a macro by its definition, or by the comment before it; None
    for a variable."""
    if number(text) is not None:
        return text
    if text in defines:
        return defines[text]
    marks: list[str] = _MARK.findall(before)
    if _MACRO.fullmatch(text) and marks:
        return marks[-1]
    return None if text[:1].islower() else text
