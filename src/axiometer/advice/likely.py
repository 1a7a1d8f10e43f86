"""Bands for the rates of a candidate: those of a point like it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axiometer.advice.candidates import Candidate
from axiometer.advice.fabric import FINAL_S
from axiometer.advice.scoring import HEADROOM
from axiometer.advice.wanted_masters import Master
from axiometer.experiment import run_length
from axiometer.experiment.directions import MODE_OF
from axiometer.experiment.points import single
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published import bands
from axiometer.published.bands import Band, bounds, rates


@dataclass(frozen=True)
class Likely:
    """A candidate as a point: `values` on its `platform`. wires: peak MB/s of a port in one
    direction; most: peak of all."""

    platform: Platform
    values: Values
    wires: float
    most: float

    def of_master(self, master: Master, rate: float) -> Band | None:
        """The band of a master's rate, cut at its port's peak, and at its highest rate."""
        return rates.of_rate(self.platform, self.values, rate, _takes(master, self.wires))

    def of_total(self, rate: float) -> Band | None:
        """The band of the total, cut at the peak of ports and memory."""
        return bands.of_rate(self.platform, self.values, rate, self.most)


def _takes(master: Master, wires: float) -> float:
    return wires if master.rate is None else min(wires, master.rate * HEADROOM)


def of(
    platform: Platform,
    masters: Sequence[Master],
    candidate: Candidate,
    fixed: Mapping[str, object],
) -> Likely:
    """The bands of `candidate`, by its features as a point: its masters together, at part load if
    one of them has a rate."""
    chip, keys = candidate.on(platform)
    directions = {m.direction for m in masters}
    given = {
        "ports": "+".join(sorted(set(candidate.ports), key=chip.ports.index)),
        "mode": MODE_OF[masters[0].direction],
        "burst_bytes": min(candidate.bursts),
        "duration": run_length.at_most(chip, f"{FINAL_S * 1e6:g}us"),
    }
    values: Values = {**single(chip, {**given, **fixed, **keys}).values}
    if len(directions) > 1:
        values["mode"] = "mixed"
    if any(m.rate is not None for m in masters):
        values["gap_cycles"] = max(1, values["gap_cycles"])
    patterns = {m.pattern for m in masters}
    values["pattern"] = patterns.pop() if len(patterns) == 1 else "random"
    wires = values["width_bits"] / 8 * values["pl_mhz"]
    ends: dict[tuple[str, str], float] = {}
    for master, port in zip(masters, candidate.ports, strict=True):
        end = port, master.direction
        ends[end] = min(wires, ends.get(end, 0.0) + _takes(master, wires))
    most = bounds.together(chip, ends.values())
    return Likely(chip, values, wires, most)
