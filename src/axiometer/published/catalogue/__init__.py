"""The boards by name, the origin of their figures, and the model's errors on measured boards.

Reads only the heads of files, so that a list is fast. Not for: a board's figures
(`axiometer.platform`), or answers of the model.
"""

from __future__ import annotations

import tomllib
from collections.abc import Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiometer.base import data

MEASURED = "measured"
_USUAL = "from registers"
_PUBLISHED = ("reference", "external_reference")  # keys of an experiment with published rows
_NOT_MEASURED = " (not measured)"  # end of the titles of boards without measurements


@dataclass(frozen=True)
class Error:
    """Absolute errors of the model on a set of published rows, in percent of the published rate:
    their `mean`, and `most`, which holds nine of ten. `fitted` of the rows are ones on which a
    figure was fitted. `at_wires` of them have the rate that their ports' wires carry: the means of
    these and of the others, None where there are none or wires decide nothing. `measured_on` and
    `what`: what was measured, and by whom; `boards`: the simulated ones; `page` has the rows."""

    measured_on: str
    boards: tuple[str, ...]
    what: str
    rows: int
    fitted: int
    mean: float
    most: float
    page: str
    at_wires: int = 0
    at_wires_mean: float | None = None
    below_wires_mean: float | None = None


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
    """A chip and its boards, measured boards first. `errors`: of rows that are simulated on one of
    them; empty where none is."""

    name: str
    title: str
    boards: tuple[Board, ...]
    errors: tuple[Error, ...]


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
        found.append(Chip(name, head.title, tuple(its), _errors_on({b.name for b in its})))
    return found


@cache
def errors() -> tuple[Error, ...]:
    """The errors on all sets of published rows, from `accuracy.toml`."""
    text = Path(__file__).with_name("accuracy.toml").read_text("utf-8")
    return tuple(
        Error(**entry | {"boards": tuple(entry["boards"])})
        for entry in tomllib.loads(text)["error"]
    )


def _errors_on(names: Set[str]) -> tuple[Error, ...]:
    """The errors of rows that are simulated on one of these boards."""
    return tuple(error for error in errors() if names & set(error.boards))


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
