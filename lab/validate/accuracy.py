"""How close the model is to the published figures: the bars, as figures of compared rows.

A row is a point of the JSON document of `axiometer compare` together with its experiment. Used by
`lab/validate/tables.py` at full size. Runs nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axiometer.answer.analysis import collect
from axiometer.answer.analysis.ports_and_paths import ceiling
from axiometer.answer.analysis.results import DEGRADED_BELOW_PCT
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published import reference

WIDENED = 0.03  # of each end of the published range


@dataclass(frozen=True)
class Row:
    """One published row beside the model's mean. Rates in MB/s, `error` in percent."""

    experiment: str
    key: Mapping[str, object]
    mean: float
    published: Mapping[str, float | None]
    error: float
    role: str  # "fitted" or "predicted"

    @property
    def label(self) -> str:
        return ", ".join(f"{value}" for value in self.key.values())

    def inside(self, widened: float = 0.0) -> bool | None:
        """Whether the mean is in the published range; None where none is published."""
        low, high = self.published.get("min"), self.published.get("max")
        if low is None or high is None:
            return None
        return reference.within(self.mean, low, high, widened)


@dataclass(frozen=True)
class Bar:
    """What was required and what came out; `passed` is None for what could not be checked."""

    what: str
    required: str
    found: str
    passed: bool | None


def rows(document: Mapping, keys: Sequence[str]) -> list[Row]:
    """The compared rows of a document of `axiometer compare --json`; `keys` are swept."""
    return [
        Row(
            document["experiment"],
            {key: point[key] for key in keys if key in point},
            point["total_MBps"]["mean"],
            point["published"],
            point["error_pct"],
            point["role"],
        )
        for point in document["points"]
        if point["error_pct"] is not None
    ]


def at_wires(published: float, platform: Platform, values: Values) -> bool:
    """Whether a published rate is what the wires of the point's ports carry, but for the percent
    below which papers mark a row: no model of the memory is needed for it."""
    wires = ceiling(collect.facts(platform), values).ports
    return wires is not None and 100 * published >= DEGRADED_BELOW_PCT * wires


def is_chosen_on(file: str, values: Values, platform: Platform) -> bool:
    """Whether a figure of the platform was fitted or selected on the row of `file` with these
    conditions."""
    return any(
        reference.selects(selector, file, values)
        for _, leaf in platform.leaves()
        for selector in leaf.fitted or leaf.selected or ()
    )


def mean_error(of: Sequence[Row]) -> float:
    """Mean of the errors without their signs, in percent."""
    return sum(abs(row.error) for row in of) / len(of)


def is_chaotic(row: Row) -> bool:
    """The one row that the hardware itself spreads over a third of its mean (2108 to 2970 MB/s):
    it may miss the mean by 12 % where it stays within the published range."""
    return row.experiment == "zybo-hp-bandwidth" and dict(row.key) == {
        "width_bits": 64,
        "mode": "duplex",
        "ports": "HP0+HP1+HP2+HP3",
    }


def zynq(of: Sequence[Row]) -> list[Bar]:
    """The bars for Tables 3 and 4 together."""
    ordinary = [row for row in of if not is_chaotic(row)]
    inside = sum(bool(row.inside(WIDENED)) for row in of)
    bars = [
        _mean("Tables 3 and 4", of, 1.0),
        Bar("Tables 3 and 4: rows", "35", str(len(of)), len(of) == 35),
        _worst("Tables 3 and 4", ordinary, 6.0),
        Bar(
            f"Tables 3 and 4: rows inside the published range, widened by {WIDENED * 100:g} %",
            ">= 33",
            f"{inside} of {len(of)}",
            inside >= 33,
        ),
    ]
    bars += [
        Bar(
            f"Table 3: {row.label}, which spreads on the board",
            "<= 12 %, and inside its range",
            f"{row.error:+.2f} %, {'inside' if row.inside() else 'outside'}",
            abs(row.error) <= 12 and bool(row.inside()),
        )
        for row in of
        if is_chaotic(row)
    ]
    return bars


def cyclone(of: Sequence[Row]) -> list[Bar]:
    """The bars for Table 5."""
    return [_mean("Table 5", of, 1.5), _worst("Table 5", of, 5.0)]


def stream_size(name: str, of: Sequence[Row], limit: float) -> list[Bar]:
    """The bar for the dataset behind a figure, `of` being empty where that is not at hand."""
    if not of:
        skipped = "skipped: the dataset is not here"
        return [Bar(f"{name}: mean error", f"<= {limit:g} %", skipped, None)]
    return [_mean(name, of, limit)]


def _mean(name: str, of: Sequence[Row], limit: float) -> Bar:
    mean = mean_error(of)
    return Bar(f"{name}: mean error", f"<= {limit:g} %", f"{mean:.2f} %", mean <= limit)


def _worst(name: str, of: Sequence[Row], limit: float) -> Bar:
    worst = max(of, key=lambda row: abs(row.error))
    return Bar(
        f"{name}: worst row",
        f"<= {limit:g} %",
        f"{worst.error:+.2f} % ({worst.label})",
        abs(worst.error) <= limit,
    )
