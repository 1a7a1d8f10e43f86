"""The model of Zynq UltraScale+ against the dataset of Manev et al.

A configuration is a row of one of the dataset's files whose `port` is empty; the rows after it
that name a port are its ports. All are run, or a sample, and the errors of totals and of each
port's read and write rate summed up, fitted and predicted apart, with the dataset's findings.
"""

from __future__ import annotations

import csv
import random
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.answer.analysis.results import DEGRADED_BELOW_PCT
from axiometer.base import data
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.runs.backends import model
from axiometer.simulate import remembered
from axiometer.simulate.scenario import Scenario
from validate import compared
from validate.compared import Outcome, mean, nine_of_ten

DATASET = "zynq_usp_axi_speedtest"
DATA = data.find_external(f"{DATASET}/ultra96__base_100mhz.csv")
DATA = DATA.parent if DATA else Path(DATASET)
# Those whose ports run one behind the other in memory.
FILES = (
    *("ultra96__base_100mhz.csv", "ultra96__read_only_300mhz.csv"),
    *("zcu102__base_300mhz.csv", "zcu102__read_only_300mhz.csv", "zcu102__write_only_300mhz.csv"),
)
DURATION = "settled"
LEAST_RATE = 50.0  # MB/s: rates of ports below are not compared
MODES = {
    "duplex": "mixed",
    "read": "read",
    "write": "write",
    "ps_to_pl": "read",
    "pl_to_ps": "write",
}
MAPPED = "bank_row_column"
"""In the names of files whose rows have this mapping without saying so."""
HEAD = (
    "Errors against the dataset of Manev et al.: absolute values in percent. *Ports' rates* are "
    "read and write rates of each port above 50 MB/s. *At the wires' rate*: the published total is "
    f"at least {DEGRADED_BELOW_PCT:g} % of what the wires of the ports carry."
)
AT_WIRES, BELOW_WIRES = "at the wires' rate", "below it"
BARS = (("totals, mean", 8.0), ("totals, 90th percentile", 18.0), ("ports' rates, mean", 15.0))
FINDINGS = Path(__file__).with_suffix(".toml")

Rates = Mapping[str, tuple[float, float]]
"""Read and write rate of each port, MB/s."""


@dataclass(frozen=True)
class Configuration:
    """One published configuration: rates in MB/s."""

    file: str
    platform: str
    ports: str
    mode: str
    pl_mhz: float
    burst_bytes: int
    stride_bytes: int
    total: float
    by_port: Rates

    @property
    def label(self) -> str:
        return (
            f"{self.platform} {self.mode} {self.pl_mhz:g} MHz, {self.ports}, {self.burst_bytes} B"
        )

    def point(self) -> dict[str, Any]:
        """The keys of an experiment."""
        keys: dict[str, Any] = {
            "ports": self.ports,
            "mode": self.mode,
            "pl_mhz": self.pl_mhz,
            "burst_bytes": self.burst_bytes,
        }
        if self.stride_bytes != self.burst_bytes:
            keys["pattern"] = f"stride:{self.stride_bytes}"
        if MAPPED in self.file:
            keys["mapping"] = MAPPED.replace("_", "-")
        return keys


@dataclass(frozen=True)
class Simulated:
    """A configuration and what the model made of it; `role` is fitted or predicted; `at_wires`:
    its published total is what its ports' wires carry (`compared.at_wires`)."""

    of: Configuration
    total: float
    by_port: Rates
    role: str = ""
    simulated_s: float = 0.0
    settled: bool = True
    at_wires: bool = False

    @property
    def error(self) -> float:
        return compared.error(self.total, self.of.total)

    def rate_errors(self) -> list[float]:
        """Errors in % of the read and the write rate of each port above LEAST_RATE."""
        return [
            compared.error(simulated, published)
            for port, rates in self.of.by_port.items()
            for published, simulated in zip(rates, self.by_port[port], strict=True)
            if published > LEAST_RATE
        ]


def read(file: Path) -> list[Configuration]:
    """The configurations of one file."""
    found: dict[tuple, dict[str, Any]] = {}
    with file.open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            names = ("platform", "ports", "mode", "pl_mhz", "burst_bytes", "stride_bytes")
            key = tuple(row[name] for name in names)
            rates = (float(row["read_MBps"] or 0), float(row["write_MBps"] or 0))
            entry = found.setdefault(key, {"total": 0.0, "ports": {}})
            if row["port"]:
                entry["ports"][row["port"]] = rates
            else:
                entry["total"] = float(row["total_MBps"])
    return [
        Configuration(
            file.name, platform, ports, MODES[mode], round(float(mhz)), int(burst),
            int(stride or burst), entry["total"], entry["ports"],
        )
        for (platform, ports, mode, mhz, burst, stride), entry in found.items()
    ]  # fmt: skip


def every() -> list[Configuration]:
    """Those of all files."""
    return [of for name in FILES for of in read(DATA / name)]


def is_fitted(of: Configuration, rows: Iterable[str]) -> bool:
    """Whether one of `rows` ("FILE.csv: key=value, ...", as platforms have them) means `of`."""
    for row in rows:
        file, _, keys = row.partition(":")
        wanted = dict(part.strip().split("=") for part in keys.split(",") if part.strip())
        known = {"ports": of.ports, "mode": of.mode, "burst_bytes": str(of.burst_bytes)}
        if file == of.file and all(
            known.get(key) in values.split("|") for key, values in wanted.items()
        ):
            return True
    return False


def run(jobs: int, sample: int) -> Outcome:
    """The page's section, of all configurations or of so many."""
    of = every()
    if sample:
        of = random.Random(1).sample(of, sample)
    found = run_all(of, jobs)
    simulated = sum(one.simulated_s for one in found)
    passed, bars = judged(found)
    lines = [
        *report(found),
        "",
        f"{len(found)} configurations; {simulated * 1e3:.0f} ms simulated",
        f"{sum(not one.settled for one in found)} had not settled after 20ms",
        "",
        *bars,
    ]
    figure = summary(found).strip()
    return Outcome(figure, passed, lines, {"": "\n".join([HEAD, "", "```", *lines, "```"])})


def run_all(configurations: Sequence[Configuration], jobs: int) -> list[Simulated]:
    """The configurations on the model, in `jobs` processes. Those that are one machine
    to the model are simulated once."""
    alike: dict[bytes, list[int]] = {}
    for n, of in enumerate(configurations):
        platform, point = point_of(of)
        scenario = Scenario.of(platform, point.values)
        alike.setdefault(remembered.key_of(scenario, scenario.start(0, 0)), []).append(n)
    groups = list(alike.values())
    work = [[configurations[n] for n in group] for group in groups]
    found: dict[int, Simulated] = {}
    with ProcessPoolExecutor(jobs) as pool:
        for group, made in zip(groups, pool.map(_run_alike, work, chunksize=4), strict=True):
            found |= dict(zip(group, made, strict=True))
    return [found[n] for n in range(len(configurations))]


def _run_alike(configurations: Sequence[Configuration]) -> list[Simulated]:
    with remembered.remembering({}):
        return [simulate(of) for of in configurations]


_platform = cache(Platform.load)


def point_of(of: Configuration, duration: str = DURATION) -> tuple[Platform, points.Point]:
    """The platform and the point of a configuration, whose runs last for `duration`."""
    platform = _platform(of.platform)
    return platform, points.single(platform, {**of.point(), "duration": duration})


def rates(record: Mapping[str, Any]) -> Rates:
    """Those of a record's ports."""
    return {p: (r["read_MBps"], r["write_MBps"]) for p, r in record["by_port"].items()}


def simulate(of: Configuration) -> Simulated:
    """One configuration on the model."""
    platform, point = point_of(of)
    record = model.run_repeats(platform, point, 0, 0, 1)[0]
    fitted = [row for _, leaf in platform.fitted() for row in leaf.fitted]
    role = "fitted" if is_fitted(of, fitted) else "predicted"
    steady = record["steady"]
    at_wires = compared.at_wires(of.total, platform, point.values)
    return Simulated(
        of, record["total_MBps"], rates(record), role, steady["simulated_s"], steady["settled"],
        at_wires,
    )  # fmt: skip


def summary(of: Sequence[Simulated]) -> str:
    """Errors of totals and of ports' rates, in one line."""
    errors = [one.error for one in of]
    each = [e for one in of for e in one.rate_errors()]
    bias = sum(errors) / len(errors)
    return (
        f"{len(of):5} configurations: totals {mean(errors):5.2f} % "
        f"(90 %: {nine_of_ten(errors):5.1f} %, bias {bias:+5.1f} %), "
        f"ports' rates {mean(each):5.2f} %"
    )


def report(found: Sequence[Simulated]) -> list[str]:
    """The errors, by board, by file, by ports, and by role, then the findings."""
    groups: dict[str, list[Simulated]] = {}
    for one in found:
        board = f"0 {one.of.platform}"
        for group in (
            board,
            f"{board} {AT_WIRES if one.at_wires else BELOW_WIRES}",
            f"{board} {one.role}",
            f"1 {one.of.file.removesuffix('.csv')}",
            f"2 {one.of.platform} {one.of.mode} {one.of.ports}",
            f"3 {one.role}",
            "4 all",
        ):
            groups.setdefault(group, []).append(one)
    lines = [f"{name[2:]:42} {summary(groups[name])}" for name in sorted(groups)]
    lines += ["", "Findings of the dataset: published; model"]
    return lines + [f"  {line}" for line in findings(found)]


def judged(found: Sequence[Simulated]) -> tuple[bool, list[str]]:
    """Whether each bar is reached, and a line for each."""
    errors = [one.error for one in found]
    values = (
        mean(errors), nine_of_ten(errors), mean(e for one in found for e in one.rate_errors()),
    )  # fmt: skip
    lines = ["Bars"]
    for (what, most), value in zip(BARS, values, strict=True):
        verdict = "pass" if value <= most else "MISSED"
        lines.append(f"  {verdict:7} {what}: {value:.2f} % (<= {most:g} %)")
    return all(value <= most for (_, most), value in zip(BARS, values, strict=True)), lines


def _write_share(total: float, by_port: Rates) -> str:
    return f"{100 * sum(write for _, write in by_port.values()) / total:.1f}"


FIGURES: Mapping[str, Callable[[float, Rates], str]] = {
    "total": lambda total, _: f"{total:.0f}",
    "shares": lambda total, by: "/".join(f"{100 * sum(of) / total:.0f}" for of in by.values()),
    "share of writes": _write_share,
    "ways": lambda _, by: "/".join(f"{rate:.0f}" for of in by.values() for rate in of),
    "ports": lambda _, by: ", ".join(f"{port} {sum(of):.0f}" for port, of in by.items()),
}
"""What is shown of a configuration, by total and ports."""


def findings(found: Sequence[Simulated]) -> Iterator[str]:
    """A line for each finding whose configurations are all among `found`."""
    at = {(o.of.platform, o.of.mode, o.of.ports, o.of.burst_bytes): o for o in found}
    for each in tomllib.loads(FINDINGS.read_text(encoding="utf-8"))["finding"]:
        keys = [(each["board"], each["mode"], *of) for of in each["at"]]
        if all(key in at for key in keys):
            figure, shows = FIGURES[each["figure"]], each["shows"]
            published = shows.format(*(figure(at[k].of.total, at[k].of.by_port) for k in keys))
            simulated = shows.format(*(figure(at[k].total, at[k].by_port) for k in keys))
            yield f"{each['what']}: {published}; model {simulated}"
