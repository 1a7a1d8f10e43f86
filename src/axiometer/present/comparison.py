"""The figures of a comparison: error of each row, summary, fitted and predicted rows apart.

Errors are percent of the other side's mean. Fitted rows (on which a parameter
of the platform was fitted) and predicted rows are never averaged into one
figure that is called the model's error: `summary` says how many of each it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axiometer.document import document as run_document
from axiometer.present.view import WIDENED, Row, View
from axiometer.store import RunData


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
    """The figures of those rows that can be compared."""
    rows = [row for row in rows if row.error_pct is not None]
    if not rows:
        return Group(0, None, None, 0, 0, 0)
    return Group(
        compared=len(rows),
        mean_abs_error_pct=sum(abs(row.error_pct) for row in rows) / len(rows),
        worst=max(rows, key=lambda row: abs(row.error_pct)),
        ranged=sum(row.inside() is not None for row in rows),
        inside=sum(bool(row.inside()) for row in rows),
        inside_widened=sum(bool(row.inside(WIDENED)) for row in rows),
    )


def split(rows: Sequence[Row]) -> dict[str, Group]:
    """The same for all rows, for the fitted ones and for the predicted ones."""
    return {
        "all": group(rows),
        "fitted": group([row for row in rows if row.role == "fitted"]),
        "predicted": group([row for row in rows if row.role == "predicted"]),
    }


PARTS_FROM_MBPS = 50.0
"""Rates of a port or a direction below this are left out: their relative error says little."""


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
        return (self.own / self.published - 1) * 100


def parts(rows: Sequence[Row]) -> list[Part]:
    """The published rates of at least `PARTS_FROM_MBPS` of each direction: of single ports where
    they are printed, else of the configuration."""
    out = []
    for row in rows:
        published, stats = row.published or {}, row.stats
        if not stats:
            continue
        of_ports = published.get("by_port")
        sides = (
            [(port, figures, stats["by_port"].get(port)) for port, figures in of_ports.items()]
            if of_ports
            else [("", published, stats)]
        )
        for port, theirs, ours in sides:
            for direction in ("read", "write"):
                name = f"{direction}_MBps"
                mean = (theirs.get(name) or {}).get("mean")
                if ours and mean is not None and mean >= PARTS_FROM_MBPS:
                    out.append(Part(row, port, direction, ours[name]["mean"], mean))
    return out


def parts_error(found: Sequence[Part]) -> float | None:
    """Mean absolute error of `found` in percent."""
    return sum(abs(part.error_pct) for part in found) / len(found) if found else None


def document(view: View, run: RunData) -> dict[str, object]:
    """The JSON document of DESIGN.md for a comparison: the run's own document, with the figures
    that `view` compares it with (published ones, those of a file, or those of another run)."""
    whole = run_document(run)
    by_index = {row.index: row for row in view.rows}
    for stored, point in zip(run.points, whole["points"], strict=True):
        row = by_index[stored.index]
        point |= {"published": row.published, "error_pct": row.error_pct, "role": row.role}
    groups = split(view.rows)
    every = groups["all"]
    single = parts(view.rows)
    whole["summary"] |= {
        "ports_and_directions": {
            "compared": len(single),
            "from_MBps": PARTS_FROM_MBPS,
            "mean_abs_error_pct": parts_error(single),
        },
        "compared": every.compared,
        "compared_with": view.citation,
        "mean_abs_error_pct": every.mean_abs_error_pct,
        "by_role": {
            role: {
                "compared": groups[role].compared,
                "mean_abs_error_pct": groups[role].mean_abs_error_pct,
            }
            for role in ("fitted", "predicted")
        },
        "worst": {**every.worst.key, "error_pct": every.worst.error_pct} if every.worst else None,
        "in_range": {
            "ranged": every.ranged,
            "inside": every.inside,
            "inside_widened_3_pct": every.inside_widened,
        },
        "fitted_parameters": [p.path for p in view.parameters if p.kind == "fitted"],
        "selected_parameters": [p.path for p in view.parameters if p.kind == "selected"],
    }
    return whole
