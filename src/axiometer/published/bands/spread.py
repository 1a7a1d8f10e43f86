"""The errors of rates: the width that holds nine of ten rows of a bench, by kind of rate.

For each set of rows (a table of a source) and kind of rate, `cells.csv` has the width that holds
nine of ten values of |ln(simulated / measured)|. The width on another bench is estimated from their
logarithms with effects of the kind, of the source and of the set (a mixed model, as kriging;
`spread.toml` has the prior), so that a source counts once, regardless of its number of rows. A band
exceeds the expected width by `levels.toml` times its standard deviation: with whole sources left
out (or, for a known bench, whole sets) nine of ten rows are inside, and no source has less than
60 %. Cells of benches of others are of the model at the first comparison: later repairs do not
predict the next bench.
"""

from __future__ import annotations

import csv
import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiometer.base.kriging import Field
from axiometer.experiment.values import Values
from axiometer.published.bands import bounds, features
from axiometer.published.bands.features import EACH, Features

HERE = Path(__file__).parent
CELLS, LEVELS = HERE / "cells.csv", HERE / "levels.toml"
KINDS = ("odd", "lone", "fitted", "full", "both", "part", "low", "small")
_FULL, _LOW = 0.99, 0.5  # shares of the wires' peak
_FEW_ROWS = 4  # with this number of rows a width is twice as uncertain

Kind = tuple[float, ...]
"""1 or 0 for each of `KINDS`."""


@dataclass(frozen=True)
class Cell:
    """The width of a set of a source for one kind of rate, and its number of rows."""

    source: str
    set: str
    kind: Kind
    width: float
    rows: int


def kind(values: Values, found: Features, share: float | None) -> Kind:
    """The kind of a rate; `share`: the rate divided by its wires' peak (None: unknown)."""
    part = found["rate"] == EACH and len(bounds.each(values)) > 1
    lone, odd = found["flight"] == features.LONE, "processor" in features.sides(found)
    full = share is not None and share >= _FULL and not odd and not lone
    of = {
        "odd": odd or lone,
        "lone": lone and not odd,
        "full": full,
        "both": found["direction"] == "both" and not (full or odd or lone),
        "part": part and not full,
        "low": part and share is not None and share < _LOW,
        "small": found["size"] in ("short", "medium") and not full,
    }
    return tuple(float(of.get(name, False)) for name in KINDS)


def is_odd(of: Kind) -> bool:
    return bool(of[KINDS.index("odd")])


def fitted(of: Kind) -> Kind:
    """The kind on a bench on whose rows figures were fitted; it matters where latency decides."""
    at = KINDS.index("fitted")
    return (*of[:at], float(is_odd(of)), *of[at + 1 :])


class Spread:
    """Estimates widths from known cells."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = cells
        self._prior = prior()
        within = self._prior["within"][0] ** 2
        noise = [within * (1 + _FEW_ROWS / cell.rows) for cell in cells]
        between = [[self._alike(a.kind, a.source, b) for b in cells] for a in cells]
        off = [math.log(cell.width) - self._expected(cell.kind) for cell in cells]
        self._field = Field(between, off, noise)
        at = KINDS.index("fitted")
        self._fitted = {cell.source for cell in cells if cell.kind[at]}
        self._found: dict[tuple[Kind, str], tuple[float, float]] = {}

    def at(self, of: Kind, source: str = "") -> tuple[float, float]:
        """The logarithm of a kind's width on a new bench, or in a new set of a `source`, and its
        standard deviation."""
        of = fitted(of) if source in self._fitted else of
        key = of, source
        if key not in self._found:
            to = [self._alike(of, source, cell) for cell in self.cells]
            mean, explained = self._field.at(to)
            own = self._prior["between"][0] ** 2 + self._prior["within"][0] ** 2
            variance = own + self._covariance(of, of) - explained
            self._found[key] = self._expected(of) + mean, math.sqrt(max(0.0, variance))
        return self._found[key]

    def _alike(self, of: Kind, source: str, other: Cell) -> float:
        same = source == other.source
        return self._covariance(of, other.kind) + same * self._prior["between"][0] ** 2

    def _expected(self, of: Kind) -> float:
        effects = (on * self._prior[n][0] for n, on in zip(KINDS, of, strict=True))
        return self._prior["one"][0] + math.fsum(effects)

    def _covariance(self, a: Kind, b: Kind) -> float:
        shared = (self._prior[n][1] ** 2 for n, x, y in zip(KINDS, a, b, strict=True) if x and y)
        return self._prior["one"][1] ** 2 + math.fsum(shared)


@cache
def prior() -> Mapping[str, tuple[float, float]]:
    """`spread.toml`: the mean and standard deviation of each effect."""
    found = {}
    for name, value in tomllib.loads(HERE.joinpath("spread.toml").read_text("utf-8")).items():
        pair = (value["mean"], value["sd"]) if isinstance(value, dict) else (value, 0)
        found[name] = float(pair[0]), float(pair[1])
    return found


@cache
def shipped() -> Spread:
    """The estimates from the shipped cells."""
    return Spread(read(CELLS))


@cache
def levels() -> Mapping[str, float]:
    """`levels.toml`: the standard deviations by which bands exceed the expected width."""
    found = tomllib.loads(LEVELS.read_text(encoding="utf-8"))
    return {name: float(value) for name, value in found.items()}


def read(path: Path) -> list[Cell]:
    """The cells in a file of `write`."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Cell(
                row["source"],
                row["set"],
                tuple(float(name in row["kind"].split("+")) for name in KINDS),
                float(row["width"]),
                int(row["rows"]),
            )
            for row in csv.DictReader(file)
        ]


def write(path: Path, cells: Iterable[Cell]) -> None:
    """Write the cells to a file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["source", "set", "kind", "width", "rows"])
        for cell in cells:
            names = "+".join(n for n, on in zip(KINDS, cell.kind, strict=True) if on)
            out.writerow([cell.source, cell.set, names, f"{cell.width:.4g}", cell.rows])
