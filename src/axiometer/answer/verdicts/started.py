"""The program that starts a point's transfers, and what share of their time its start takes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from axiometer.answer.analysis.results import Row
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.platform import Platform
from axiometer.simulate import program

TELLS = 0.01
"""Share of a transfer's time from which on its start is worth a sentence."""


@dataclass(frozen=True)
class Started:
    """name: of the program; assumed: nobody chose it, nor a figure of it; by: its times; share: of
    a transfer's time that starting it and seeing its end take at most."""

    name: str
    assumed: bool
    by: program.Program
    share: float

    @property
    def tells(self) -> bool:
        """Whether it is worth a sentence."""
        return self.share >= TELLS


def of(platform: Platform, row: Row) -> Started | None:
    """Of the point that `row` is of; None where nothing is started that has an end."""
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
