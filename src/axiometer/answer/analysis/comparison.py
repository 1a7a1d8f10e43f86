"""The figures of a comparison: the error of each row, and summaries of fitted and predicted rows.

Errors are percent of the other side's mean. Fitted rows (on which a parameter of the platform was
fitted) and predicted rows are never averaged into one figure called the model's error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axiometer.answer.analysis.results import WIDENED, Row
from axiometer.answer.analysis.stats import (
    RateStats,
    error_pct,
    mean_absolute,
    ninetieth,
    rate_of,
)
from axiometer.published.reference.parts import Parts


@dataclass(frozen=True)
class Group:
    """Some compared rows. Errors in percent; counts of rows in the published min–max."""

    compared: int
    mean_abs_error_pct: float | None
    worst: Row | None
    ranged: int
    inside: int
    inside_widened: int


def group(rows: Sequence[Row]) -> Group:
    """The figures of the comparable rows."""
    rows = [row for row in rows if row.error_pct is not None]
    if not rows:
        return Group(0, None, None, 0, 0, 0)
    return Group(
        compared=len(rows),
        mean_abs_error_pct=mean_absolute([row.error_pct or 0.0 for row in rows]),
        worst=max(rows, key=lambda row: abs(row.error_pct or 0.0)),
        ranged=sum(row.inside() is not None for row in rows),
        inside=sum(bool(row.inside()) for row in rows),
        inside_widened=sum(bool(row.inside(WIDENED)) for row in rows),
    )


def split(rows: Sequence[Row]) -> dict[str, Group]:
    """The groups of all rows, of the fitted and of the predicted ones."""
    return {
        "all": group(rows),
        "fitted": group([row for row in rows if row.role == "fitted"]),
        "predicted": group([row for row in rows if row.role == "predicted"]),
    }


PARTS_FROM_MBPS = 50.0
"""Lower rates of a port or a direction are left out: their relative errors mean little."""


@dataclass(frozen=True)
class Part:
    """One published rate of a direction (and port, where `port` is not ""), beside the run's."""

    row: Row
    port: str
    direction: str
    own: float
    published: float

    @property
    def error_pct(self) -> float:
        return error_pct(self.own, self.published) or 0.0


def parts(rows: Sequence[Row]) -> list[Part]:
    """The published rates of at least `PARTS_FROM_MBPS`, by direction: of single ports where they
    are published, else of the configuration."""
    out = []
    for row in rows:
        published, stats = row.published, row.stats
        if not stats or not published:
            continue
        sides: list[tuple[str, Parts, RateStats | None]] = [
            (port, figures, stats["by_port"].get(port))
            for port, figures in published.get("by_port", {}).items()
        ] or [("", published, stats)]
        for port, theirs, ours in sides:
            printed = {"read": theirs.get("read_MBps"), "write": theirs.get("write_MBps")}
            for direction, of in printed.items():
                mean = (of or {}).get("mean")
                if ours and mean is not None and mean >= PARTS_FROM_MBPS:
                    own = rate_of(ours, direction)["mean"]
                    out.append(Part(row, port, direction, own, mean))
    return out


def parts_error(found: Sequence[Part]) -> float | None:
    """Mean absolute error of `found` in percent."""
    return mean_absolute([part.error_pct for part in found])


@dataclass(frozen=True)
class Errors:
    """Absolute errors in percent of some compared rows: their number, mean, 90th percentile, and
    the mean error of the rates of single ports."""

    role: str
    rows: int
    mean: float
    ninety: float
    parts: float | None


def by_role(compared: Sequence[Row]) -> list[Errors]:
    """The errors of the predicted and of the fitted rows, separately; none where nothing is
    published."""
    out = []
    for role in ("predicted", "fitted"):
        rows = [row for row in compared if row.role == role]
        if rows:
            each = [abs(row.error_pct or 0.0) for row in rows]
            mean = mean_absolute(each) or 0.0
            out.append(Errors(role, len(rows), mean, ninetieth(each), parts_error(parts(rows))))
    return out
