"""Reads cells, merged areas and sheets of a published workbook (.xlsx), and nothing else.

A workbook may be hostile, so time and memory are bounded: sizes are read from the zip directory
before anything is unpacked, elements, cells and areas are counted, and XML with entities is
refused. Charts, styles and formulas are ignored: a formula's cell has its saved value, a date is a
number of days.
"""

from __future__ import annotations

import math
import posixpath
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from axiometer.base import harmless, input_bounds
from axiometer.base.errors import AxiometerError
from axiometer.base.xml_parts import UNREADABLE, BadPartError, Budget, Element, Visit, visit

MAX_FILE = 32 * 2**20
MAX_PART = 16 * 2**20  # bytes of one part, unpacked
MAX_PARTS = 48 * 2**20  # bytes of all parts that are read
MAX_MEMBERS = 5000
MAX_CELLS = 1_000_000
LONGEST_TEXT = 400  # characters of a cell; headings are shorter
MAX_AREA = 2_000_000  # rows x columns up to the last cell of a sheet, and of merged areas
_CELL = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
_WHOLE = re.compile(r"-?\d{1,15}")
_SHEET = "/worksheet"  # the end of a relationship's type; chart tabs have another

Place = tuple[int, int]  # row and column, from 0
Value = str | bool | int | float  # of a cell


@dataclass(frozen=True)
class Page:
    """A worksheet: `cells` with a value, and merged `areas` (first and last place)."""

    title: str
    cells: dict[Place, Value]
    areas: list[tuple[Place, Place]] = field(default_factory=list)

    def value(self, name: str) -> Value | None:
        """The value of the cell `name` ("BC31"); None where it is empty."""
        return self.cells.get(_place(name))

    def grid(self) -> list[list[Value | None]]:
        """All values up to the last row and column."""
        rows, columns = self.size
        found: list[list[Value | None]] = [[None] * columns for _ in range(rows)]
        for (row, column), value in self.cells.items():
            found[row][column] = value
        return found

    @property
    def size(self) -> Place:
        return (
            max((row for row, _ in self.cells), default=-1) + 1,
            max((column for _, column in self.cells), default=-1) + 1,
        )


def load(path: Path) -> list[Page]:
    """The worksheets of the workbook at `path`, in order. AxiometerError if it is no workbook or
    exceeds the bounds."""
    input_bounds.check_plain(path, MAX_FILE, "the workbook")
    try:
        with zipfile.ZipFile(path) as archive:
            return _pages(_Archive(archive))
    except UNREADABLE as error:
        what = str(error)
    raise AxiometerError(
        f"cannot be read as a workbook: {harmless.text(what, 200)}",
        file=path,
        remedy="use the file as published",
    )


class _Archive:
    """The parts of a workbook within its bounds."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        members = archive.infolist()
        if len(members) > MAX_MEMBERS:
            raise BadPartError(f"it has {len(members)} parts, more than {MAX_MEMBERS}")
        self.sizes = {member.filename: member.file_size for member in members}
        self.left = MAX_PARTS
        self.budget = Budget()

    def visit(self, name: str, see: Visit) -> None:
        """Call `see` for the elements of a part, as `xml_parts.visit` does."""
        if name not in self.sizes:
            raise BadPartError(f"it has no part {harmless.quoted(name)}")
        size = self.sizes[name]
        self.left -= size
        if size > MAX_PART or self.left < 0:
            raise BadPartError(
                f"{harmless.quoted(name)} is {size >> 20} MiB unpacked: the limits are "
                f"{MAX_PART >> 20} MiB for a part and {MAX_PARTS >> 20} MiB for all"
            )
        with self.archive.open(name) as part:
            content = part.read(MAX_PART + 1)
        visit(content, name, self.budget, see)

    def begun(self, name: str, wanted: str) -> list[Element]:
        """The elements of the part `name` whose name is `wanted`."""
        found: list[Element] = []
        self.visit(
            name, lambda e, ended: found.append(e) if e.name == wanted and not ended else None
        )
        return found


def _pages(archive: _Archive) -> list[Page]:
    targets = {
        found.get("Id"): (found.get("Type"), found.get("Target"))
        for found in archive.begun("xl/_rels/workbook.xml.rels", "Relationship")
    }
    strings = _strings(archive) if "xl/sharedStrings.xml" in archive.sizes else []
    pages: list[Page] = []
    for sheet in archive.begun("xl/workbook.xml", "sheet"):
        kind, target = targets.get(sheet.get("id"), ("", ""))
        if kind.endswith(_SHEET):
            part = posixpath.normpath(posixpath.join("xl", target)).lstrip("/")
            reader = _Reader(_shown(sheet.get("name")), strings)
            reader.most -= sum(len(page.cells) for page in pages)
            archive.visit(part, reader.see)
            pages.append(_bounded(Page(reader.title, reader.cells, reader.areas)))
    return pages


def _strings(archive: _Archive) -> list[str]:
    """The shared texts of cells: runs of an item are joined, phonetic readings are left out."""
    found: list[str] = []
    runs: list[str] = []

    def see(element: Element, ended: bool) -> None:
        if ended and element.name == "t" and "rPh" not in element.within:
            runs.append(element.text)
        elif ended and element.name == "si":
            found.append(_shown("".join(runs)))
            runs.clear()

    archive.visit("xl/sharedStrings.xml", see)
    return found


class _Reader:
    """Collects cells and areas from the elements of a sheet."""

    def __init__(self, title: str, strings: list[str]) -> None:
        self.title, self.strings, self.most = title, strings, MAX_CELLS
        self.cells: dict[Place, Value] = {}
        self.areas: list[tuple[Place, Place]] = []
        self.at: Place = (-1, -1)
        self.texts: list[str] = []

    def see(self, element: Element, ended: bool) -> None:
        name = element.name
        if ended:
            if name == "v" or (name == "t" and "is" in element.within):
                self.texts.append(element.text)
            elif name == "c":
                self._keep(element.get("t", "n"))
        elif name == "c":
            reference = element.get("r")
            self.at = _place(reference) if reference else (self.at[0], self.at[1] + 1)
            self.texts.clear()
        elif name == "row":
            number = element.get("r")
            self.at = (int(number) - 1 if _is_row(number) else self.at[0] + 1, -1)
        elif name == "mergeCell":
            first, _, last = element.get("ref").partition(":")
            self.areas.append((_place(first), _place(last or first)))

    def _keep(self, kind: str) -> None:
        value = _value(kind, "".join(self.texts), self.strings, self.title, self.at)
        if value is None:
            return
        if min(self.at) < 0 or len(self.cells) >= self.most:
            raise BadPartError(f"it has more than {MAX_CELLS} cells, or cells outside rows")
        self.cells[self.at] = value


def _bounded(page: Page) -> Page:
    rows, columns = page.size
    merged = sum(
        max(0, min(rows, bottom + 1) - top) * max(0, min(columns, right + 1) - left)
        for (top, left), (bottom, right) in page.areas
    )
    for what, area in (("reaches over", rows * columns), ("merges", merged)):
        if area > MAX_AREA:
            raise BadPartError(f"sheet {page.title!r} {what} {area} cells, more than {MAX_AREA}")
    return page


def _value(kind: str, text: str, strings: list[str], title: str, at: Place) -> Value | None:
    if kind == "s":
        if not _WHOLE.fullmatch(text) or not 0 <= int(text) < len(strings):
            raise BadPartError(f"sheet {title!r} names a missing text")
        return strings[int(text)]
    if kind in ("str", "inlineStr", "e", "d"):
        return _shown(text) or None
    if kind == "b":
        return text.strip() == "1"
    if not text.strip():
        return None
    number = int(text) if _WHOLE.fullmatch(text) else float(text) if len(text) < 400 else math.nan
    if not math.isfinite(number):
        raise BadPartError(f"sheet {title!r}, row {at[0] + 1} has an invalid number")
    return number


def _shown(text: str) -> str:
    return harmless.text(text, LONGEST_TEXT)


def _place(name: str) -> Place:
    found = _CELL.fullmatch(name)
    if not found:
        raise BadPartError(f"{harmless.quoted(name)} is not the name of a cell")
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return int(found[2]) - 1, column - 1


def _is_row(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < len(text) < 8 and text[0] != "0"
