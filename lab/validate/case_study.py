#!/usr/bin/env python3
"""Runs the case study of convolution accelerators on the model and prints the tables of
docs/findings.md: the four steps beside the published figures, the effect of single settings, and
the steps of `axiometer advise --from`. `--write` puts them there.
"""

from __future__ import annotations

import argparse
import sys

from axiometer.advice import improve
from axiometer.answer.analysis import accelerators, stats
from axiometer.experiment import Experiment
from axiometer.published.reference import Reference
from axiometer.runs.backends import model
from validate import marks

COMMAND = "python -m validate.case_study --write"
NAME = "ultra96-convolution"
# What a loss is made of, and settings that would make it smaller: leads, not claims.
LOSSES = ("read_to_write", "write_to_read", "activate_precharge", "refresh")
OTHERWISE = ("controller.run_length=64", "controller.starve_clocks=256", "dram.timing.tRFC=96")
FIXED = ("ports", "outstanding_read", "outstanding_write", "mapping")
STEPS_HEAD = """\
| step | MC/s | published | DDR efficiency, % | published | imbalance | published |
|---|---|---|---|---|---|---|"""
WORDS = ("round robin, 128 B", "buffer after buffer, 128 B", "QoS changed", "4 KiB bursts")


def figures(experiment: Experiment, repeats: int) -> list[dict]:
    """Of each step: what `accelerators.figures` gives, and `classes` of bus time, in percent."""
    found = []
    for point in experiment.points():
        records = model.run_repeats(experiment.platform, point, 0, 0, repeats)
        peak = accelerators.dram_peak(experiment.platform)
        elapsed = sum(r["elapsed_s"] for r in records)
        classes = {
            name: 100 * sum(r["dram"]["classes_s"][name] for r in records) / elapsed
            for name in records[0]["dram"]["classes_s"]
        }
        found.append(accelerators.figures(stats.summarise(records), peak) | {"classes": classes})
    return found


def number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def steps(found: list[dict]) -> str:
    experiment = Experiment.load(NAME)
    published = Reference.load("manev2019-convolution.csv")
    digits = dict(zip(accelerators.NAMES, (2, 1, 2), strict=True))
    lines = [STEPS_HEAD]
    for words, point, own in zip(WORDS, experiment.points(), found, strict=True):
        row = published.match(point.values)
        cells = [words]
        for name, places in digits.items():
            cells += [number(own[name], places), number(row.figures.get(name), places)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def losses(found: list[dict]) -> str:
    lines = ["| step | turnarounds | activates and precharges | refresh |", "|---|---|---|---|"]
    for words, own in zip(WORDS, found, strict=True):
        turn = own["classes"]["read_to_write"] + own["classes"]["write_to_read"]
        rest = [own["classes"][name] for name in LOSSES[2:]]
        lines.append(f"| {words} | {' | '.join(f'{share:.1f} %' for share in (turn, *rest))} |")
    return "\n".join(lines)


def otherwise(repeats: int) -> str:
    lines = [f"| `--set` | {' | '.join(WORDS)} |", "|---" * (len(WORDS) + 1) + "|"]
    for setting in OTHERWISE:
        found = figures(Experiment.load(NAME, [setting]), repeats)
        cells = [f"{own['convolutions_M']:.2f} ({own['imbalance']:.2f})" for own in found]
        lines.append(f"| `{setting}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def way(fixed: tuple[str, ...]) -> str:
    experiment = Experiment.load(NAME)
    path = improve.Improvement(experiment.platform, experiment.points()[0], fixed=fixed).run()
    lines = ["| change | MC/s | DDR efficiency | imbalance |", "|---|---|---|---|"]
    before = improve.Design()
    for outcome in path:
        words = improve.changed(outcome.design, before) or "the first step"
        before, work = outcome.design, outcome.work
        lines.append(
            f"| {words} | {work['convolutions_M']:.2f} | {work['ddr_efficiency_pct']:.1f} | "
            f"{work['imbalance']:.2f} |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--write", action="store_true", help="write docs/findings.md")
    args = parser.parse_args()
    found = figures(Experiment.load(NAME), args.repeats)
    parts = {
        "steps": steps(found),
        "losses": losses(found),
        "otherwise": otherwise(args.repeats),
        "way": way(()),
        "way-fixed": way(FIXED),
    }
    print("\n\n".join(parts.values()))
    if args.write:
        for name, lines in parts.items():
            marks.write(marks.DOCS / "findings.md", f"{COMMAND}: {name}", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
