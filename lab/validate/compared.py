"""Published rows beside simulated ones: errors, bars and tables of all claims are computed here."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axiometer.answer.analysis import collect
from axiometer.answer.analysis.ports_and_paths import ceiling
from axiometer.answer.analysis.results import DEGRADED_BELOW_PCT
from axiometer.answer.analysis.stats import ninetieth
from axiometer.experiment import Experiment
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.published import reference
from axiometer.runs.backends import model

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Outcome:
    """What a claim came to. figure: in a line; said: what is printed; sections: of its page, by
    the words behind the mark's command; files: others that it makes, None for one that goes."""

    figure: str
    passed: bool = True
    said: Sequence[str] = ()
    sections: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[Path, str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A published row with its simulation: rates in MB/s, errors in percent of the published
    rate; `role`: "fitted" or "predicted"."""

    experiment: str
    key: Mapping[str, Any]
    values: Mapping[str, Any]
    figures: Mapping[str, float]
    records: Sequence[Mapping[str, Any]]
    role: str

    @property
    def label(self) -> str:
        return ", ".join(f"{value}" for value in self.key.values())

    @property
    def rate(self) -> float:
        return statistics.fmean(record["total_MBps"] for record in self.records)

    @property
    def error(self) -> float:
        return error(self.rate, self.figures["mean"])

    def inside(self, widened: float = 0.0) -> bool | None:
        """Whether the rate is in the published range; None where none is published."""
        low, high = self.figures.get("min"), self.figures.get("max")
        if low is None or high is None:
            return None
        return reference.within(self.rate, low, high, widened)


def rows(
    name: str,
    repeats: int = 0,
    only: Callable[[Mapping], bool] | None = None,
    settings: Sequence[str] = (),
    jobs: int = 1,
) -> list[Row]:
    """Every point of an experiment that was measured, in its order, run with `settings` as often
    as it has `repeats` unless they are given; none where the published rows are not at hand."""
    experiment = Experiment.load(name)
    table, _ = reference.for_experiment(experiment)
    wanted = []
    for number, point in enumerate(experiment.points() if table else ()):
        if (only is None or only(point.values)) and table.match(point.values) is not None:
            wanted.append((name, tuple(settings), number, repeats))
    if jobs == 1 or len(wanted) < 2:  # noqa: PLR2004
        return list(map(_row, wanted))
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(_row, wanted))


def _row(job: tuple[str, tuple[str, ...], int, int]) -> Row:
    name, settings, number, repeats = job
    experiment = Experiment.load(name, settings)
    published = Experiment.load(name)
    table, _ = reference.for_experiment(published)
    point, values = experiment.points()[number], published.points()[number].values
    count = repeats or point.values["repeats"]
    records = model.run_repeats(experiment.platform, point, 0, 0, count)
    figures, role = table.match(values).figures, table.role(values, experiment.platform)
    return Row(name, point.key, point.values, figures, records, role)


@dataclass(frozen=True)
class Bar:
    """What was required and what came out; `passed` is None for what could not be checked."""

    what: str
    required: str
    found: str
    passed: bool | None


def at_most(what: str, value: float, limit: float, **words: Any) -> Bar:
    """A bar. words: `by` in place of "<=", `unit`, `digits` of the value, `note` behind it, `shown`
    in place of all that."""
    unit = words.get("unit", "%")
    shown = words.get("shown") or f"{value:.{words.get('digits', 2)}f} {unit}"
    required = f"{words.get('by', '<=')} {limit:g} {unit}"
    return Bar(what, required, shown + words.get("note", ""), value <= limit)


def bars_table(bars: Iterable[Bar], missed: str = "MISSED") -> list[str]:
    """As Markdown."""
    verdicts = {True: "pass", False: missed, None: "skipped"}
    return table(
        ("bar", "required", "found", ""),
        ((b.what, b.required, b.found, verdicts[b.passed]) for b in bars),
    )


def missed(bars: Iterable[Bar]) -> str:
    """The bars of a claim in a line."""
    bars = list(bars)
    return f"{sum(bar.passed is not False for bar in bars)} of {len(bars)} bars are reached"


def reached(bars: Iterable[Bar]) -> bool:
    """Whether none is missed."""
    return all(bar.passed is not False for bar in bars)


def table(heads: Sequence[str], body: Iterable[Sequence[object]], rule: str = "") -> list[str]:
    """A table in Markdown."""
    lines = [heads, *body]
    shown = [f"| {' | '.join(str(cell) for cell in line)} |" for line in lines]
    return [shown[0], rule or "|---" * len(heads) + "|", *shown[1:]]


def error(own: float, published: float) -> float:
    """In percent of what is published."""
    return 100 * (own / published - 1)


def mean(errors: Iterable[float]) -> float:
    """Mean of the errors without their signs; nan of none."""
    errors = list(errors)
    return sum(map(abs, errors)) / len(errors) if errors else float("nan")


def nine_of_ten(errors: Iterable[float]) -> float:
    """The error, without its sign, that nine of ten do not exceed; nan of none."""
    errors = [abs(one) for one in errors]
    return ninetieth(errors) if errors else float("nan")


def worst(found: Sequence[Any]) -> Any:
    """The row with the largest error."""
    return max(found, key=lambda row: abs(row.error))


def at_wires(published: float, platform: Platform, values: Values) -> bool:
    """Whether a published rate is what the wires of the point's ports carry, but for the percent
    below which papers mark a row: no model of the memory is needed for it."""
    wires = ceiling(collect.facts(platform), values).ports
    return wires is not None and 100 * published >= DEGRADED_BELOW_PCT * wires


def is_fitted_on(file: str, values: Values, platform: Platform) -> bool:
    """Whether a figure of the platform was fitted on the row of `file` with these conditions."""
    of = (selector for _, leaf in platform.fitted() for selector in leaf.fitted or ())
    return any(reference.selects(selector, file, values) for selector in of)


def is_chosen_on(file: str, values: Values, platform: Platform) -> bool:
    """Whether a figure of the platform was fitted or selected on the row of `file` with these
    conditions."""
    return any(
        reference.selects(selector, file, values)
        for _, leaf in platform.leaves()
        for selector in leaf.fitted or leaf.selected or ()
    )
