"""The program that starts a point's transfers, and the share of their time for starting them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from axiometer.answer.analysis.results import Row
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.platform import Platform
from axiometer.simulate import program

TELLS = 0.01
"""Least share of a transfer's time for which an answer mentions the start."""


@dataclass(frozen=True)
class Started:
    """name: of the program; assumed: the user gave neither it nor a figure of it; by: its times;
    share: the largest share of a transfer's time for starting it and detecting its end."""

    name: str
    assumed: bool
    by: program.Program
    share: float

    @property
    def tells(self) -> bool:
        """Whether an answer mentions it."""
        return self.share >= TELLS


def of(platform: Platform, row: Row) -> Started | None:
    """The program of `row`'s point; None where it starts no transfer with an end."""
    values = row.values
    name = values.get("program")
    if not name or values["transfer_bytes"] is None or values["master"] not in AT_MEMORY:
        return None
    by = program.of(platform, values)
    paths = ("program.launch_us", f"program.{name}.launch_us")
    own = any(path in platform.overrides for path in paths)
    took = math.fsum(record["elapsed_s"] for record in row.records) / max(1, len(row.records))
    starts = by.takes(len(values["ports"])) * 1e-6
    assumed = not own and "program" not in row.key
    return Started(name, assumed, by, min(1.0, starts / took) if took else 0.0)
