"""Explains why no row of a table matches a run's points: the nearest row and its differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Protocol, TypeVar

MOST_PAIRS = 50_000  # compared pairs of a row and a point: about a second
MOST_KEYS = 3  # named differences


class _Row(Protocol):
    @property
    def conditions(self) -> Mapping[str, object]: ...

    @property
    def line(self) -> int: ...


Of = TypeVar("Of", bound=_Row)
Values = Mapping[str, object]
Difference = tuple[str, object, object, bool]
"""Key, the row's value, the point's value, and whether the table prints it."""


def why(
    rows: Sequence[Of],
    points: Iterable[Values],
    wanted: Callable[[Values, Values], Values],
    same: Callable[[object, object], bool],
) -> str:
    """A phrase on the differences between the nearest row and its point of `points` (values of
    experiment keys). `wanted(conditions, values)` are a row's conditions with assumed ones. Long
    tables and runs are compared only at their beginnings."""
    best: tuple[tuple[int, int], Of, list[Difference]] | None = None
    looked_at = rows[:MOST_PAIRS]
    most_points = max(1, MOST_PAIRS // max(1, len(looked_at)))
    for values in islice(points, most_points):
        for row in looked_at:
            unlike = [
                (key, value, values.get(key), key in row.conditions)
                for key, value in wanted(row.conditions, values).items()
                if not same(values.get(key), value)
            ]
            # Among equal numbers of differences, a printed one says more than an assumed one.
            rank = (len(unlike), sum(not printed for *_, printed in unlike))
            if best is None or rank < best[0]:
                best = (rank, row, unlike)
    if best is None:
        return "it has no rows" if not rows else "the run has no points"
    _, row, unlike = best
    named = [_words(*difference) for difference in unlike[:MOST_KEYS]]
    more = len(unlike) - len(named)
    rest = f", and {more} more" if more > 0 else ""
    return f"the nearest row, line {row.line}, {', '.join(named)}{rest}"


def _words(key: str, published: object, own: object, printed: bool) -> str:
    where = "" if printed else " (assumed: the table has no column for it)"
    return f"has {key} {_shown(published)}{where} where the run has {_shown(own)}"


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return "+".join(map(str, value))
    if value is None:
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)
