"""A finding, and whether the model confirms it: `findings.toml` beside figures of points.

Runs nothing itself; `findings.py` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TOLERANCE = 0.10
"""A published figure is confirmed if the model's is within this share of it. A choice: wider than
what repeats of a measurement spread, and narrower than what the findings are about."""

Figures = Mapping[str, Mapping[str, float]]  # of each point: total, read, write, and each port


@dataclass(frozen=True)
class Check:
    """One figure, or its share of another, beside what is published or bounds."""

    of: str
    over: str | None = None
    published: float | None = None
    least: float | None = None
    most: float | None = None

    def __post_init__(self) -> None:
        bounded = self.least is not None or self.most is not None
        if bounded == (self.published is not None):
            raise ValueError(f"{self.of}: give published, or least and most")

    def value(self, figures: Figures) -> float:
        """What the model has. ZeroDivisionError where `over` is nothing."""
        found = _figure(self.of, figures)
        return found if self.over is None else found / _figure(self.over, figures)

    def holds(self, figures: Figures) -> bool:
        value = self.value(figures)
        if self.published is not None:
            return abs(value - self.published) <= TOLERANCE * self.published
        low = self.least is None or value >= self.least
        return low and (self.most is None or value <= self.most)

    @property
    def expected(self) -> str:
        """What it should be, in words."""
        if self.published is not None:
            return f"{self._shown(self.published)}"
        ends = [(">=", self.least), ("<=", self.most)]
        return ", ".join(f"{sign} {self._shown(end)}" for sign, end in ends if end is not None)

    def shown(self, figures: Figures) -> str:
        return self._shown(self.value(figures))

    def _shown(self, value: float) -> str:
        if self.over is None:
            return f"{value:.0f} MB/s" if value >= 1000 else f"{value:.1f} MB/s"
        # Ratios of two points are shown as such, shares of one point in percent.
        if self.of.partition(".")[0] == self.over.partition(".")[0]:
            return f"{100 * value:.3g} %"
        return f"{value:.3g}"


@dataclass(frozen=True)
class Finding:
    """A conclusion: its text, its source, its points by name, and its checks. `file` has
    its points as rows; "" where a sentence of the publication alone has its figures."""

    says: str
    source: str
    file: str
    points: Mapping[str, Mapping[str, Any]]
    checks: tuple[Check, ...]

    def verdict(self, figures: Figures) -> str:
        """ "confirmed" if every check holds, else "not confirmed"."""
        return "confirmed" if all(c.holds(figures) for c in self.checks) else "not confirmed"


@dataclass(frozen=True)
class NotAsked:
    """A conclusion for which no point of the model can be made, and why."""

    says: str
    source: str
    why: str


def not_asked(document: Mapping[str, Any]) -> list[NotAsked]:
    """Those of `findings.toml`. KeyError where a source is not there."""
    return [
        NotAsked(table["says"], document["source"][table["source"]]["title"], table["why"])
        for table in document["not_asked"]
    ]


def read(document: Mapping[str, Any]) -> list[Finding]:
    """The findings of `findings.toml`, their points with all keys. ValueError where a check names
    a point that is not there, KeyError where a source is not."""
    found = []
    for table in document["finding"]:
        source = document["source"][table["source"]]
        shared = source["keys"] | table.get("keys", {})
        if "platform" in table:
            shared = {"platform": table["platform"]} | shared
        points = {name: shared | own for name, own in table["points"].items()}
        checks = tuple(Check(**check) for check in table["checks"])
        for check in checks:
            for name in filter(None, (check.of, check.over)):
                if name.partition(".")[0] not in points:
                    raise ValueError(f"{table['says']}: {name} is of no point")
        finding = Finding(table["says"], source["title"], table.get("file", ""), points, checks)
        found.append(finding)
    return found


def _figure(name: str, figures: Figures) -> float:
    point, _, what = name.partition(".")
    return figures[point][what]
