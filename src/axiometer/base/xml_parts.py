"""Reads the elements of an XML file or part in order; entities are refused.

The parser is Expat. Nothing outside the part is read, even if the part refers to it.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from xml.parsers import expat

from axiometer.base import harmless

MAX_ELEMENTS = 2_500_000
MAX_DEPTH = 64
_SAMPLES = (rb"\x41", bytes(range(256)))
_OWN_ENCODINGS = ("utf-8", "utf-16", "iso-8859-1", "us-ascii")


class BadPartError(Exception):
    """A mistake in a file or in a part of it; the message describes it."""


# Errors of reading parts of a zip: damaged, encrypted, unknown compression, invalid names.
UNREADABLE = (
    *(BadPartError, zipfile.BadZipFile, zlib.error, OSError, EOFError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError),
)


@dataclass(slots=True)
class Element:
    """An element: its name without namespace, its attributes, the names of the enclosing elements
    (while it is open), and its direct text."""

    name: str
    attributes: Mapping[str, str]
    within: Sequence[str]
    text: str = ""

    def get(self, name: str, default: str = "") -> str:
        """An attribute, in any namespace."""
        if name in self.attributes:
            return self.attributes[name]
        return next((v for k, v in self.attributes.items() if _plain(k) == name), default)


class Budget:
    """The number of elements that may still be read, of all parts together."""

    def __init__(self, most: int = MAX_ELEMENTS) -> None:
        self.most = self.left = most


Visit = Callable[[Element, bool], None]


def visit(content: bytes, part: str, budget: Budget, see: Visit) -> None:
    """Call `see(element, False)` where an element of the part begins, and `see(element, True)`,
    with its text, where it ends. BadPartError where the part is not XML, has entities, or exceeds
    the bounds on elements or depth."""
    open_: list[Element] = []
    texts: list[list[str]] = []
    around: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        budget.left -= 1
        if budget.left < 0:
            raise BadPartError(f"it has more than {budget.most} elements")
        if len(open_) >= MAX_DEPTH:
            raise BadPartError(f"{part!r} is nested too deeply")
        if open_:
            around.append(open_[-1].name)
        element = Element(_plain(name), attributes, around)
        open_.append(element)
        texts.append([])
        see(element, False)

    def end(_: str) -> None:
        element = open_.pop()
        element.text = "".join(texts.pop())
        see(element, True)
        if open_:
            around.pop()

    def characters(text: str) -> None:
        if texts:
            texts[-1].append(text)

    def refuse(*_: object) -> None:
        raise BadPartError(f"{part!r} defines entities, which are not supported")

    def declared(_: str, encoding: str | None, __: int) -> None:
        if encoding is not None and not _is_read(encoding):
            raise BadPartError(
                f"{part!r} is in the unsupported encoding {harmless.quoted(encoding, 40)}: "
                "save it as UTF-8"
            )

    parser = expat.ParserCreate()
    parser.XmlDeclHandler = declared
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        # In one piece: Expat needs quadratic time for long tokens in several pieces.
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise BadPartError(f"{part!r}: {error}") from None


def _is_read(encoding: str) -> bool:
    """Whether Expat supports the encoding: its own encodings, and those of Python with one byte a
    character. Other encodings fail with a different error for each codec."""
    if encoding.lower() in _OWN_ENCODINGS:
        return True
    try:
        return all(len(some.decode(encoding, "replace")) == len(some) for some in _SAMPLES)
    except (LookupError, ValueError):
        return False


def _plain(name: str) -> str:
    return name.rpartition(":")[2] if ":" in name else name
