"""The causes that may limit a point, and the relaxation of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from axiometer.answer.relax import bounds, chip, workload
from axiometer.answer.relax.workload import Records
from axiometer.simulate.scenario import Scenario


@dataclass(frozen=True)
class Relaxation:
    """cause: key of the cause; several relaxations may share one. name: of the relaxation. act:
    returns the scenario with the cause relaxed, None where there is nothing to relax. most: its
    largest possible gain, where that is known without a run."""

    cause: str
    name: str
    act: Callable[[Scenario, Records], Scenario | None]
    most: Callable[[Scenario, Records], float] | None = None


RELAXATIONS: tuple[Relaxation, ...] = (
    Relaxation("asked", "no gap, no rate limit", workload.without_demand),
    Relaxation("processor", "no pauses", workload.without_pauses),
    Relaxation("master", "outstanding doubled", workload.outstanding),
    Relaxation("burst", "burst doubled", workload.longer_bursts),
    Relaxation("partner", "uncoupled", workload.uncoupled),
    Relaxation("in_turn", "no waiting for responses", workload.without_waits),
    Relaxation("jobs", "jobs at no cost", workload.jobs_at_once),
    Relaxation("uneven", "shared out by rate", workload.by_rate),
    Relaxation("placement", "buffers in different banks", workload.moved_apart),
    Relaxation("launch", "start-up at no cost", workload.started_at_once, bounds.launch),
    Relaxation("neighbours", "other masters idle", workload.undisturbed),
    Relaxation("port", "width doubled", chip.wider_port),
    Relaxation("port", "PL clock doubled", chip.faster_pl),
    Relaxation("fifo", "FIFO doubled", chip.deeper_fifo),
    Relaxation("issue", "issue limits doubled", chip.more_issued),
    Relaxation("path", "path doubled", chip.wider_path),
    Relaxation("queue", "queues doubled", chip.more_entries),
    Relaxation("qos", "all ports best effort", chip.all_of_class("best_effort", 0)),
    Relaxation("qos", "all ports video", chip.all_of_class("video", 4)),
    Relaxation("throttling", "none held back", chip.unthrottled),
    Relaxation("rows", "no row misses", chip.open_rows),
    Relaxation("turnaround", "turnaround 0", chip.no_turnaround),
    Relaxation("refresh", "no refresh", chip.no_refresh, bounds.refresh),
    Relaxation("dram_saturated", "DRAM bus doubled", chip.faster_dram),
)
"""Entries with equal gains (within `gains.TIE`) are equally right."""
