"""The figures of one configuration of a board, simulated or published, in one form.

Rates in MB/s (1e6 bytes a second), latency and inactivity in PL clocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from axiometer.answer.analysis.results import Row
from axiometer.experiment.values import known
from axiometer.published.reference.parts import Means

UNEVEN = 1.1


@dataclass(frozen=True)
class Figures:
    """Simulated or published figures of one configuration; None where unknown. `by_port`: read and
    write rate of each port."""

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

    @property
    def uneven(self) -> bool:
        """Whether one port's rate is a tenth above another's, or a port moves nothing."""
        return self.spread is None or self.spread > UNEVEN


def own(row: Row) -> Figures:
    """The figures of a row that has records."""
    stats = known(row.stats)
    reads = [
        stream
        for record in row.records
        for stream in record["streams"]
        if stream["direction"] == "read" and stream["latency_cycles"]
    ]
    latencies = [known(s["latency_cycles"]) for s in reads]
    bursts = sum(of["n"] for of in latencies)
    quiet = [s["inactivity_cycles"] for s in reads if s.get("inactivity_cycles") is not None]
    return Figures(
        total=stats["total_MBps"]["mean"],
        read=stats["read_MBps"]["mean"],
        write=stats["write_MBps"]["mean"],
        by_port={
            port: (rates["read_MBps"]["mean"], rates["write_MBps"]["mean"])
            for port, rates in stats["by_port"].items()
        },
        latency=sum(of["mean"] * of["n"] for of in latencies) / bursts if bursts else None,
        inactivity=max(quiet, default=None),
    )


def published(row: Row) -> Figures | None:
    """The published figures of a row's configuration; None if its rate is not published."""
    printed = row.published
    if not printed or printed.get("mean") is None:
        return None

    by_port = printed.get("by_port", {})
    quiet = [_mean(of.get("read_inactivity_cycles"), "max") for of in by_port.values()]
    return Figures(
        total=printed["mean"],
        read=_mean(printed.get("read_MBps")),
        write=_mean(printed.get("write_MBps")),
        by_port={
            port: (_mean(of.get("read_MBps")) or 0.0, _mean(of.get("write_MBps")) or 0.0)
            for port, of in by_port.items()
        },
        latency=_mean(printed.get("read_latency_cycles")),
        inactivity=max((q for q in quiet if q), default=None),
    )


def _mean(of: Means | None, statistic: str = "mean") -> float | None:
    return None if of is None else of.get(statistic)
