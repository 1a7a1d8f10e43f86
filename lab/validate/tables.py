"""Every published row against the model, at full size: `make validate`.

Runs the published experiments, prints the comparisons and whether each bar of accuracy is
reached, then runs random configurations on the fast model and the plain one.
Exit status 1 if a bar is missed. `--write` puts the accuracy into docs/accuracy.md, and draws the
picture of README.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from axiometer.experiment import Experiment
from validate import accuracy, marks

COMMAND = "python -m validate.tables --write"
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DRAWN = "zybo-hp-bandwidth"
PICTURE = marks.DOCS / "images" / "table3.svg"

# In the order of the report; the last three are predictions of what others measured, without a bar.
EXPERIMENTS = (
    "zybo-hp-bandwidth",
    "zybo-hp-read-150mhz",
    "zybo-stream-size",
    "de1-soc-f2s-bandwidth",
    "de1-soc-stream-size",
    "gobel-hp-bandwidth",
    "gobel-f2s-bandwidth",
    "zynq-ddr-efficiency",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--repeats", metavar="N", help="other repeats than published, for a quick check"
    )
    parser.add_argument("--jobs", metavar="N", help="number of processes (default: all cores)")
    parser.add_argument(
        "--store", metavar="FILE", help="store of the runs (default: a temporary one)"
    )
    parser.add_argument("--write", action="store_true", help="write the page and the picture")
    parser.add_argument(
        "--no-differential", action="store_true", help="without the random configurations"
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        store = args.store or str(Path(directory) / "runs.db")
        compared = {name: _run(name, store, args) for name in EXPERIMENTS}
        if args.write:
            _axiometer("show", DRAWN, "--store", store, "--svg", str(PICTURE), check=True)
    zynq = compared["zybo-hp-bandwidth"] + compared["zybo-hp-read-150mhz"]
    bars = accuracy.zynq(zynq)
    bars += accuracy.cyclone(compared["de1-soc-f2s-bandwidth"])
    bars += accuracy.stream_size("Figure 3", compared["zybo-stream-size"], 3.0)
    bars += accuracy.stream_size("Figure 7, 64 bit", compared["de1-soc-stream-size"], 6.0)
    print("\nBars of accuracy")
    for bar in bars:
        print(f"  {_verdict(bar):7} {bar.what}: {bar.found} ({bar.required})")
    print("\nFitted rows and predicted rows, mean error")
    for name, of in compared.items():
        print(f"  {name}: {_by_role(of) or 'no published figures at hand'}")
    if args.write:
        text = _markdown(compared, bars, args.repeats)
        marks.write(marks.DOCS / "accuracy.md", COMMAND, text)
    agree = args.no_differential or _differential(args.jobs)
    missed = [bar for bar in bars if bar.passed is False]
    if missed:
        print(f"\n{len(missed)} of {len(bars)} bars are missed.", file=sys.stderr)
    return 0 if agree and not missed else 1


def _axiometer(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "axiometer", *arguments], text=True, **options)


def _run(name: str, store: str, args: argparse.Namespace) -> list[accuracy.Row]:
    """Run one experiment, print its comparison; its compared rows, none without a reference."""
    print(f"\n{name}", flush=True)
    options = [f"--{key}={getattr(args, key)}" for key in ("repeats", "jobs") if getattr(args, key)]
    _axiometer("run", name, "--store", store, *options, check=True, stdout=subprocess.DEVNULL)
    shown = _axiometer("compare", name, "--store", store, capture_output=True)
    if shown.returncode:
        if Experiment.load(name).reference:
            sys.exit(shown.stderr.strip())
        print(shown.stderr.strip())
        return []
    print(shown.stdout, end="")
    document = _axiometer(
        "compare", name, "--store", store, "--json", check=True, capture_output=True
    )
    return accuracy.rows(json.loads(document.stdout), _swept(name))


def _swept(name: str) -> list[str]:
    return list(Experiment.load(name).points()[0].key)


def _differential(jobs: str | None) -> bool:
    """Whether the fast model agrees with the plain one."""
    print("\nRandom configurations, fast model and plain model side by side", flush=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}  # what draws the cases
    words = [sys.executable, "-m", "validate.differential"]
    return subprocess.run(words, cwd=ROOT, env=environment).returncode == 0


def _verdict(bar: accuracy.Bar) -> str:
    return {True: "pass", False: "MISSED", None: "skipped"}[bar.passed]


def _by_role(of: Sequence[accuracy.Row]) -> str:
    groups = {role: [row for row in of if row.role == role] for role in ("fitted", "predicted")}
    return "; ".join(
        f"{len(group)} {role}: {accuracy.mean_error(group):.2f} %"
        for role, group in groups.items()
        if group
    )


def _markdown(
    compared: dict[str, list[accuracy.Row]], bars: Sequence[accuracy.Bar], repeats: str | None
) -> str:
    lines = [
        "Rates in MB/s. *Inside*: the model's mean is in the published range; *widened*: in that "
        f"range widened by {accuracy.WIDENED * 100:g} %.",
    ]
    if repeats:
        lines += ["", f"**With {repeats} repeats a row instead of the published number.**"]
    lines += ["", "| bar | required | found | |", "|---|---|---|---|"]
    lines += [f"| {b.what} | {b.required} | {b.found} | {_verdict(b)} |" for b in bars]
    for name, of in compared.items():
        experiment = Experiment.load(name)
        lines += ["", f"### {experiment.title}", "", f"`{name}`, {experiment.source}. "]
        if not of:
            lines[-1] += "No published figures to compare with were at hand."
            continue
        lines[-1] += f"Mean error of {_by_role(of)}."
        keys = list(of[0].key)
        heading = [*keys, "published", "range", "model", "error %", "inside", ""]
        lines += ["", f"| {' | '.join(heading)} |", "|---" * len(heading) + "|"]
        lines += [f"| {' | '.join(_cells(row))} |" for row in of]
    return "\n".join(lines)


def _cells(row: accuracy.Row) -> list[str]:
    low, high = row.published.get("min"), row.published.get("max")
    inside = "yes" if row.inside() else "widened" if row.inside(accuracy.WIDENED) else "no"
    return [
        *map(str, row.key.values()),
        f"{row.published['mean']:.2f}",
        "" if low is None or high is None else f"{low:.2f} to {high:.2f}",
        f"{row.mean:.2f}",
        f"{row.error:+.2f}",
        "" if row.inside() is None else inside,
        row.role,
    ]


if __name__ == "__main__":
    sys.exit(main())
