"""The model of Zynq UltraScale+ against the dataset of Manev et al.: `make validate-usp`.

Reads the dataset's files where they are (`--data`, by default ../shared/reference beside the
project), runs every configuration of them, or a sample, on the model, and reports the errors of
totals and of each port's read and write rate, fitted and predicted configurations apart, and the
dataset's findings. Exit status 1 if a bar is missed; 0 with a message if the files are not there.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import accuracy_usp as usp
import findings_usp
from axiometer import points
from axiometer.backends import model
from axiometer.platform import Platform

DATA = Path(__file__).resolve().parents[2] / "shared/reference/zynq_usp_axi_speedtest"
DURATION = "5ms"
BARS = (("totals, mean", 8.0), ("totals, 90th percentile", 18.0), ("ports' rates, mean", 15.0))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="directory of the CSV files")
    parser.add_argument("--sample", type=int, metavar="N", help="N configurations, evenly drawn")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", dest="sets")
    parser.add_argument("--only", default="", help="only files or platforms with this in the name")
    parser.add_argument("--csv", type=Path, help="write every configuration there")
    args = parser.parse_args()
    files = sorted(f for f in args.data.glob("*.csv") if args.only in f.name)
    if not files:
        print(f"skipped: there are no files of the dataset in {args.data}")
        return 0
    configurations = [c for file in files for c in usp.read(file)]
    if args.sample and args.sample < len(configurations):
        configurations = random.Random(1).sample(configurations, args.sample)
    started = time.monotonic()
    jobs = [(c, tuple(args.sets)) for c in configurations]
    with ProcessPoolExecutor(args.jobs) as pool:
        outcomes = list(pool.map(run, jobs, chunksize=4))
    wall = time.monotonic() - started
    report(outcomes)
    simulated = sum(o.simulated_s for o in outcomes)
    print(f"\n{len(outcomes)} configurations in {wall:.0f} s; {simulated * 1e3:.0f} ms simulated")
    if args.csv:
        _write(args.csv, outcomes)
    return 0 if bars(outcomes) else 1


def run(job: tuple[usp.Configuration, tuple[str, ...]]) -> usp.Outcome:
    """One configuration on the model."""
    of, sets = job
    platform = _platform(of.platform, sets)
    point = points.single(platform, {**of.point(), "duration": DURATION})
    record = model.run_repeats(platform, point, 0, 0, 1)[0]
    by_port = {p: (r["read_MBps"], r["write_MBps"]) for p, r in record["by_port"].items()}
    rows = [row for _, leaf in platform.fitted() for row in leaf.fitted]
    role = "fitted" if usp.is_fitted(of, rows) else "predicted"
    return usp.Outcome(of, record["total_MBps"], by_port, role, record["elapsed_s"])


@cache
def _platform(name: str, sets: tuple[str, ...]) -> Platform:
    platform = Platform.load(name)
    for setting in sets:
        path, _, value = setting.partition("=")
        if path.startswith(f"{name}:"):
            path = path.removeprefix(f"{name}:")
        elif ":" in path:
            continue
        kind = type(platform.value(path))
        platform = platform.with_overrides({path: value == "true" if kind is bool else kind(value)})
    return platform


def report(outcomes: Sequence[usp.Outcome]) -> None:
    """The errors, by file, by number of ports, and by role."""
    groups: dict[str, list[usp.Outcome]] = {}
    for o in outcomes:
        for group in (
            f"1 {o.of.file.removesuffix('.csv')}",
            f"2 {o.of.platform} {o.of.mode} {o.of.ports}",
            f"3 {o.role}",
            "4 all",
        ):
            groups.setdefault(group, []).append(o)
    for name in sorted(groups):
        print(f"{name[2:]:45} {usp.summary(groups[name])}")
    print("\nFindings of the dataset: published, model")
    for line in findings_usp.lines(outcomes):
        print(f"  {line}")


def bars(outcomes: Sequence[usp.Outcome]) -> bool:
    """Prints whether each bar is reached; True if all are."""
    errors = [o.error for o in outcomes]
    rates = [e for o in outcomes for e in o.rate_errors()]
    found = (usp.mean(errors), usp.percentile(errors, 0.9), usp.mean(rates))
    print("\nBars")
    for (what, most), value in zip(BARS, found, strict=True):
        print(f"  {'pass' if value <= most else 'MISSED':7} {what}: {value:.2f} % (<= {most:g} %)")
    return all(value <= most for (_, most), value in zip(BARS, found, strict=True))


def _write(file: Path, outcomes: Sequence[usp.Outcome]) -> None:
    lines = ["file,ports,mode,pl_mhz,burst_bytes,role,published,model,error_pct"]
    for o in outcomes:
        c = o.of
        lines.append(
            f"{c.file},{c.ports},{c.mode},{c.pl_mhz:g},{c.burst_bytes},{o.role},"
            f"{c.total:.1f},{o.total:.1f},{o.error:.2f}"
        )
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
