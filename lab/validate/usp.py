"""The model of Zynq UltraScale+ against the dataset of Manev et al.: `make validate-usp`.

Reads the dataset's files where they are (`--data`, by default below AXIOMETER_REFERENCE, or
../shared/reference beside the project), runs every configuration of them, or a sample, on the
model, and reports the errors of totals and of each port's read and write rate, fitted and predicted
configurations apart, and the dataset's findings. Exit status 1 if a bar is missed; 0 with a message
if the files are not there.
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

from axiometer.answer.analysis.results import DEGRADED_BELOW_PCT
from axiometer.base import data
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.runs.backends import model
from axiometer.simulate import remembered
from axiometer.simulate.scenario import Scenario
from validate import accuracy, findings_usp, marks
from validate import accuracy_usp as usp

DATASET = "zynq_usp_axi_speedtest"
DATA = data.find_external(f"{DATASET}/ultra96__base_100mhz.csv")
DATA = DATA.parent if DATA else Path(__file__).resolve().parents[3] / "shared/reference" / DATASET
# Those whose ports run one behind the other in memory.
FILES = (
    *("ultra96__base_100mhz.csv", "ultra96__read_only_300mhz.csv"),
    *("zcu102__base_300mhz.csv", "zcu102__read_only_300mhz.csv", "zcu102__write_only_300mhz.csv"),
)
DURATION = "settled"
HEAD = (
    "Errors against the dataset of Manev et al.: absolute values in percent. *Ports' rates* are "
    "read and write rates of each port above 50 MB/s. *At the wires' rate*: the published total is "
    f"at least {DEGRADED_BELOW_PCT:g} % of what the wires of the ports carry."
)
COMMAND = "python -m validate.usp --write"
AT_WIRES, BELOW_WIRES = "at the wires' rate", "below it"
BARS = (("totals, mean", 8.0), ("totals, 90th percentile", 18.0), ("ports' rates, mean", 15.0))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="directory of the CSV files")
    parser.add_argument("--sample", type=int, metavar="N", help="N configurations, evenly drawn")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", dest="sets")
    parser.add_argument("--only", default="", help="only files or platforms with this in the name")
    parser.add_argument("--csv", type=Path, help="write every configuration to this file")
    parser.add_argument("--write", action="store_true", help="write docs/accuracy.md")
    args = parser.parse_args()
    files = [args.data / name for name in FILES if args.only in name]
    files = [file for file in files if file.is_file()]
    if not files:
        print(f"skipped: there are no files of the dataset in {args.data}")
        return 0
    configurations = [c for file in files for c in usp.read(file)]
    if args.sample and args.sample < len(configurations):
        configurations = random.Random(1).sample(configurations, args.sample)
    started = time.monotonic()
    outcomes = run_all(configurations, tuple(args.sets), args.jobs)
    wall = time.monotonic() - started
    simulated = sum(o.simulated_s for o in outcomes)
    lines = report(outcomes)
    unsettled = sum(not o.settled for o in outcomes)
    lines += ["", f"{len(outcomes)} configurations; {simulated * 1e3:.0f} ms simulated"]
    lines += [f"{unsettled} had not settled after 20ms", ""]
    passed, of_bars = bars(outcomes)
    lines += of_bars
    print("\n".join(lines))
    print(f"{wall:.0f} s")
    if args.csv:
        _write(args.csv, outcomes)
    if args.write:
        text = "\n".join([HEAD, "", "```", *lines, "```"])
        marks.write(marks.DOCS / "accuracy.md", COMMAND, text)
    return 0 if passed else 1


def run_all(
    configurations: Sequence[usp.Configuration], sets: tuple[str, ...], jobs: int
) -> list[usp.Outcome]:
    """The configurations on the model, in `jobs` processes. Those that are one machine
    to the model are simulated once."""
    alike: dict[bytes, list[int]] = {}
    for n, of in enumerate(configurations):
        platform, point = point_of(of, sets)
        scenario = Scenario.of(platform, point.values)
        alike.setdefault(remembered.key_of(scenario, scenario.start(0, 0)), []).append(n)
    groups = list(alike.values())
    work = [([configurations[n] for n in group], sets) for group in groups]
    outcomes: dict[int, usp.Outcome] = {}
    with ProcessPoolExecutor(jobs) as pool:
        for group, found in zip(groups, pool.map(_run_alike, work, chunksize=4), strict=True):
            outcomes |= dict(zip(group, found, strict=True))
    return [outcomes[n] for n in range(len(configurations))]


def _run_alike(work: tuple[Sequence[usp.Configuration], tuple[str, ...]]) -> list[usp.Outcome]:
    configurations, sets = work
    with remembered.remembering({}):
        return [run((of, sets)) for of in configurations]


def point_of(
    of: usp.Configuration, sets: tuple[str, ...] = (), duration: str = DURATION
) -> tuple[Platform, points.Point]:
    """The platform and the point of a configuration, whose runs last for `duration`."""
    platform = _platform(of.platform, sets)
    return platform, points.single(platform, {**of.point(), "duration": duration})


def run(job: tuple[usp.Configuration, tuple[str, ...]]) -> usp.Outcome:
    """One configuration on the model."""
    of, sets = job
    platform, point = point_of(of, sets)
    record = model.run_repeats(platform, point, 0, 0, 1)[0]
    by_port = {p: (r["read_MBps"], r["write_MBps"]) for p, r in record["by_port"].items()}
    rows = [row for _, leaf in platform.fitted() for row in leaf.fitted]
    role = "fitted" if usp.is_fitted(of, rows) else "predicted"
    steady = record["steady"]
    at_wires = accuracy.at_wires(of.total, platform, point.values)
    return usp.Outcome(
        of, record["total_MBps"], by_port, role, steady["simulated_s"], steady["settled"], at_wires
    )


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


def report(outcomes: Sequence[usp.Outcome]) -> list[str]:
    """The errors, by board, by file, by ports, and by role, then the findings."""
    groups: dict[str, list[usp.Outcome]] = {}
    for o in outcomes:
        board = f"0 {o.of.platform}"
        for group in (
            board,
            f"{board} {AT_WIRES if o.at_wires else BELOW_WIRES}",
            f"{board} {o.role}",
            f"1 {o.of.file.removesuffix('.csv')}",
            f"2 {o.of.platform} {o.of.mode} {o.of.ports}",
            f"3 {o.role}",
            "4 all",
        ):
            groups.setdefault(group, []).append(o)
    lines = [f"{name[2:]:42} {usp.summary(groups[name])}" for name in sorted(groups)]
    lines += ["", "Findings of the dataset: published; model"]
    return lines + [f"  {line}" for line in findings_usp.lines(outcomes)]


def bars(outcomes: Sequence[usp.Outcome]) -> tuple[bool, list[str]]:
    """Whether each bar is reached, and a line for each."""
    errors = [o.error for o in outcomes]
    rates = [e for o in outcomes for e in o.rate_errors()]
    found = (usp.mean(errors), usp.percentile(errors, 0.9), usp.mean(rates))
    lines = ["Bars"]
    for (what, most), value in zip(BARS, found, strict=True):
        verdict = "pass" if value <= most else "MISSED"
        lines.append(f"  {verdict:7} {what}: {value:.2f} % (<= {most:g} %)")
    return all(value <= most for (_, most), value in zip(BARS, found, strict=True)), lines


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
