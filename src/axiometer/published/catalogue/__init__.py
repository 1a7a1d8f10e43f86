"""The boards by name, the origin of their figures, and the model's errors on measured boards.

Reads only the heads of files, so that a list is fast. Not for: a board's figures
(`axiometer.platform`), or answers of the model.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiometer.base import data

DIRECTIONS = ("read", "write", "both")
"""The memory's directions: read, written, and both together."""

MEASURED = "measured"
_USUAL = "from registers"
_PUBLISHED = ("reference", "external_reference")  # keys of an experiment with published rows
_NOT_MEASURED = " (not measured)"  # end of the titles of boards without measurements


@dataclass(frozen=True)
class Error:
    """Absolute errors of the model on rows of a measured board, or of all boards of a chip, in
    percent of the published rate: their `mean`, and `most`, which holds nine of ten. `page` has
    them row by row."""

    board: str
    direction: str
    rows: int
    mean: float
    most: float
    page: str


@dataclass(frozen=True)
class Board:
    """A board. `origin`: "measured" if published rows exist, otherwise the origin of its figures;
    `experiments`: reproduce its published rows; `aliases`: its other names."""

    name: str
    title: str
    chip: str
    aliases: tuple[str, ...]
    origin: str
    experiments: tuple[str, ...]


@dataclass(frozen=True)
class Chip:
    """A chip and its boards, measured boards first. `errors`: of all measured boards together, by
    direction; empty where none is measured."""

    name: str
    title: str
    boards: tuple[Board, ...]
    errors: dict[str, Error]


@dataclass(frozen=True)
class _Head:
    """The head of a file; `of`: a board's chip, or an experiment's platform."""

    title: str
    of: str
    aliases: tuple[str, ...]
    figures_from: str
    is_published: bool


def boards() -> list[Board]:
    """All shipped boards, by name."""
    measured = _measured()
    found = []
    for name in data.names("boards"):
        head = _head(data.path_of("boards", name))
        experiments = tuple(measured.get(name, ()))
        found.append(
            Board(
                name,
                head.title.removesuffix(_NOT_MEASURED),
                head.of,
                head.aliases,
                MEASURED if experiments else head.figures_from,
                experiments,
            )
        )
    return found


def chips() -> list[Chip]:
    """All chips with a board, by name."""
    by_chip: dict[str, list[Board]] = {}
    for board in boards():
        by_chip.setdefault(board.chip, []).append(board)
    found = []
    for name, its in sorted(by_chip.items()):
        head = _head(data.path_of("chips", name))
        its.sort(key=lambda board: (board.origin != MEASURED, board.name))
        found.append(Chip(name, head.title, tuple(its), together(b.name for b in its)))
    return found


@cache
def errors() -> tuple[Error, ...]:
    """The errors on each measured board, from `accuracy.toml`."""
    path = Path(__file__).with_name("accuracy.toml")
    if not path.is_file():
        return ()
    return tuple(Error(**entry) for entry in tomllib.loads(path.read_text("utf-8"))["error"])


def together(names: Iterable[str]) -> dict[str, Error]:
    """The errors of the boards in `names` by direction: the mean over all rows; nine of ten rows of
    each board are within `most`. Directions without rows are left out."""
    chosen = set(names)
    found = {}
    for direction in DIRECTIONS:
        its = [e for e in errors() if e.board in chosen and e.direction == direction]
        if its:
            rows = sum(e.rows for e in its)
            found[direction] = Error(
                ", ".join(dict.fromkeys(e.board for e in its)),
                direction,
                rows,
                sum(e.mean * e.rows for e in its) / rows,
                max(e.most for e in its),
                ", ".join(dict.fromkeys(e.page for e in its)),
            )
    return found


def _measured() -> dict[str, list[str]]:
    """Experiments with published rows, by board."""
    found: dict[str, list[str]] = {}
    for name in data.names("experiments"):
        head = _head(data.path_of("experiments", name))
        if head.is_published:
            found.setdefault(head.of, []).append(name)
    return found


def _head(path: Path) -> _Head:
    """The head of a TOML file: the text before its first table."""
    lines = []
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.startswith("["):
                break
            lines.append(line)
    head = tomllib.loads("".join(lines))
    return _Head(
        title=head["title"],
        of=head.get("chip", head.get("platform", "")),
        aliases=tuple(head.get("aliases", ())),
        figures_from=head.get("figures_from", _USUAL),
        is_published=any(key in head for key in _PUBLISHED),
    )
