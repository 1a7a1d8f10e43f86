"""The model's errors on validated rows: classes of rows that are alike, as a file and as figures.

An error is ln(simulated / published). Of each class its errors are kept in order, or, where it has
more than `KEPT`, as many quantiles of them: what stands in the file says how good the model is, not
what was published.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiometer.published.bands.features import CLASSES, PLACES, SETTINGS, Features

FILE = Path(__file__).with_name("validated.csv")
OTHERS = FILE.with_name("others.csv")
KEPT = 21
FEATURES = (*SETTINGS, *PLACES, *CLASSES)
_SCALE = 1e4  # errors in the file are whole numbers: 1 is 0.01 %


@dataclass(frozen=True)
class Row:
    """A published row: the `set` of rows that it is of, what kind of point it is, and its error."""

    set: str
    features: Features
    error: float


@dataclass(frozen=True)
class Class:
    """`rows` of one set with equal features; `errors` in order, each of rows / len(errors) rows."""

    set: str
    features: Features
    rows: int
    errors: tuple[float, ...]


def classes(rows: Iterable[Row]) -> list[Class]:
    """Rows put together by set and features."""
    found: dict[tuple[str | float, ...], list[float]] = {}
    for row in rows:
        key = (row.set, *(row.features[name] for name in FEATURES))
        found.setdefault(key, []).append(row.error)
    return [
        Class(str(of), dict(zip(FEATURES, key, strict=True)), len(errors), _kept(sorted(errors)))
        for (of, *key), errors in sorted(found.items())
    ]


def _kept(errors: Sequence[float]) -> tuple[float, ...]:
    if len(errors) <= KEPT:
        return tuple(errors)
    last = len(errors) - 1
    return tuple(errors[round(last * number / (KEPT - 1))] for number in range(KEPT))


def write(path: Path, found: Iterable[Class]) -> None:
    """The file of these classes."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["set", *FEATURES, "rows", "errors"])
        for each in found:
            told = [f"{v:g}" if isinstance(v, float) else v for v in each.features.values()]
            errors = " ".join(str(round(error * _SCALE)) for error in each.errors)
            rows.writerow([each.set, *told, each.rows, errors])


def read(path: Path) -> list[Class]:
    """The classes of a file that `write` made."""
    found = []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            features: Features = {name: row[name] for name in FEATURES}
            features["pl_mhz"] = float(row["pl_mhz"])
            errors = tuple(int(error) / _SCALE for error in row["errors"].split())
            found.append(Class(row["set"], features, int(row["rows"]), errors))
    return found


@cache
def others() -> tuple[Class, ...]:
    """Classes of rows that benches of others printed, beside the model: no table that is reproduced
    here, and set up otherwise."""
    return tuple(read(OTHERS))


@cache
def shipped() -> tuple[Class, ...]:
    """The classes that come with Axiometer."""
    return tuple(read(FILE))
