"""Aligned tables that fit the available width; numbers are never broken.

If a table is too wide, cells that are equal in all rows are printed once, above it. If that does
not suffice, headings and text are broken between words, or rows are printed below the cells that
they share. As a last resort each row is a list of headings and values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from axiometer.base import wrap
from axiometer.base.wrap import width
from axiometer.present.text import Style

_GAPS = ("  ", " ")
"""Space between columns; the narrow one where it saves lines."""
_INDENT = "  "
_MOST_APART = 3  # columns at most that are printed above the rows that share them


@dataclass(frozen=True)
class Column:
    """A table column: its heading, whether it holds numbers (aligned right, never broken)."""

    title: str
    numeric: bool = True


@dataclass(frozen=True)
class Grid:
    """`head`: the lines above the rows; `rows`: the lines of each row."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    @property
    def lines(self) -> list[str]:
        return [*self.head, *(line for row in self.rows for line in row)]


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], style: Style) -> list[str]:
    """The lines of an aligned table: a heading, a rule, the rows; none wider than
    `style.columns`, except for longer words.

    A row may hold colour codes. ValueError unless every row has one cell a column.
    """
    return grid(columns, rows, style).lines


def grid(columns: Sequence[Column], rows: Sequence[Sequence[str]], style: Style) -> Grid:
    """The table with the lines of each row separate."""
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"a row of {len(row)} cells in a table of {len(columns)} columns")
    # Before widths are measured: in ASCII, ± takes three columns.
    cells = [[style.finish(cell) for cell in row] for row in rows]
    shown = [Column(style.finish(c.title), c.numeric) for c in columns]
    room = style.columns
    if _total(_natural(shown, cells)) <= room:
        return _aligned(shown, cells, _natural(shown, cells), style)
    above, shown, cells = _same(shown, cells, room)
    found = _laid_out(shown, cells, style)
    return Grid([*(style.paint(line, "dim") for line in above), *found.head], found.rows)


def _laid_out(columns: Sequence[Column], cells: Sequence[Sequence[str]], style: Style) -> Grid:
    """The first layout that fits: rows of one line, with headings broken, then with narrow gaps,
    then below their shared cells; rows of several lines; each row below its text; lists."""
    room = style.columns
    found = _rows(columns, cells, room, style, broken=False)
    if found is None:
        found = _grouped(columns, cells, style, len(cells) // 3)
    if found is None:
        found = _rows(columns, cells, room, style, broken=True)
    return found or _grouped(columns, cells, style, len(cells)) or _listed(columns, cells, style)


def _rows(
    columns: Sequence[Column],
    cells: Sequence[Sequence[str]],
    room: int,
    style: Style,
    *,
    broken: bool,
) -> Grid | None:
    """Rows in `room` columns: at their natural width, with headings broken, or (`broken`) with text
    broken too; None if none fits."""
    natural = _natural(columns, cells)
    for least in (_least(columns, cells),) if broken else (natural, _whole(columns, cells)):
        for gap in _GAPS:
            widths = _shared(least, natural, room, gap)
            if widths is not None:
                return _aligned(columns, cells, widths, style, gap)
    return None


def _whole(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[int]:
    """The widths of cells as they are, under headings that may be broken."""
    return [
        max([wrap.longest_word(c.title)] + [width(row[i]) for row in rows])
        for i, c in enumerate(columns)
    ]


def _natural(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max([width(c.title)] + [width(row[i]) for row in rows]) for i, c in enumerate(columns)]


def _least(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[int]:
    """The least width of each column: whole numbers, the longest word of a text."""
    return [
        max(
            [wrap.longest_word(c.title)]
            + [width(row[i]) if c.numeric else wrap.longest_word(row[i]) for row in rows]
        )
        for i, c in enumerate(columns)
    ]


def _total(widths: Sequence[int], gap: str = _GAPS[0]) -> int:
    return sum(widths) + len(gap) * (len(widths) - 1)


def _same(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], room: int
) -> tuple[list[str], list[Column], list[list[str]]]:
    """Lines with the cells that are equal in all rows; the other columns and cells."""
    if len(rows) < 2:  # noqa: PLR2004 - a single row has no other to compare with
        return [], list(columns), [list(row) for row in rows]
    alike = [len({row[i] for row in rows}) == 1 for i in range(len(columns))]
    equal = [
        f"{column.title} {rows[0][i].strip() or '–'}"
        for i, column in enumerate(columns)
        if alike[i] and column.title
    ]
    left = [i for i, same in enumerate(alike) if not same]
    if not left:
        return [], list(columns), [list(row) for row in rows]
    above = wrap.lines(["In all rows: " + "; ".join(equal)], room) if equal else []
    return above, [columns[i] for i in left], [[row[i] for i in left] for row in rows]


def _shared(
    least: Sequence[int], natural: Sequence[int], room: int, gap: str = _GAPS[0]
) -> list[int] | None:
    """Widths that fit: each at least `least`, the remaining room where most is lacking; None if
    there is not enough room."""
    widths = list(least)
    spare = room - _total(widths, gap)
    if spare < 0:
        return None
    while spare:
        lacking = [n - w for n, w in zip(natural, widths, strict=True)]
        most = max(range(len(widths)), key=lambda i: lacking[i])
        if lacking[most] <= 0:
            break
        widths[most] += 1
        spare -= 1
    return widths


def _aligned(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    widths: Sequence[int],
    style: Style,
    gap: str = _GAPS[0],
) -> Grid:
    def block(cells: Sequence[str]) -> list[str]:
        parts = [
            [cell] if width(cell) <= w else wrap.wrap(cell, w)
            for cell, w in zip(cells, widths, strict=True)
        ]
        out = []
        for at in range(max(map(len, parts))):
            line = []
            for part, column, w in zip(parts, columns, widths, strict=True):
                cell = part[at] if at < len(part) else ""
                pad = " " * (w - width(cell))
                line.append(pad + cell if column.numeric else cell + pad)
            out.append(gap.join(line).rstrip())
        return out

    heading = [style.paint(line, "bold") for line in block([c.title for c in columns])]
    rule = style.finish(style.paint("─" * _total(widths, gap), "dim"))
    return Grid([*heading, rule], [block(row) for row in rows])


def _grouped(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], style: Style, most: int
) -> Grid | None:
    """Rows below the cells that neighbours share, for the columns with the fewest groups, at most
    `most`. None if no such layout fits."""
    room = style.columns - len(_INDENT)
    best: tuple[int, int] | None = None
    chosen: tuple[tuple[int, ...], list[int], Grid] | None = None
    every = range(len(columns))
    for count in range(1, min(_MOST_APART, len(columns) - 1) + 1):
        for out in combinations(every, count):
            heads = [[row[i] for i in out] for row in rows]
            groups = 1 + sum(a != b for a, b in pairwise(heads))
            if groups > most or (best is not None and (groups, count) >= best):
                continue
            left = [i for i in every if i not in out]
            its, cells = [columns[i] for i in left], [[row[i] for i in left] for row in rows]
            found = _rows(its, cells, room, style, broken=False)
            if found is not None:
                best, chosen = (groups, count), (out, left, found)
    if chosen is None:
        return None
    apart, _, found = chosen
    title = "; ".join(columns[i].title for i in apart if columns[i].title)
    head = [style.paint(title, "bold"), *(_INDENT + line for line in found.head)]
    blocks, before = [], ""
    for row, below in zip(rows, found.rows, strict=True):
        words = "; ".join(row[i].strip() for i in apart if row[i].strip())
        above = wrap.lines([words], style.columns) if words and words != before else []
        blocks.append([*above, *(_INDENT + line for line in below)])
        before = words
    return Grid(wrap.lines(head, style.columns), blocks)


def _listed(columns: Sequence[Column], rows: Sequence[Sequence[str]], style: Style) -> Grid:
    """Each row as headings with values."""
    listed = []
    for row in rows:
        both = zip(columns, row, strict=True)
        cells = [
            f"{c.title}: {cell.strip()}".removeprefix(": ") for c, cell in both if cell.strip()
        ]
        listed.append(wrap.wrap("; ".join(cells), style.columns, _INDENT))
    return Grid([], listed)
