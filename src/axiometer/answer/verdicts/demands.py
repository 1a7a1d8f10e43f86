"""Whether masters get the rates that they request."""

from __future__ import annotations

from dataclasses import dataclass

from axiometer.answer.analysis.stats import Stats, by_master, rate_of
from axiometer.answer.analysis.time_shares import SERVED
from axiometer.experiment import listed, master_keys
from axiometer.experiment.values import Values


@dataclass(frozen=True)
class Demand:
    """One direction of a master: its requested and its carried rate (MB/s), whether the one meets
    the other, and its frames (None where it has none)."""

    master: str
    direction: str
    frame: str | None
    asks_MBps: float  # noqa: N815 - MB/s, as in JSON
    carried_MBps: float  # noqa: N815
    met: bool


def demands(values: Values, stats: Stats | None) -> list[Demand]:
    """Each direction of each master that requests a rate."""
    found: list[Demand] = []
    if stats is None:
        return found
    for master in listed.masters(values):
        for way in master_keys.directions(master):
            asks = master_keys.asked_mbs(master, way)
            if asks is not None:
                carried = rate_of(by_master(stats)[master["name"]], way)["mean"]
                met = carried >= SERVED * float(asks)
                named = master["name"], way, master["frame"]
                found.append(Demand(*named, float(asks), carried, met))
    return found
