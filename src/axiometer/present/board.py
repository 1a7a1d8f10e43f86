"""A board's runs beside what was published of it, point by point: what its report is made of.

Rates in MB/s (1e6 bytes a second), latency and inactivity in PL clocks.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from axiometer import data
from axiometer.analysis import collect
from axiometer.analysis.results import Row, View
from axiometer.errors import RUN_FAILED, AxiometerError
from axiometer.experiment import Experiment
from axiometer.present import labels
from axiometer.present.explanation import explain
from axiometer.store import Store

RUN_KEYS = {"ports", "burst_bytes"}
"""What the board's main experiments sweep; others are shown by their rates only."""


@dataclass(frozen=True)
class Figures:
    """What was simulated, or published, of one configuration; None for what is not known.
    `by_port`: read and write rate of each port."""

    total: float | None
    read: float | None
    write: float | None
    by_port: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    latency: float | None = None
    inactivity: float | None = None

    @property
    def write_share(self) -> float | None:
        """Percent of the bytes that are written."""
        return None if not self.total or self.write is None else self.write / self.total * 100

    def share(self, port: str) -> float | None:
        """Percent of all bytes that `port` moved."""
        every = sum(map(sum, self.by_port.values()))
        return sum(self.by_port[port]) / every * 100 if every and port in self.by_port else None

    @property
    def spread(self) -> float | None:
        """D = A_max / A_min over the ports' rates; None for one port, or if one moved nothing."""
        rates = [sum(pair) for pair in self.by_port.values()]
        return max(rates) / min(rates) if len(rates) > 1 and min(rates) > 0 else None


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


def load(board: str, store: str | None, with_files: Sequence[str] = ()) -> list[BoardRun]:
    """The latest run of each experiment of `board` that sweeps bursts; AxiometerError if there
    is none. `with_files`: published figures, of which a run takes the first that knows it."""
    known = [n for n in data.names("experiments") if _of_board(n, board)]
    found = []
    with Store(store) as opened:
        have = {run.experiment for run in opened.runs()}
        for name in known:
            if name in have:
                run = opened.load(name)
                if run.points:
                    found.append(_run(_view(run, with_files)))
    if not found:
        raise AxiometerError(
            f"no experiment of {board} has been run",
            remedy=f"run some first: axiometer run {' or '.join(known[:3]) or '...'}",
            status=RUN_FAILED,
        )
    # What the paper varied first; then its further settings.
    order = ("mixed", "ps_to_pl", "pl_to_ps")
    return sorted(found, key=lambda r: (not r.whole, order.index(r.mode), r.view.name))


def _of_board(name: str, board: str) -> bool:
    experiment = Experiment.load(name)
    return experiment.platform_name == board and "burst_bytes" in experiment.points()[0].key


def _view(run: Any, with_files: Sequence[str]) -> View:
    for file in with_files:
        view = collect.view(run, file)
        if view.compared:
            return view
    return collect.view(run)


def _run(view: View) -> BoardRun:
    spots = [_spot(view, row) for row in view.done]
    swept = {key for row in view.rows for key in row.key}
    plain = swept == RUN_KEYS and not any(p.kind == "set" for p in view.parameters)
    clock = view.rows[0].values["pl_mhz"]
    usual = plain and (clock == _usual_clock(view) or bool(view.compared))
    return BoardRun(view, spots, usual, str(view.rows[0].values["mode"]))


def _usual_clock(view: View) -> float | None:
    return view.facts.pl_mhz


def _spot(view: View, row: Row) -> Spot:
    verdict = explain(view, row).verdict
    rest = {k: v for k, v in row.key.items() if k not in RUN_KEYS}
    return Spot(
        row=row,
        ports=tuple(row.values["ports"]),  # type: ignore[arg-type]
        burst=int(row.values["burst_bytes"]),  # type: ignore[call-overload]
        other=labels.key_label(rest),
        own=_own(row),
        published=_published(row.published),
        cause=verdict.name,
        sentence=verdict.sentence,
    )


def _own(row: Row) -> Figures:
    stats: Mapping[str, Any] = row.stats or {}
    reads = [
        stream
        for record in row.records
        for stream in record["streams"]
        if stream["direction"] == "read" and stream["latency_cycles"]
    ]
    bursts = sum(s["latency_cycles"]["n"] for s in reads)
    quiet = [s["inactivity_cycles"] for s in reads if s.get("inactivity_cycles") is not None]
    return Figures(
        total=stats["total_MBps"]["mean"],
        read=stats["read_MBps"]["mean"],
        write=stats["write_MBps"]["mean"],
        by_port={
            port: (rates["read_MBps"]["mean"], rates["write_MBps"]["mean"])
            for port, rates in stats["by_port"].items()
        },
        latency=sum(s["latency_cycles"]["mean"] * s["latency_cycles"]["n"] for s in reads) / bursts
        if bursts
        else None,
        inactivity=max(quiet, default=None),
    )


def _published(published: Mapping[str, Any] | None) -> Figures | None:
    if not published or published.get("mean") is None:
        return None

    def mean(of: Mapping[str, Any], name: str, statistic: str = "mean") -> float | None:
        return (of.get(name) or {}).get(statistic)

    by_port = published.get("by_port") or {}
    quiet = [mean(of, "read_inactivity_cycles", "max") for of in by_port.values()]
    return Figures(
        total=published["mean"],
        read=mean(published, "read_MBps"),
        write=mean(published, "write_MBps"),
        by_port={
            port: (mean(of, "read_MBps") or 0.0, mean(of, "write_MBps") or 0.0)
            for port, of in by_port.items()
        },
        latency=mean(published, "read_latency_cycles"),
        inactivity=max((q for q in quiet if q), default=None),
    )


@dataclass(frozen=True)
class Peak:
    """The fastest burst of a set of ports: simulated, and published where it is."""

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
