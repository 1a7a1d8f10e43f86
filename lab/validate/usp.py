"""The model of Zynq UltraScale+ against the dataset of Manev et al., as its tables ship.

All configurations are run, or a sample, and the errors of totals and of each port's read and write
rate summed up, fitted and predicted apart, with the dataset's findings.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiometer.answer.analysis.results import DEGRADED_BELOW_PCT
from axiometer.experiment import directions, points
from axiometer.platform import Platform
from axiometer.published import tables
from axiometer.published.anchors.rows import TOTAL
from axiometer.published.reference.table import as_keys
from axiometer.published.tables import Line
from axiometer.runs.backends import model
from axiometer.simulate import remembered
from axiometer.simulate.scenario import Scenario
from validate import compared
from validate.compared import Outcome, mean, nine_of_ten

# Those whose ports run one behind the other in memory.
SETS = (
    *("ultra96__base_100mhz", "ultra96__read_only_300mhz"),
    *("zcu102__base_300mhz", "zcu102__read_only_300mhz", "zcu102__write_only_300mhz"),
)
DURATION = "settled"
LEAST_RATE = 50.0  # MB/s: rates of ports below are not compared
HEAD = (
    "Errors against the dataset of Manev et al.: absolute values in percent. *Ports' rates* are "
    "read and write rates of each port above 50 MB/s. *At the wires' rate*: the published total is "
    f"at least {DEGRADED_BELOW_PCT:g} % of what the wires of the ports carry."
)
AT_WIRES, BELOW_WIRES = "at the wires' rate", "below it"
BARS = (("totals, mean", 8.0), ("totals, 90th percentile", 18.0), ("ports' rates, mean", 15.0))
FINDINGS = Path(__file__).with_suffix(".toml")

Rates = Mapping[str, Mapping[str, float]]
"""Of each port `read_MBps` and `write_MBps`."""


@dataclass(frozen=True)
class Simulated:
    """A configuration and what the model made of it; `role` is fitted or predicted; `at_wires`:
    its published total is what its ports' wires carry (`compared.at_wires`)."""

    of: Line
    total: float
    by_port: Rates
    role: str
    simulated_s: float
    settled: bool
    at_wires: bool

    @property
    def mode(self) -> str:
        return mode(self.of)

    @property
    def ports(self) -> str:
        return ports(self.of)

    @property
    def published(self) -> float:
        return self.of.figures[TOTAL]

    @property
    def error(self) -> float:
        return compared.error(self.total, self.published)

    def rate_errors(self) -> list[float]:
        """Errors in % of the read and the write rate of each port above LEAST_RATE."""
        return [
            compared.error(self.by_port[port][way], published[way])
            for port, published in self.of.by_port.items()
            for way in ("read_MBps", "write_MBps")
            if published[way] > LEAST_RATE
        ]


def every() -> list[Line]:
    """The configurations of all sets."""
    found = {table.path.stem: table for table in tables.tables()}
    return [line for name in SETS for line in tables.every(found[name])]


def mode(of: Line) -> str:
    """A configuration's mode: "read", "write" or "mixed"."""
    ways = directions.ways(str(of.conditions["mode"]))
    return ways[0] if len(ways) == 1 else "mixed"


def ports(of: Line) -> str:
    """A configuration's ports: "HP0+HP1"."""
    return str(as_keys(of.conditions)["ports"])


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


def run_all(configurations: Sequence[Line], jobs: int) -> list[Simulated]:
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


def _run_alike(configurations: Sequence[Line]) -> list[Simulated]:
    with remembered.remembering({}):
        return [simulate(of) for of in configurations]


_platform = cache(Platform.load)


def point_of(of: Line, duration: str = DURATION) -> tuple[Platform, points.Point]:
    """The platform and the point of a configuration, whose runs last for `duration`."""
    platform = _platform(of.table.board)
    return platform, points.single(platform, as_keys(of.conditions) | {"duration": duration})


def simulate(of: Line) -> Simulated:
    """One configuration on the model."""
    platform, point = point_of(of)
    record = model.run_repeats(platform, point, 0, 0, 1)[0]
    chosen = compared.is_fitted_on(of.table.path.name, point.values, platform)
    return Simulated(
        of, record["total_MBps"], record["by_port"], "fitted" if chosen else "predicted",
        record["steady"]["simulated_s"], record["steady"]["settled"],
        compared.at_wires(of.figures[TOTAL], platform, point.values),
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
        board = one.of.table.board
        for group in (
            f"0 {board}",
            f"0 {board} {AT_WIRES if one.at_wires else BELOW_WIRES}",
            f"0 {board} {one.role}",
            f"1 {one.of.table.path.stem}",
            f"2 {board} {one.mode} {one.ports}",
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


def _sum(rates: Mapping[str, float]) -> float:
    return rates["read_MBps"] + rates["write_MBps"]


def _write_share(total: float, by_port: Rates) -> str:
    return f"{100 * sum(rates['write_MBps'] for rates in by_port.values()) / total:.1f}"


FIGURES: Mapping[str, Callable[[float, Rates], str]] = {
    "total": lambda total, _: f"{total:.0f}",
    "shares": lambda total, by: "/".join(f"{100 * _sum(of) / total:.0f}" for of in by.values()),
    "share of writes": _write_share,
    "ways": lambda _, by: "/".join(
        f"{of[way]:.0f}" for of in by.values() for way in ("read_MBps", "write_MBps")
    ),
    "ports": lambda _, by: ", ".join(f"{port} {_sum(of):.0f}" for port, of in by.items()),
}
"""What is shown of a configuration, by total and ports."""


def findings(found: Sequence[Simulated]) -> Iterator[str]:
    """A line for each finding whose configurations are all among `found`."""
    at = {(o.of.table.board, o.mode, o.ports, o.of.conditions["burst_bytes"]): o for o in found}
    for each in tomllib.loads(FINDINGS.read_text(encoding="utf-8"))["finding"]:
        keys = [(each["board"], each["mode"], *of) for of in each["at"]]
        if all(key in at for key in keys):
            figure, shows = FIGURES[each["figure"]], each["shows"]
            published = shows.format(*(figure(at[k].published, at[k].of.by_port) for k in keys))
            simulated = shows.format(*(figure(at[k].total, at[k].by_port) for k in keys))
            yield f"{each['what']}: {published}; model {simulated}"
