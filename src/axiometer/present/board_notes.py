"""Notes on repeats on a board (temperature, clocks, outliers), as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from axiometer.answer.analysis import surroundings
from axiometer.answer.analysis.results import MEASURED, modelled
from axiometer.base.record import Record
from axiometer.present import labels


class OfPoint(Protocol):
    """A point and its records: a row of a view, or a point of a store."""

    @property
    def key(self) -> Mapping[str, object]: ...
    @property
    def records(self) -> Sequence[Record]: ...


def lines(points: Sequence[OfPoint], backend: str) -> list[str]:
    """A line for each note, with its points unless it holds for all of them."""
    if modelled(backend):
        return []
    found: dict[str, list[str]] = {}
    for point in points:
        for note in surroundings.notes(point.records, backend == MEASURED):
            found.setdefault(note, []).append(labels.key_label(point.key) or "the only point")
    return [
        f"Note: {note}." if len(where) == len(points) else f"Note on {'; '.join(where)}: {note}."
        for note, where in found.items()
    ]
