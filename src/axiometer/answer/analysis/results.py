"""The results of a run: one row a point, with its peak rate, statistics and published row.

`collect.py` makes a `View` from the store, the platform, the experiment and the published figures;
all output on a run is made from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from axiometer.answer.analysis.pl_clocks import Clock
from axiometer.answer.analysis.ports_and_paths import Ceiling, Facts
from axiometer.answer.analysis.stats import Described, Stats, error_pct
from axiometer.base.record import BOARD, FIGURES, Record
from axiometer.experiment.values import Values
from axiometer.published import measured, reference
from axiometer.published.anchors import Anchored
from axiometer.published.bands import Band
from axiometer.published.bands.rates import Rate
from axiometer.published.measured import Measurement
from axiometer.published.reference.table import Published

if TYPE_CHECKING:
    from axiometer.simulate.scenario import Scenario

MEASURED = BOARD
"""The backend whose figures come from a chip. All others' come from a model, or from an emulated
board."""

DEGRADED_BELOW_PCT = 99.0
"""A row whose efficiency is below this is marked, as the papers do."""

FAR_PCT = 5
"""A row whose rate is at least so far off the published one is marked."""

WIDENED = 0.03
"""By how much a published min–max range is widened in the second count of rows inside it."""


def how(backend: str) -> str:
    """The origin of the figures of `backend`, for titles."""
    return FIGURES.get(backend, "simulated")


def modelled(backend: str) -> bool:
    """Whether the figures of `backend` come from the chip's model, whose errors are known."""
    return backend not in FIGURES


@dataclass(frozen=True)
class Row:
    """One point. Rates in MB/s; `stats` is None until the point has records."""

    index: int
    key: Mapping[str, object]
    values: Values
    records: Sequence[Record]
    stats: Stats | None
    ceiling: Ceiling
    published: Published | None = None
    role: str | None = None
    band: Band | None = None
    """Within which nine of ten measurements are expected; None where nothing is known."""
    each: Sequence[Rate] = ()
    """The rates of ports or masters one by one, with their bands."""
    measured: Sequence[Measurement] = ()
    """Measured rows of this very point, from the shipped tables."""
    anchored: Anchored | None = None
    """The total, corrected by measurements near it; None where there are none."""
    accelerators: Mapping[str, float | None] | None = None
    """The throughput of convolution accelerators: see `accelerators.figures`."""

    @property
    def of_board(self) -> bool:
        """Whether it ran on a board, or on an emulated one: records without classes of time."""
        return bool(self.records) and "board" in self.records[0]

    @property
    def guided(self) -> Anchored | None:
        """The anchored total of a point that was not measured itself."""
        return None if self.theirs is not None else self.anchored

    @property
    def total(self) -> Described | None:
        """Statistics of the total rate: mean, min, max, std, n."""
        return self.stats["total_MBps"] if self.stats else None

    @property
    def totals(self) -> Mapping[str, float]:
        """The same by name; empty without records."""
        t = self.total
        if t is None:
            return {}
        return {"mean": t["mean"], "min": t["min"], "max": t["max"], "std": t["std"]}

    @property
    def printed(self) -> Mapping[str, float | None]:
        """The published figures of the total rate and of accelerators by name; empty without."""
        p = self.published
        if p is None:
            return {}
        return {
            "mean": p.get("mean"),
            "min": p.get("min"),
            "max": p.get("max"),
            "std": p.get("std"),
            "expected": p.get("expected"),
            "convolutions_M": p.get("convolutions_M"),
            "ddr_efficiency_pct": p.get("ddr_efficiency_pct"),
            "imbalance": p.get("imbalance"),
        }

    @property
    def mean(self) -> float | None:
        return self.total["mean"] if self.total else None

    @property
    def efficiency_pct(self) -> float | None:
        """Mean rate over the expected one, in percent."""
        expected = self.ceiling.value
        return None if self.mean is None or not expected else self.mean / expected * 100

    @property
    def degraded(self) -> bool:
        """Whether the efficiency, as printed (two decimals), is below `DEGRADED_BELOW_PCT`."""
        return self.efficiency_pct is not None and (
            round(self.efficiency_pct, 2) < DEGRADED_BELOW_PCT
        )

    @property
    def error_pct(self) -> float | None:
        """(simulated − published) / published mean, in percent; None without either."""
        return error_pct(self.mean, self.printed.get("mean"))

    @property
    def theirs(self) -> float | None:
        """MB/s that others measured: the published mean, else the measured row of the point."""
        first, row = self.printed.get("mean"), measured.chosen(self.measured, "total")
        return first if first is not None or row is None else row.rate

    @property
    def far(self) -> bool:
        """Whether the error is so large that the row is marked."""
        return self.error_pct is not None and abs(self.error_pct) >= FAR_PCT

    def inside(self, widened: float = 0.0) -> bool | None:
        """Whether the mean lies within the published min–max, widened by a share of each end.

        None where there is nothing to compare or no range is published.
        """
        low, high = self.printed.get("min"), self.printed.get("max")
        if self.mean is None or low is None or high is None:
            return None
        return reference.within(self.mean, low, high, widened)


def _no_scenario(row: Row) -> Scenario | None:
    return None


def _nothing(row: Row) -> str:
    return ""


@dataclass(frozen=True)
class View:
    """A run with all data for its output. What depends on all rows is computed once, since output
    asks for it at each row."""

    run_id: str
    name: str
    title: str
    backend: str
    facts: Facts
    rows: Sequence[Row]
    citation: str | None = None
    source: str | None = None
    provenance: Mapping[str, object] = field(default_factory=dict)
    complete: bool = True
    wall_s: float | None = None
    parameters: Sequence[Parameter] = ()
    plot: Mapping[str, object] = field(default_factory=dict)
    no_reference: str = ""
    clocks: Sequence[Clock] = ()
    """The fabric's clocks, each once."""
    scenario: Callable[[Row], Scenario | None] = _no_scenario
    """The scenario of a row on the model; None for a master that is not at the memory."""
    again: Callable[[Row], str] = _nothing
    """The command that runs a row's point alone; "" where there is none."""
    link: Callable[[Row], str] = _nothing
    """The link that asks its question on the web page; "" where the page cannot."""
    called: str = ""
    """The run's name; below, its settings beside the experiment's, and its note."""
    settings: Sequence[str] = ()
    note: str = ""
    headline: str = ""
    """The answer in a line, for a design."""
    findings: Sequence[tuple[str, str, str]] = ()
    """For a design: the level of each finding, the fault, and the change."""

    @property
    def run(self) -> str:
        """The run's id and name."""
        return f"{self.run_id} ({self.called})" if self.called else self.run_id

    @property
    def told(self) -> list[str]:
        """The settings and the note, a line each."""
        lines = [f"Settings: {' '.join(self.settings)}"] if self.settings else []
        return [*lines, f"Note: {self.note}"] if self.note else lines

    @cached_property
    def done(self) -> list[Row]:
        """The rows that have records."""
        return [row for row in self.rows if row.stats]

    @cached_property
    def compared(self) -> list[Row]:
        """The rows that have both records and a published mean."""
        return [row for row in self.rows if row.error_pct is not None]

    @property
    def simulated(self) -> bool:
        """Whether the figures come from the chip's model."""
        return modelled(self.backend)

    @cached_property
    def unvalidated(self) -> list[str]:
        """The run's ports without a published measurement, the chip's own masters with traffic
        beside them, and their memory, if it is not the DRAM."""
        used = dict.fromkeys(p for row in self.rows for p in row.values.get("ports") or ())
        beside = " ".join({str(row.values.get("background") or "") for row in self.rows})
        return [
            *(port for port in used if port in self.facts.unvalidated),
            *(name for name in self.facts.neighbours if f"{name}=" in beside),
            *([self.facts.target] if self.facts.target else []),
        ]

    @property
    def how(self) -> str:
        """The origin of the figures, in one word for titles."""
        return how(self.backend)

    @cached_property
    def swept(self) -> list[str]:
        """The swept keys of all points, in the order in which they first appear."""
        return list(dict.fromkeys(name for row in self.rows for name in row.key))


@dataclass(frozen=True)
class Parameter:
    """One figure of the platform file and its origin (`kind`: one of `leaf.ORIGINS`, or set)."""

    path: str
    value: object
    kind: str
    note: str
    unit: str = ""
