"""A user's design: each master alone, each port, and all together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from axiometer.answer.verdicts.designed import Answer
from axiometer.api import design_answers
from axiometer.api.expectation import Expectation, rates
from axiometer.base.units import short_rate
from axiometer.designs import Design as Read
from axiometer.designs.plan import planned
from axiometer.designs.platform import Placed
from axiometer.experiment import settings
from axiometer.experiment.points import Point
from axiometer.experiment.values import known
from axiometer.platform import Platform
from axiometer.present import design_answer, design_limit
from axiometer.present.text import Style

if TYPE_CHECKING:
    import altair


class Design:
    """A design, read from the export of a tool, on a platform. `read` is the whole design, `placed`
    its platform with the reason for it."""

    def __init__(self, read: Read, placed: Placed) -> None:
        self.read = read
        self.placed = placed

    @classmethod
    def load(
        cls,
        file: str | Path,
        *,
        platform: str | None = None,
        set: Mapping[str, object] | None = None,
    ) -> Design:
        """The design in `file` (.xsa, .hdf, .hwh, .tcl, .qsys, a directory, or a design file).

        `platform` is a board or its file (None: the design's own). `set` changes keys of masters,
        ports and clocks ({"axi_dma_0.burst_beats": 64}) and figures of the platform.
        AxiometerError for bad files or values.
        """
        changed = [f"{name}={settings.written(value)}" for name, value in (set or {}).items()]
        return cls(*design_answers.opened(file, platform, changed))

    @property
    def name(self) -> str:
        return self.read.name

    @property
    def platform(self) -> Platform:
        """The design's platform."""
        return self.placed.platform

    @property
    def ports(self) -> dict[str, list[str]]:
        """The ports that carry data, each with the names of its masters."""
        found = planned(self.read).ports.items()
        return {port: [of.master.name for of in plan.masters] for port, plan in found}

    def expect(self, repeats: int | None = None) -> DesignExpectation:
        """Simulate it from `repeats` random starts (None: as many as an answer needs).
        AxiometerError if no master moves data."""
        return DesignExpectation(design_answers.answer(self.read, self.placed, repeats))

    def __repr__(self) -> str:
        return f"<Design {self.name}: {', '.join(self.ports) or 'no port that carries data'}>"


class DesignExpectation(Expectation):
    """The expectation of a design: that of the list of its masters on its board (`Expectation`),
    and, in `parts`, each master alone and each port."""

    def __init__(self, parts: Answer) -> None:
        self.parts = parts
        point = parts.point
        self.platform, self.backend, self.row = point.platform, point.backend, point.row
        self.point = Point(0, dict(point.row.key), point.row.values)
        self.sampling = known(point.sampling)
        self.answer = point

    @property
    def bottleneck(self) -> str:
        """The short name of its limit, as in the answer."""
        return design_limit.name(self.parts.design, self.parts.together)

    @property
    def text(self) -> str:
        """The output of `axiometer expect DESIGN -v`."""
        style = Style()
        return style.fit(design_answer.lines(self.parts, style, detailed=True))

    def to_dict(self) -> dict[str, object]:
        """The output of `axiometer expect DESIGN --json`."""
        return design_answer.document(self.parts)

    def rows(self) -> list[dict[str, object]]:
        """Each master alone, each port, all together."""
        return [
            {
                "of": part.kind,
                "name": part.name,
                **rates(known(part.row.stats)),
                "latency_ns": part.outcome.latency_ns(),
                "p99_ns": part.outcome.p99_ns(),
                "bottleneck": design_limit.name(self.parts.design, part),
            }
            for part in self.parts.parts
        ]

    def plot(self) -> altair.TopLevelMixin:
        """Rates of each part, read and written, as bars."""
        from axiometer.present import pictures

        rows = [{**row, "port": row["name"]} for row in self.rows()]
        return pictures.of_rates(self.caption, rows)

    @property
    def caption(self) -> str:
        rate = f"{short_rate(self.total)} MB/s (simulated)"
        return f"{self.parts.design.name} on {self.platform.title}: {rate}"

    def __repr__(self) -> str:
        return f"<DesignExpectation: {self.caption}>"
