"""Zynq UltraScale+: figures fitted again without one of eight published sets, judged on that set.

Every fitted or selected number of the two boards' platforms is reset (except the host's: the start
of engines does not change the rate of a long run). A search begins at the least or the greatest
allowed values, never the shipped ones, and improves one figure after the other, repeatedly, on the
rows of its sets. It runs with all eight sets, and without each of them. Rules (figures that are
words, or yes and no) stay: they were selected with all sets in sight, which this cannot undo.

Some two hours of processor time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.base.errors import AxiometerError
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.runs.backends import model
from validate import usp
from validate.compared import Outcome, mean, table
from validate.usp import DATA

SETS = {
    "zcu102": ("base_300mhz", "read_only_300mhz", "write_only_300mhz", "bank_row_column_300mhz"),
    "ultra96": ("base_100mhz", "read_only_300mhz", "write_only_300mhz", "random_100mhz"),
}
FILES = tuple(f"{board}__{name}.csv" for board, names in SETS.items() for name in names)
COMBINATIONS = (
    *("HP0", "HP1", "HP0+HP1", "HP1+HP2", "HP1+HP3"),
    *("HP0+HP1+HP2", "HP0+HP1+HP3", "HP0+HP1+HP2+HP3"),
)
SEARCHED = (64, 160, 256, 448)  # bytes a burst: the rows that a search sees
JUDGED = (16, 64, 80, 128, 160, 192, 208, 256, 272, 336, 384, 448, 1152)
DURATION = "0.5ms"
MOST = 100.0  # %: a port's rate that is further off counts so; else starved ports decide alone
PASSES = 2
FACTORS = (0.5, 0.75, 1.0, 1.25, 1.5)

Values = tuple[tuple[str, Any], ...]
"""A figure's path, behind "BOARD:" where it is one board's, and its value."""


@dataclass(frozen=True)
class Figure:
    """A number that is fitted again; `name` as in `Values`."""

    name: str
    shipped: float
    candidates: tuple[float, ...]

    @property
    def boards(self) -> tuple[str, ...]:
        return (self.name.partition(":")[0],) if ":" in self.name else tuple(SETS)


def figures() -> list[Figure]:
    """Numbers that a shipped platform calls fitted or selected, a chip's once."""
    found: dict[str, Figure] = {}
    for board in SETS:
        platform = Platform.load(board)
        for path, leaf in platform.leaves():
            number = isinstance(leaf.value, int | float) and not isinstance(leaf.value, bool)
            if not number or not leaf.value or not (leaf.fitted or leaf.selected):
                continue  # 0 is a rule: there is no such thing
            if path.startswith("host."):
                continue  # when engines start: no rate of a long run has it
            name = path if Path(leaf.file).name == "structure.toml" else f"{board}:{path}"
            found[name] = Figure(name, leaf.value, candidates(platform, path))
    return list(found.values())


def candidates(platform: Platform, path: str) -> tuple[float, ...]:
    """What a figure may become: half to one and a half of what it is, or whole steps if it is
    small; only what the platform allows."""
    value = platform.value(path)
    if isinstance(value, int) and value <= 8:
        wanted = {value + step for step in range(-2, 3)}
    elif isinstance(value, int):
        wanted = {round(value * factor) for factor in FACTORS}
    else:
        wanted = {round(value * factor, 6) for factor in FACTORS}
    allowed = []
    for one in sorted(wanted):
        try:
            platform_with(platform.name, ((path, one),))
        except AxiometerError:
            continue
        allowed.append(one)
    return tuple(allowed)


@cache
def platform_with(board: str, values: Values) -> Platform:
    """A board's platform with figures set; figures that refer to one by "as" follow it."""
    platform = Platform.load(board)
    overrides: dict[str, Any] = {}
    for name, value in values:
        path = name.rpartition(":")[2]
        table, _, key = path.rpartition(".")
        overrides[path] = value
        for other, leaf in platform.leaves():
            if other.endswith(f".{key}") and (leaf.guess or "").startswith(f"as {table}:"):
                overrides[other] = value
    return platform.with_overrides(overrides)


def of_board(board: str, values: Mapping[str, Any]) -> Values:
    """The values that concern a board."""
    return tuple(
        (name, value)
        for name, value in sorted(values.items())
        if ":" not in name or name.startswith(f"{board}:")
    )


@cache
def rows(file: str, sizes: tuple[int, ...]) -> list[usp.Configuration]:
    return [c for c in usp.read(DATA / file) if c.ports in COMBINATIONS and c.burst_bytes in sizes]


def simulated(job: tuple[str, tuple[int, ...], Values]) -> list[usp.Simulated]:
    """One set's rows on the model."""
    file, sizes, values = job
    outcomes = []
    for of in rows(file, sizes):
        platform = platform_with(of.platform, values)
        point = points.single(platform, {**of.point(), "duration": DURATION})
        record = model.run_repeats(platform, point, 0, 0, 1)[0]
        outcomes.append(usp.Simulated(of, record["total_MBps"], usp.rates(record)))
    return outcomes


def score(outcomes: Sequence[usp.Simulated]) -> float:
    """What a search makes small: half of the errors of totals and of ports' rates, in %."""
    rates = [min(abs(e), MOST) for o in outcomes for e in o.rate_errors()]
    return (mean([o.error for o in outcomes]) + mean(rates)) / 2


class Runs:
    """Scores of sets at values, each computed once; `pool` computes those that are missing."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._known: dict[tuple[str, Values], float] = {}

    def scores(self, seen: Iterable[str], tried: Sequence[Mapping[str, Any]]) -> list[float]:
        """The mean over the sets `seen`, for each of the values tried."""
        keys = [
            [(file, of_board(file.partition("__")[0], values)) for file in seen] for values in tried
        ]
        missing = sorted({key for of in keys for key in of} - set(self._known), key=repr)
        jobs = [(file, SEARCHED, values) for file, values in missing]
        for key, outcomes in zip(missing, self._pool.map(simulated, jobs), strict=True):
            self._known[key] = score(outcomes)
        return [mean([self._known[key] for key in of]) for of in keys]


def search(all_figures: Sequence[Figure], seen: Sequence[str], runs: Runs) -> dict[str, Any]:
    """The values that fit the sets `seen` best; a figure that none of them tells stays where the
    search began."""
    values: dict[str, Any] = {
        f.name: f.candidates[0 if n % 2 else -1] for n, f in enumerate(all_figures)
    }
    values.update({f.name: f.candidates[0] for f in all_figures if values[f.name] == f.shipped})
    for _ in range(PASSES):
        before = dict(values)
        for figure in all_figures:
            tried = [{**values, figure.name: value} for value in figure.candidates]
            found = runs.scores(seen, [values, *tried])
            best = min(range(len(tried)), key=lambda n: found[n + 1])
            if found[best + 1] < found[0]:
                values = tried[best]
        if values == before:
            break
    return values


def page(all_figures: Sequence[Figure], found: Mapping[str, Mapping], pool: Any) -> list[str]:
    """The tables; `found`: the set that was left out, or "", to values."""
    shipped = {f.name: f.shipped for f in all_figures}
    versions = {"shipped": shipped, "all": found[""], **{file: found[file] for file in FILES}}
    jobs = [(version, file) for file in FILES for version in ("shipped", "all", file)]
    made = pool.map(
        simulated,
        [(f, JUDGED, of_board(f.partition("__")[0], versions[v])) for v, f in jobs],
    )
    outcomes = dict(zip(jobs, made, strict=True))
    body, within = [], 0
    for file in FILES:
        cells, ratios = [file.removesuffix(".csv")], []
        for figure in (
            lambda of: mean([o.error for o in of]),
            lambda of: mean([e for o in of for e in o.rate_errors()]),
        ):
            at = {v: figure(outcomes[v, file]) for v in ("shipped", "all", file)}
            ratios.append(at[file] / at["all"])
            cells += [f"{at['shipped']:.1f}", f"{at['all']:.1f}", f"{at[file]:.1f}"]
        within += max(ratios) <= 1.5
        body.append([*cells, " and ".join(f"{r:.2f}" for r in ratios)])
    names = ["", "all", *FILES]
    heads = {"all": "with all", **{f: f.removesuffix(".csv") for f in FILES}}
    values = [
        [
            f"`{f.name}`",
            f"{f.shipped:g}",
            *(f"{versions[v][f.name]:g}" for v in names[1:]),
        ]
        for f in all_figures
    ]
    return [
        *table(
            (
                *("left out", "totals: shipped", "found with all", "found without it"),
                *("ports' rates: shipped", "found with all", "found without it"),
                "ratio, totals and rates",
            ),
            body,
        ),
        "",
        f"{within} of {len(FILES)} sets are predicted within 1.5 times the error of the same "
        "search that saw them, in totals and in ports' rates.",
        "",
        "What the searches found, by the set that they did not see:",
        "",
        *table(("figure", "shipped", *(heads[v] for v in names[1:])), values),
    ]


HEAD = (
    "{rows} configurations ({sizes} sizes of burst, {ports} combinations of ports), {duration} "
    "each; a search sees {searched} sizes."
)


def run(jobs: int) -> Outcome:
    """The page's section."""
    every = figures()
    started = time.monotonic()
    with ProcessPoolExecutor(jobs) as pool:
        runs = Runs(pool)
        found = {}
        for out in ("", *FILES):
            found[out] = search(every, [file for file in FILES if file != out], runs)
            said = ", ".join(f"{name} {value:g}" for name, value in found[out].items())
            spent = time.monotonic() - started
            print(f"without {out or 'none'}: {said} ({spent:.0f} s)", flush=True)
        lines = page(every, found, pool)
    head = HEAD.format(
        rows=sum(len(rows(file, JUDGED)) for file in FILES),
        sizes=len(JUDGED),
        ports=len(COMBINATIONS),
        duration=DURATION.replace("ms", " ms"),
        searched=len(SEARCHED),
    )
    figure = next(line for line in lines if "are predicted within" in line)
    return Outcome(figure, True, lines, {"": "\n".join([head, "", *lines])})
