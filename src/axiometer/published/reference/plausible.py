"""Finds impossible figures of a row: negative rates, a minimum above the maximum, a mean outside.

A table with such figures was mistyped or misread.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from axiometer.published.reference.cells import CellError

HALF = 0.0051  # figures have at least two decimals: half of the last one is tolerance
_POSITIVE = ("mean", "expected")


def check(figures: Mapping[str, float], port: str, names: Mapping[str, str]) -> None:
    """CellError at the first impossible figure of a row. `figures`: by their names in `table`;
    `names`: their columns' names. The rate of a port may be 0, that of a configuration (no `port`)
    may not."""
    for name, value in figures.items():
        if value < 0:
            raise CellError(
                f"{names.get(name, name)} is {value:g}, below zero", "give the measured rate"
            )
        if value == 0 and name in _POSITIVE and not port:
            raise CellError(
                f"{names.get(name, name)} is 0, so no data moved",
                "remove the row if it was not measured",
            )
    for least, mean, greatest in _ranges(figures):
        low, middle, high = (figures.get(name) for name in (least, mean, greatest))
        if low is not None and high is not None and low > high:
            raise CellError(
                f"{names[least]} is {low:g}, above {names[greatest]}, {high:g}",
                "check whether the columns are exchanged",
            )
        if middle is None:
            continue
        if low is not None and middle < low - HALF:
            raise CellError(
                f"{names[mean]} is {middle:g}, below {names[least]}, {low:g}",
                "give a mean between them",
            )
        if high is not None and middle > high + HALF:
            raise CellError(
                f"{names[mean]} is {middle:g}, above {names[greatest]}, {high:g}",
                "give a mean between them",
            )


def _ranges(figures: Mapping[str, float]) -> Iterator[tuple[str, str, str]]:
    """Names of minimum, mean and maximum: of totals, then of each direction."""
    yield "min", "mean", "max"
    for way in sorted({name.partition(" ")[0] for name in figures if " " in name}):
        yield f"{way} min", f"{way} mean", f"{way} max"
