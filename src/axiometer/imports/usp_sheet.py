"""Reads a sheet of a speedtest workbook as samples: each number with its headings.

A table begins at a row with a heading of the burst size. Its headings are that row, the two rows
above it and those down to the first burst size; each heading extends to the right like a merged
cell. The ports of a row are in a separate column, over the columns, over the table, or in the
sheet's name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from axiometer.base.errors import AxiometerError
from axiometer.imports import usp_headings as headings
from axiometer.imports.usp_headings import Heading
from axiometer.imports.workbook import Page, Value

ABOVE = 2  # rows of headings above that of the burst size
_PUBLISHED = "use the workbook as published, saved with its values"


@dataclass(frozen=True)
class Sample:
    """A number under a heading. `ports` is the configuration if the sheet gives it, `port` the port
    of the number if it has a single one; bursts in bytes, rates in MB/s; `line` is sheet and row,
    `where` the cell in words."""

    ports: tuple[str, ...] | None
    burst: int
    port: str | None
    repeat: int | None
    quantity: str
    statistic: str | None
    value: float
    line: tuple[str, int]
    where: str


@dataclass(frozen=True)
class Column:
    """A column of a table; `configuration` is empty where the heading has none."""

    heading: Heading
    configuration: tuple[str, ...] = ()


class Sheet:
    """A worksheet; errors name its cells. Parts that are left out are added to `notes`."""

    def __init__(self, file: object, page: Page, notes: list[str]) -> None:
        self.file, self.page, self.notes = file, page, notes
        self.name = page.title
        self.grid = page.grid()
        for (top, left), (bottom, right) in page.areas:
            value = self._at(top, left)
            for row in range(top, min(bottom + 1, len(self.grid))):
                for column in range(left, min(right + 1, len(self.grid[row]))):
                    self.grid[row][column] = value

    def samples(self) -> Iterator[Sample]:
        """All numbers of all tables of the sheet."""
        tops = [row for row in range(len(self.grid)) if self._burst_columns(row)]
        # A heading of two rows may have "burst" in both: the last row is the table's.
        tops = [t for t in tops if t + 1 not in tops]
        for top, end in itertools.pairwise([*tops, len(self.grid)]):
            yield from self._table(top, end)

    def _table(self, top: int, end: int) -> Iterator[Sample]:
        burst_at = self._burst_columns(top)[0]
        first = top + 1
        while first < end and not is_number(self._at(first, burst_at)):
            first += 1
        columns = self._columns(range(max(0, top - ABOVE), top), range(top, first), burst_at)
        factor = columns[burst_at].heading.factor
        if factor is None:
            factor = self._burst_unit(first, end, burst_at)
        titles = self._title(top)
        ports_at = next((c for c, h in columns.items() if h.heading.quantity == "ports"), None)
        repeat_at = next((c for c, h in columns.items() if h.heading.quantity == "repeat"), None)
        configuration: tuple[str, ...] | None = None
        for row in range(first, end):
            if not is_number(self._at(row, burst_at)):
                self._no_burst(row, end, burst_at)
                continue
            if ports_at is not None:
                # A set of ports may be written once, above its rows.
                named = self._at(row, ports_at)
                configuration = self._ports(row, ports_at) if named else configuration
            yield from self._row(row, columns, factor, configuration or titles, repeat_at)

    def _row(
        self,
        row: int,
        columns: dict[int, Column],
        factor: float,
        configuration: tuple[str, ...] | None,
        repeat_at: int | None,
    ) -> Iterator[Sample]:
        burst_at = next(c for c, h in columns.items() if h.heading.quantity == "burst")
        size = self._at(row, burst_at)
        burst = size * factor if is_number(size) else 0
        if burst != int(burst) or burst % 16 or not 16 <= burst <= 4096:
            raise self._wrong(row, burst_at, "a burst of 16 to 4096 bytes in steps of 16")
        number = self._repeat(row, repeat_at) if repeat_at is not None else None
        for column, (heading, named) in (
            (c, (h.heading, h.configuration)) for c, h in columns.items()
        ):
            if heading.quantity in ("burst", "ports", "repeat"):
                continue
            value = self._at(row, column)
            if value in (None, ""):
                continue
            if not is_number(value) or value < 0:
                raise self._wrong(row, column, f"what {heading.text!r} promises")
            yield Sample(
                ports=named or configuration,
                burst=int(burst),
                port=heading.ports[0] if len(heading.ports) == 1 else None,
                repeat=heading.repeat or number or headings.repeat(self.name),
                quantity=str(heading.quantity),
                statistic=heading.statistic,
                value=value * (heading.factor or 1.0),
                line=(self.name, row),
                where=self._where(row, column),
            )

    def _repeat(self, row: int, column: int) -> int | None:
        number = self._at(row, column)
        if number in (None, ""):
            return None
        if not is_number(number):
            raise self._wrong(row, column, "the number of a repeat")
        return int(number)

    def _no_burst(self, row: int, end: int, column: int) -> None:
        """Handles a cell that is not a burst size: a mistake between bursts, a remark below."""
        found = self._at(row, column)
        if found in (None, ""):
            return
        later = range(row + 1, max(row + 1, end - ABOVE))
        if any(is_number(self._at(below, column)) for below in later):
            raise self._wrong(row, column, "a burst size")
        if end == len(self.grid):
            self.notes.append(
                f"{self.file}: {self._where(row, column)}: {found!r} is not a burst size: left out"
            )

    def _columns(self, above: range, band: range, burst_at: int) -> dict[int, Column]:
        """The columns by number, from their headings; unknown columns get a note."""
        found = {}
        width = max((len(self.grid[row]) for row in band), default=0)
        naming = [row for row in (*above, *band) if self._names_configurations(row, burst_at)]
        for column in range(width):
            own_texts = [self._text(row, column) for row in band]
            texts = [
                headings.without_ports(text) if row in naming else text
                for row in (*above, *band)
                for text in [
                    self._spread(row, column, burst_at, row in naming)
                    if row in above
                    else self._text(row, column)
                ]
            ]
            if re.search(r"\btotal|\ball\b|\bsum\b|combined", " ".join(own_texts).lower()):
                texts = own_texts  # of no single port, despite the heading to its left
            if not any(own_texts):
                continue
            text = " ".join(dict.fromkeys(t for t in texts if t))
            where = self._where(band[0], column)
            heading, own_text = (self._understood(t, where) for t in (text, " ".join(own_texts)))
            configuration: tuple[str, ...] = heading.ports if len(heading.ports) > 1 else ()
            if naming:
                named = self._spread(naming[-1], column, burst_at, True)
                configuration = self._title_ports(naming[-1], named) or configuration
            if own_text.quantity in ("burst", "ports", "repeat"):
                heading = own_text
            elif heading.quantity is None and (configuration or heading.ports):
                # The workbook has a sheet or a table for each quantity.
                heading = self._understood(f"{self._over(band[0])} {text}", where)
            if heading.quantity is None:
                own = " ".join(own_texts).strip()
                self.notes.append(f"{self.file}: {where}: {own!r} is an unknown heading: left out")
            else:
                found[column] = Column(heading, configuration)
        return found

    def _understood(self, text: str, where: str) -> Heading:
        try:
            return headings.understand(text)
        except ValueError as error:
            raise self._error(f"{where}: {error}", "name each port") from None

    def _names_configurations(self, row: int, burst_at: int) -> bool:
        """Whether the cells of a row name configurations: several sets, at least one of several
        ports."""
        texts = [self._text(row, column) for column in range(burst_at + 1, len(self.grid[row]))]
        named = [ports for text in texts if (ports := self._title_ports(row, text))]
        return len(set(named)) > 1 and any(len(ports) > 1 for ports in named)

    def _over(self, top: int) -> str:
        """The title above a table, or its sheet's name."""
        for row in range(top - 1, max(-1, top - 1 - ABOVE - 1), -1):
            texts = [t for c in range(len(self.grid[row])) if (t := self._text(row, c))]
            if len(texts) == 1 and headings.quantity(texts[0]):
                return texts[0]
        return self.name

    def _spread(self, row: int, column: int, burst_at: int, naming: bool) -> str:
        """The heading above `column`: its own cell or the nearest one to its left. A title with
        several ports is no heading unless the row is `naming` configurations; nor is a title above
        the burst column."""
        while column > burst_at:
            text = self._text(row, column)
            if text:
                return text if naming or len(self._title_ports(row, text)) < 2 else ""
            column -= 1
        return ""

    def _title(self, top: int) -> tuple[str, ...] | None:
        """The configuration in the nearest title above a table, or in its sheet's name."""
        for row in range(top - 1, max(-1, top - 1 - ABOVE - 1), -1):
            first = next((t for c in range(len(self.grid[row])) if (t := self._text(row, c))), "")
            only = sum(bool(self._text(row, c)) for c in range(len(self.grid[row]))) == 1
            found = self._title_ports(row, first)
            if found and only:
                return found
        return self._title_ports(top, self.name) or None

    def _title_ports(self, row: int, text: str) -> tuple[str, ...]:
        try:
            return headings.ports(text)
        except ValueError as error:
            raise self._error(
                f"sheet {self.name!r}, row {row + 1}: {error}", "name each port"
            ) from None

    def _ports(self, row: int, column: int) -> tuple[str, ...]:
        text = str(self._at(row, column))
        found = self._title_ports(row, text if "hp" in text.lower() else f"HP{text}")
        if not found:
            raise self._wrong(row, column, "a set of ports such as HP0+HP1")
        return found

    def _burst_columns(self, row: int) -> list[int]:
        texts = [(c, self._text(row, c)) for c in range(len(self.grid[row]))]
        if len([t for _, t in texts if t]) < 2:
            return []  # a title
        return [c for c, t in texts if t and headings.quantity(t) == "burst"]

    def _burst_unit(self, first: int, end: int, column: int) -> float:
        """The bytes of the column's unit: bytes, or beats of 16 bytes (1 to 256 a burst, as in the
        driver)."""
        sizes = [v for row in range(first, end) if is_number(v := self._at(row, column))]
        if any(size > 256 for size in sizes) and all(size % 16 == 0 for size in sizes):
            return 1.0
        if any(size % 16 for size in sizes):
            return 16.0
        raise self._error(
            f"{self._where(first - 1, column)}: bursts may be bytes or beats of 16 bytes",
            "add the unit to the heading: Burst size (B)",
        )

    def _at(self, row: int, column: int) -> Value | None:
        cells = self.grid[row] if 0 <= row < len(self.grid) else []
        return cells[column] if column < len(cells) else None

    def _text(self, row: int, column: int) -> str:
        value = self._at(row, column)
        return " ".join(value.split()) if isinstance(value, str) else ""

    def _where(self, row: int, column: int) -> str:
        return f"sheet {self.name!r}, cell {cell_name(row, column)}"

    def _wrong(self, row: int, column: int, expected: str) -> AxiometerError:
        found = self._at(row, column)
        return self._error(f"{self._where(row, column)} is {found!r}, not {expected}", _PUBLISHED)

    def _error(self, message: str, remedy: str) -> AxiometerError:
        return AxiometerError(message, file=self.file, remedy=remedy)


def cell_name(row: int, column: int) -> str:
    """The cell's name in a spreadsheet: "AB12" (row and column from 0)."""
    letters, left = "", column + 1
    while left:
        left, digit = divmod(left - 1, 26)
        letters = chr(65 + digit) + letters
    return f"{letters}{row + 1}"


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a cell's value is a number and not a truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)
