"""What was measured of a point, or near it, as people and programs read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from axiometer.answer.analysis.stats import error_pct
from axiometer.base.units import short_rate
from axiometer.present.labels import value_label
from axiometer.present.text import number
from axiometer.published.measured import Measurement


def lines(found: Sequence[Measurement], rate: float) -> Iterator[str]:
    """The measurements of the point, each with how far the simulated `rate` (MB/s) is off."""
    for row in found:
        error = number(error_pct(rate, row.total), 1, signed=True)
        low, high = row.figures.get("total_MBps_min"), row.figures.get("total_MBps_max")
        span = f", {low:g} to {high:g}" if low is not None and high is not None else ""
        yield (
            f"Measured: {row.total:g} MB/s{span} ({source(row)}); the simulated rate is {error} % "
            "off."
        )


def nearest(found: Sequence[Measurement]) -> Iterator[str]:
    """Measurements near a point that was not measured, with what each has otherwise."""
    if found:
        yield "Not measured itself; nearest measurements:"
        for row in found:
            yield f"  {short_rate(row.total)} MB/s with {differences(row)} ({source(row)})"


def source(row: Measurement) -> str:
    """Who measured, and on which board."""
    return f"{row.table.cite}, {row.table.board}"


def differences(row: Measurement) -> str:
    """What a row has otherwise than the point."""
    told = [f"{key} {_value(key, its)}, not {_value(key, own)}" for key, its, own in row.differs]
    return "; ".join(told) or f"the board {row.table.board}"


def _value(key: str, value: object) -> str:
    return "none" if value is None else value_label(key, value)


def document(found: Sequence[Measurement]) -> list[dict[str, object]]:
    """The rows as JSON. Rates in MB/s."""
    return [
        {
            "source": row.table.cite,
            "board": row.table.board,
            "table": row.table.path.name,
            "line": row.line,
            **row.figures,
            "by_port": row.by_port,
            "differs": {key: {"measured": its, "asked": own} for key, its, own in row.differs},
        }
        for row in found
    ]
