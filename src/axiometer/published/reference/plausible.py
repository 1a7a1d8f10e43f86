"""What figures of a row cannot be: rates below zero, a least above the greatest, a mean outside.

A published table that breaks one of these was mistyped or misread.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from axiometer.published.reference.cells import CellError

HALF = 0.0051  # figures have two decimals or more: half of the last one belongs to each
_POSITIVE = ("mean", "expected")


def check(figures: Mapping[str, float], port: str, names: Mapping[str, str]) -> None:
    """CellError at the first figure of a row that cannot be. `figures` are by the names that
    `table` gives them, `names` what their columns are called. A port may get nothing; a
    configuration (no `port`) moves something."""
    for name, value in figures.items():
        if value < 0:
            raise CellError(
                f"{names.get(name, name)} is {value:g}, below zero", "give what was measured"
            )
        if value == 0 and name in _POSITIVE and not port:
            raise CellError(
                f"{names.get(name, name)} is 0, so that nothing was moved",
                "leave the row out if it was not measured",
            )
    for least, mean, greatest in _ranges(figures):
        low, middle, high = (figures.get(name) for name in (least, mean, greatest))
        if low is not None and high is not None and low > high:
            raise CellError(
                f"{names[least]} is {low:g}, above {names[greatest]}, {high:g}",
                "give the least first: are the columns exchanged?",
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
    """Names of least, mean and greatest: of totals, then of each direction."""
    yield "min", "mean", "max"
    for way in sorted({name.partition(" ")[0] for name in figures if " " in name}):
        yield f"{way} min", f"{way} mean", f"{way} max"
