"""A board's runs beside its published figures, point by point, for its report.

Rates in MB/s (1e6 bytes a second), latency and inactivity in PL clocks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from axiometer.answer.analysis import collect
from axiometer.answer.analysis.configuration_figures import Figures, own, published
from axiometer.answer.analysis.results import Row, View
from axiometer.answer.verdicts.explained import Explained, explained
from axiometer.base import data
from axiometer.experiment import Experiment
from axiometer.present import bottleneck_text, labels
from axiometer.present.explanation import label
from axiometer.records.store import RunData

RUN_KEYS = {"ports", "burst_bytes"}
"""The keys that the board's main experiments sweep; others are shown by their rates only."""


@dataclass(frozen=True)
class Spot:
    """One configuration: ports, burst in bytes, the other swept keys in words, and its figures."""

    row: Row
    ports: tuple[str, ...]
    burst: int
    other: str
    own: Figures
    published: Figures | None
    cause: str
    sentence: str

    @property
    def name(self) -> str:
        return "+".join(self.ports)


@dataclass(frozen=True)
class BoardRun:
    """A run with its spots. `whole`: every combination of ports and bursts, no other key, at the
    platform's own clock or with published figures."""

    view: View
    spots: Sequence[Spot]
    whole: bool
    mode: str


def experiments(board: str) -> list[str]:
    """The experiments of `board` that sweep bursts; its report shows their runs."""
    return [name for name in data.names("experiments") if _of_board(name, board)]


def of_runs(runs: Iterable[RunData], with_files: Sequence[str] = ()) -> list[BoardRun]:
    """Runs of such experiments. `with_files`: published figures; each run uses the first file that
    has its points."""
    found = [_run(view(run, with_files)) for run in runs]
    # The paper's main sweeps come first, then its further settings.
    order = ("mixed", "ps_to_pl", "pl_to_ps")
    return sorted(found, key=lambda r: (not r.whole, order.index(r.mode), r.view.name))


def _of_board(name: str, board: str) -> bool:
    experiment = Experiment.load(name)
    return experiment.platform_name == board and "burst_bytes" in experiment.points()[0].key


def view(run: RunData, with_files: Sequence[str]) -> View:
    """A run beside the first of `with_files` that has its points; else beside its own reference."""
    for file in with_files:
        found = collect.view(run, file)
        if found.compared:
            return found
    return collect.view(run)


def _run(view: View) -> BoardRun:
    spots = [_spot(item) for item in explained(view, view.done, label)]
    swept = {key for row in view.rows for key in row.key}
    plain = swept == RUN_KEYS and not any(p.kind == "set" for p in view.parameters)
    clock = view.rows[0].values["pl_mhz"]
    usual = plain and (clock == _usual_clock(view) or bool(view.compared))
    return BoardRun(view, spots, usual, str(view.rows[0].values["mode"]))


def _usual_clock(view: View) -> float | None:
    return view.facts.pl_mhz


def _spot(of: Explained) -> Spot:
    row, verdict = of.row, of.verdict
    rest = {k: v for k, v in row.key.items() if k not in RUN_KEYS}
    return Spot(
        row=row,
        ports=tuple(row.values["ports"]),
        burst=row.values["burst_bytes"],
        other=labels.key_label(rest),
        own=own(row),
        published=published(row),
        cause=bottleneck_text.called(verdict),
        sentence=bottleneck_text.said(verdict),
    )


@dataclass(frozen=True)
class Peak:
    """The fastest burst of a set of ports: simulated, and published if it is."""

    ports: str
    own: Spot
    published: Spot | None


def peaks(run: BoardRun) -> list[Peak]:
    """One for each set of ports, in the order of the run."""
    found = []
    for name, group in itertools.groupby(
        sorted(run.spots, key=lambda s: (len(s.ports), s.ports)), key=lambda s: s.name
    ):
        spots = list(group)
        known = [s for s in spots if s.published]
        found.append(
            Peak(
                name,
                max(spots, key=lambda s: s.own.total or 0.0),
                max(known, key=lambda s: s.published.total or 0.0) if known else None,  # type: ignore[union-attr]
            )
        )
    return found
