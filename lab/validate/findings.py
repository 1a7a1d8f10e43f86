"""The publications' conclusions (`findings.toml`), and whether the model confirms them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.answer.analysis import stats
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.runs.backends import model
from validate import compared
from validate.compared import Outcome

FILE = Path(__file__).with_name("findings.toml")
SEED = 1
TOLERANCE = 0.10
"""A published figure is confirmed if the model's is within this share of it. A choice: wider than
what repeats of a measurement spread, and narrower than what the findings are about."""
HEAD = f"""\
*Confirmed*: every figure of a finding is within {100 * TOLERANCE:.0f} % of the published one (a
choice), and every comparison is as published.
"""

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


def run(only: str) -> Outcome:
    """The page's section. A finding that is not confirmed is a result, and is on the page."""
    asked = [f for f in load() if only in f.says or only in f.file]
    found = [(finding, figures(finding), role(finding)) for finding in asked]
    confirmed = sum(finding.verdict(of) == "confirmed" for finding, of, _ in found)
    text = page(found)
    return Outcome(f"{confirmed} of {len(found)} are confirmed", True, [text], {"": text})


def load() -> list[Finding]:
    return read(_document())


def _document() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def figures(finding: Finding) -> Figures:
    """Rates of each point of a finding, MB/s, on the model."""
    return {name: _rates(*_point(keys)) for name, keys in finding.points.items()}


def role(finding: Finding) -> str:
    """ "fitted" if a figure of the platform was chosen by a published row of the finding. Figures
    of sentences were used for none."""
    if not finding.file:
        return "predicted"
    for platform, point in map(_point, finding.points.values()):
        if compared.is_chosen_on(finding.file, point.values, platform):
            return "fitted"
    return "predicted"


def _point(keys: Mapping[str, Any]) -> tuple[Platform, points.Point]:
    platform = _platform(keys["platform"])
    return platform, points.single(platform, {k: v for k, v in keys.items() if k != "platform"})


@cache
def _platform(name: str) -> Platform:
    return Platform.load(name)


def _rates(platform: Platform, point: points.Point) -> dict[str, float]:
    records = model.run_repeats(platform, point, SEED, 0, point.values["repeats"])
    found = stats.summarise(records)
    ways = {way: found[f"{way}_MBps"]["mean"] for way in ("total", "read", "write")}
    return ways | {port: of["total_MBps"]["mean"] for port, of in found["by_port"].items()}


def lines(finding: Finding, found: Figures, of: str) -> list[str]:
    """A finding for the page: its text, its verdict, a line for each check."""
    basis = of if finding.file else f"{of}; of a sentence"
    out = ["", f"**{finding.says}.** {finding.verdict(found).capitalize()} ({basis}).", ""]
    for check in finding.checks:
        what = check.of if check.over is None else f"{check.of} / {check.over}"
        point = ", ".join(f"{k} {v}" for k, v in _own(finding, check.of).items())
        where = f" ({point})" if point else ""
        miss = "" if check.holds(found) else " **off**"
        kind = "published" if check.published is not None else "should be"
        out.append(f"- {what}{where}: {kind} {check.expected}, model {check.shown(found)}{miss}")
    return out


def _own(finding: Finding, name: str) -> dict[str, Any]:
    """The keys in which a point differs from the others of its finding."""
    keys = finding.points[name.partition(".")[0]]
    return {k: v for k, v in keys.items() if any(o.get(k) != v for o in finding.points.values())}


def page(found: Sequence[tuple[Finding, Figures, str]]) -> str:
    verdicts = [finding.verdict(of) for finding, of, _ in found]
    confirmed = sum(v == "confirmed" for v in verdicts)
    out = [HEAD, f"{confirmed} of {len(found)} are confirmed."]
    source = ""
    for finding, of, role_of in found:
        if finding.source != source:
            source = finding.source
            out += ["", f"### {source}"]
        out += lines(finding, of, role_of)
    out += ["", "### Not tested", ""]
    out += [f"- **{each.says}** ({each.source}): {each.why}." for each in not_asked(_document())]
    return "\n".join(out)
