"""The publications' conclusions, checked on the model: `python -m validate.findings`.

`--write` puts them into docs/findings.md. The exit status is 0 whatever the verdicts: a finding
that is not confirmed is a result, and is on the page.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.answer.analysis import stats
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.runs.backends import model
from validate import accuracy, marks
from validate.findings_checks import TOLERANCE, Figures, Finding, not_asked, read

FILE = Path(__file__).with_name("findings.toml")
SEED = 1
COMMAND = "python -m validate.findings --write"
HEAD = f"""\
*Confirmed*: every figure of a finding is within {100 * TOLERANCE:.0f} % of the published one (a
choice), and every comparison is as published.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only findings with this in their text or file")
    parser.add_argument("--write", action="store_true", help="write docs/findings.md")
    args = parser.parse_args()
    asked = [f for f in load() if args.only in f.says or args.only in f.file]
    found = []
    for finding in asked:
        found.append((finding, figures(finding), role(finding)))
        print(*lines(*found[-1]), sep="\n", flush=True)
    if args.write:
        marks.write(marks.DOCS / "findings.md", COMMAND, page(found))
    return 0


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
        if accuracy.is_chosen_on(finding.file, point.values, platform):
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


if __name__ == "__main__":
    sys.exit(main())
