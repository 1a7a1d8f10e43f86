"""The publications' conclusions (`findings.toml`), checked on the model."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.answer.analysis import stats
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.runs.backends import model
from validate import compared
from validate.compared import Outcome
from validate.findings_checks import TOLERANCE, Figures, Finding, not_asked, read

FILE = Path(__file__).with_name("findings.toml")
SEED = 1
HEAD = f"""\
*Confirmed*: every figure of a finding is within {100 * TOLERANCE:.0f} % of the published one (a
choice), and every comparison is as published.
"""


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
